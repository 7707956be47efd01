# SPDX-License-Identifier: Apache-2.0
# The install tests, ${test} says which; the first step that fails ends it. Variables: see CMakeLists.txt.
cmake_policy(VERSION 3.24)
set(prefix ${work}/prefix)

function(step)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(run_on_two_ranks program)
    step(${source}/scripts/mpirun 2 ${program})
endfunction()

# build_project(project folder argument...): a project against the installation. With the flags of gravlet's own build: those of
# sanitizers are wanted by every linker.
function(build_project project build_dir)
    file(REMOVE_RECURSE ${build_dir})
    step(${CMAKE_COMMAND} -S ${project} -B ${build_dir} -G ${generator} --no-warn-unused-cli
        -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=${build_type}
        -D CMAKE_C_COMPILER=${c} -D CMAKE_CXX_COMPILER=${cxx} -D CMAKE_Fortran_COMPILER=${fortran}
        -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_EXE_LINKER_FLAGS=${flags}
        -D GRAVLET_P4EST_INCLUDE_DIR=${p4est_include}
        -D GRAVLET_P4EST_LIBRARY=${p4est_library} -D GRAVLET_SC_LIBRARY=${sc_library} ${ARGN})
    step(${CMAKE_COMMAND} --build ${build_dir})
endfunction()

# The installation has been moved, which its files must stand.
function(test_install)
    file(REMOVE_RECURSE ${work})
    step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/staging)
    file(RENAME ${work}/staging ${prefix})
    if(EXISTS ${prefix}/bin/gravlet)
        step(${prefix}/bin/gravlet info)
    endif()
endfunction()

# A host in one language, the only one that its project enables.
function(test_consumer)
    build_project(${source}/tests/install/${consumer} ${work}/${consumer})
    run_on_two_ranks(${work}/${consumer}/consumer)
endfunction()

# The tarball of a release has the sources and third_party/ with its licences, and configures without network and git, and without
# Highway and fmt of the system. Its libraries are left for test_subproject.
function(test_release)
    find_program(GIT git)
    find_program(DPKG_SOURCE dpkg-source)
    if(NOT EXISTS ${source}/.git OR NOT GIT OR NOT DPKG_SOURCE OR NOT EXISTS /usr/share/keyrings/debian-archive-keyring.gpg)
        message("skipped: no git checkout, or no dpkg-source and debian-archive-keyring to get Debian's sources with")
        return()
    endif()
    set(release ${work}/release)
    file(REMOVE_RECURSE ${release})
    execute_process(COMMAND ${source}/scripts/release ${release} RESULT_VARIABLE status ERROR_VARIABLE errors COMMAND_ECHO STDOUT)
    if(errors MATCHES "could not be fetched")
        message("skipped: a package could not be fetched: ${errors}")
        return()
    elseif(status)
        message(FATAL_ERROR "scripts/release: ${status}, ${errors}")
    endif()
    file(GLOB tarball ${release}/gravlet-*.tar.gz)
    get_filename_component(name ${tarball} NAME)
    string(REGEX REPLACE "[.]tar[.]gz$" "" name ${name})
    step(${CMAKE_COMMAND} -E chdir ${release} ${CMAKE_COMMAND} -E tar xf ${tarball})
    file(RENAME ${release}/${name} ${release}/tree)
    foreach(file IN ITEMS fmt/LICENSE.rst highway/LICENSE thrust/copyright README.md)
        if(NOT EXISTS ${release}/tree/third_party/${file})
            message(FATAL_ERROR "the tarball has no third_party/${file}")
        endif()
    endforeach()

    # Without a network, where this user may take it away. The loopback device is Open MPI's compilers' wish.
    set(offline)
    set(cut unshare -rn sh -c "ip link set lo up && exec \"$@\"" sh)
    execute_process(COMMAND ${cut} true RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status STREQUAL "0")
        set(offline ${cut})
    else()
        message("the network stays: it cannot be taken away here")
    endif()
    file(WRITE ${release}/bin/git "#!/bin/sh\ntouch ${release}/git-was-called\nexit 1\n")
    file(CHMOD ${release}/bin/git PERMISSIONS OWNER_READ OWNER_EXECUTE)
    set(ENV{PATH} ${release}/bin:$ENV{PATH})
    step(${offline} ${CMAKE_COMMAND} -S ${release}/tree -B ${release}/build -G ${generator} --no-warn-unused-cli
        -D CMAKE_BUILD_TYPE=Release -D GRAVLET_CUDA=OFF -D GRAVLET_TESTS=OFF -D GRAVLET_TOOLS=OFF -D GRAVLET_BENCHMARKS=OFF
        -D CMAKE_DISABLE_FIND_PACKAGE_hwy=ON -D CMAKE_DISABLE_FIND_PACKAGE_fmt=ON
        -D CMAKE_C_COMPILER=${c} -D CMAKE_CXX_COMPILER=${cxx} -D CMAKE_Fortran_COMPILER=${fortran})
    if(EXISTS ${release}/git-was-called)
        message(FATAL_ERROR "git was called")
    endif()
endfunction()

# Its own sources are optimised although the project says nothing, a Fortran host finds both modules, gravlet's and MPI's, and a host
# library is installed with gravlet for its own users. With what a release brings along in place of the system's, where test_release
# left it: the installation of a static library that has it inside is tried here for all.
function(test_subproject)
    set(project ${work}/subproject)
    file(REMOVE_RECURSE ${project})
    set(with_fortran OFF)
    if(fortran AND mpif90)
        set(with_fortran ON)
    endif()
    unset(ENV{CMAKE_BUILD_TYPE})
    step(${CMAKE_COMMAND} -S ${source}/tests/install/subproject -B ${project} -G ${generator}
        -D gravlet_source=${source} -D GRAVLET_CUDA=OFF
        -D CMAKE_C_COMPILER=${c} -D CMAKE_CXX_COMPILER=${cxx} -D CMAKE_Fortran_COMPILER=${fortran} -D with_fortran=${with_fortran})
    file(READ ${project}/compile_commands.json commands)
    string(JSON last LENGTH ${commands})
    math(EXPR last "${last} - 1")
    set(sources 0)
    foreach(i RANGE ${last})
        string(JSON command GET ${commands} ${i} command)
        string(JSON file GET ${commands} ${i} file)
        if(file MATCHES "[.]cpp$" AND NOT file MATCHES "/pair[.]cpp$")
            math(EXPR sources "${sources} + 1")
            if(NOT command MATCHES " -O3 " OR NOT command MATCHES "-DNDEBUG")
                message(FATAL_ERROR "not optimised: ${command}")
            endif()
        endif()
    endforeach()
    if(sources LESS 20)
        message(FATAL_ERROR "only ${sources} sources of gravlet's")
    endif()

    set(third_party ${work}/release/tree/third_party)
    set(without)
    if(EXISTS ${third_party})
        step(${CMAKE_COMMAND} -D GRAVLET_BUNDLED=ON -D GRAVLET_THIRD_PARTY_DIR=${third_party} ${project})
        set(without -D CMAKE_DISABLE_FIND_PACKAGE_hwy=ON -D CMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
    endif()
    # That it is optimised has been seen: what follows takes less without.
    step(${CMAKE_COMMAND} -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=-O0 ${project})
    step(${CMAKE_COMMAND} --build ${project})
    set(prefix ${work}/subproject-prefix)
    file(REMOVE_RECURSE ${prefix})
    step(${CMAKE_COMMAND} --install ${project} --prefix ${prefix})
    if(EXISTS ${third_party} AND NOT EXISTS ${prefix}/share/gravlet/licenses/highway/LICENSE)
        message(FATAL_ERROR "Highway is in the library, its licence is not installed")
    endif()
    build_project(${source}/tests/install/subproject_consumer ${work}/subproject-consumer ${without})
    run_on_two_ranks(${work}/subproject-consumer/consumer)
endfunction()

# A shared library has the minor version in its name, and exports nothing but its interface; hosts in all languages run on it. Its
# objects are those of the static one (with ccache it takes a link: flags are alike, to the folders of headers).
function(test_shared)
    set(build_dir ${work}/shared)
    step(${CMAKE_COMMAND} -S ${source} -B ${build_dir} -G ${generator} -D BUILD_SHARED_LIBS=ON -D CMAKE_BUILD_TYPE=${build_type}
        -D GRAVLET_CUDA=OFF -D GRAVLET_TESTS=OFF -D GRAVLET_TOOLS=OFF -D GRAVLET_EXAMPLES=OFF -D GRAVLET_BENCHMARKS=OFF
        -D GRAVLET_WERROR=${werror} -D CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES=${cuda_include}
        -D CMAKE_C_COMPILER=${c} -D CMAKE_CXX_COMPILER=${cxx} -D CMAKE_Fortran_COMPILER=${fortran} -D CMAKE_CXX_FLAGS=${flags})
    step(${CMAKE_COMMAND} --build ${build_dir})
    set(prefix ${work}/shared-prefix)
    file(REMOVE_RECURSE ${prefix})
    step(${CMAKE_COMMAND} --install ${build_dir} --prefix ${prefix})
    set(library ${prefix}/${libdir}/libgravlet.so)
    execute_process(COMMAND ${nm} -D -C --defined-only ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "\\[abi:cxx11\\]" "" symbols "${symbols}")
    string(REGEX REPLACE "[][;]" "" symbols "${symbols}")
    string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
    foreach(symbol IN LISTS symbols)
        if(NOT symbol MATCHES "^[0-9a-f]+ [A-Za-z] (gravlet_|(typeinfo for |typeinfo name for |vtable for )?gravlet::)")
            message(FATAL_ERROR "exported: ${symbol}")
        endif()
    endforeach()
    list(LENGTH symbols count)
    message("${count} symbols")
    if(count GREATER 120)
        message(FATAL_ERROR "more than the interface is exported: ${symbols}")
    endif()
    execute_process(COMMAND ${readelf} -d ${library} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
    if(NOT dynamic MATCHES "libgravlet[.]so[.]${soversion}\\]")
        message(FATAL_ERROR "not the name of ${soversion}: ${dynamic}")
    endif()
    # The Python package finds it from where it is installed.
    file(GLOB_RECURSE modules ${prefix}/${libdir}/python*/_gravlet*.so)
    foreach(module IN LISTS modules)
        execute_process(COMMAND ldd ${module} OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
        if(NOT found MATCHES "libgravlet[.]so[.]${soversion} => ${prefix}")
            message(FATAL_ERROR "${module} does not find libgravlet: ${found}")
        endif()
        if(NOT python)
            message("no Python package was built: the module is not imported")
            continue()
        endif()
        get_filename_component(package ${module} DIRECTORY)
        get_filename_component(packages ${package} DIRECTORY)
        step(${CMAKE_COMMAND} -E env PYTHONPATH=${packages} PYTHONDONTWRITEBYTECODE=1 ${python} -c
            "import gravlet; print(gravlet.potential([0, 3.0], [0, 4.0], [0, 0.0], [1.0, 1.0]))")
    endforeach()
    set(consumers consumer consumer_c consumer_kokkos)
    if(fortran AND mpif90)
        list(APPEND consumers consumer_fortran)
    endif()
    foreach(consumer IN LISTS consumers)
        build_project(${source}/tests/install/${consumer} ${work}/shared-${consumer})
        run_on_two_ranks(${work}/shared-${consumer}/consumer)
    endforeach()
endfunction()

# find_package fails for a component that is not there, and says so.
function(test_components)
    set(project ${work}/components)
    foreach(component IN ITEMS fortran colour)
        file(REMOVE_RECURSE ${project})
        file(WRITE ${project}/CMakeLists.txt "cmake_minimum_required(VERSION 3.24)\nproject(components LANGUAGES CXX)\n"
            "find_package(gravlet REQUIRED COMPONENTS ${component})\n")
        execute_process(
            COMMAND ${CMAKE_COMMAND} -S ${project} -B ${project}/build -G ${generator} -D CMAKE_PREFIX_PATH=${prefix}
                -D CMAKE_CXX_COMPILER=${cxx}
            RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_QUIET)
        string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
        set(expected "components asked for \\(${component}\\)")
        if(component STREQUAL "fortran" AND EXISTS ${prefix}/${libdir}/pkgconfig/gravlet_fortran.pc)
            set(expected "^$")
        endif()
        if(NOT errors MATCHES "${expected}")
            message(FATAL_ERROR "COMPONENTS ${component}: ended with ${status} and said: ${errors}")
        endif()
    endforeach()
endfunction()

# What a build cannot go without is named, with the package that has it and what else there is.
function(test_missing)
    foreach(case IN ITEMS "hwy;libhwy-dev.*scripts/install-deps.*release tarball" "fmt;libfmt-dev.*scripts/install-deps.*release tarball"
            "MPI;no MPI was found.*libopenmpi-dev.*MPI_CXX_COMPILER")
        list(GET case 0 package)
        list(GET case 1 expected)
        file(REMOVE_RECURSE ${work}/missing)
        execute_process(
            COMMAND ${CMAKE_COMMAND} -S ${source} -B ${work}/missing -G ${generator} -D CMAKE_DISABLE_FIND_PACKAGE_${package}=ON
                -D GRAVLET_BUNDLED=OFF -D GRAVLET_CUDA=OFF -D GRAVLET_TOOLS=OFF -D GRAVLET_TESTS=OFF -D GRAVLET_EXAMPLES=OFF
                -D GRAVLET_BENCHMARKS=OFF -D CMAKE_C_COMPILER=${c} -D CMAKE_CXX_COMPILER=${cxx}
            RESULT_VARIABLE status ERROR_VARIABLE errors OUTPUT_QUIET)
        string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
        if(status EQUAL 0 OR NOT errors MATCHES "${expected}")
            message(FATAL_ERROR "without ${package}: ended with ${status} and said: ${errors}")
        endif()
    endforeach()
endfunction()

function(test_examples)
    build_project(${source}/examples ${work}/examples)
    file(GLOB programs ${work}/examples/*_cells ${work}/examples/*_blocks ${work}/examples/*_host)
    list(LENGTH programs count)
    if(count LESS 3)
        message(FATAL_ERROR "only these examples: ${programs}")
    endif()
    foreach(program IN LISTS programs)
        run_on_two_ranks(${program})
    endforeach()
endfunction()

# One command line each, of MPI's own compilers.
function(test_pkg_config)
    find_program(PKG_CONFIG NAMES pkg-config pkgconf)
    if(NOT PKG_CONFIG)
        message("skipped: no pkg-config")
        return()
    endif()
    file(REMOVE_RECURSE ${work}/pkg-config)
    file(MAKE_DIRECTORY ${work}/pkg-config)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
    set(ENV{LD_LIBRARY_PATH} ${prefix}/${libdir}:$ENV{LD_LIBRARY_PATH})  # for a shared gravlet
    set(ENV{OMPI_CC} ${c})
    set(ENV{OMPI_CXX} ${cxx})
    set(ENV{OMPI_FC} ${fortran})
    separate_arguments(options UNIX_COMMAND "-O2 ${flags}")

    # compile(name.extension package compiler argument...); what p4est_host needs is in ${p4est}
    function(compile file package)
        execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package}
            OUTPUT_VARIABLE output COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
        separate_arguments(output UNIX_COMMAND "${output}")
        get_filename_component(name ${file} NAME_WE)
        set(program ${work}/pkg-config/${name})
        step(${ARGN} ${options} ${source}/examples/${file} -o ${program} ${output} ${p4est} -lm)
        run_on_two_ranks(${program})
    endfunction()
    compile(c_host.c gravlet ${mpicc} -std=c11)
    foreach(name IN ITEMS cpp_cells cpp_blocks)
        compile(${name}.cpp gravlet ${mpicxx} -std=c++20)
    endforeach()
    if(p4est_library)
        set(p4est -I${p4est_include} ${p4est_library} ${sc_library} ${z_library})
        compile(p4est_host.cpp gravlet ${mpicxx} -std=c++20)
        set(p4est)
    else()
        message("no p4est: p4est_host was left out")
    endif()
    if(EXISTS ${prefix}/${libdir}/pkgconfig/gravlet_fortran.pc AND mpif90)
        compile(fortran_host.f90 gravlet_fortran ${mpif90})
    else()
        message("no Fortran module, or no MPI for Fortran: fortran_host was left out")
    endif()
endfunction()

cmake_language(CALL test_${test})
