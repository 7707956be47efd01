# SPDX-License-Identifier: Apache-2.0
# gravlet_add_test(name SOURCES file... [LIBRARIES target...] [RANKS n...] [NIGHTLY n...] [LABELS label...] [TIMEOUT seconds]
#                  [ON_GPU | ONLY_ON_GPU] [SLOW])
#
# One GoogleTest executable around tests/mpi_main.cpp, and one ctest `name/rN` a rank count N (default: 1). gravlet and
# gravlet_internal are linked. Several ranks run with one thread each and may share cores. The target gravlet_tests_LABEL builds
# all tests of a label. The label quick (scripts/test --quick) goes to runs on the CPU, on up to three ranks, of tests labelled
# unit, backend, mpi or api that are not SLOW; the label nightly (.ci/run --all) to those on so many ranks as NIGHTLY says.
#
# Where the GPU backend is built, `name/rN` sees no GPU and so tests the CPU, whatever the machine has; ON_GPU adds
# `name/gpu/rN`, which is skipped where there is no GPU (tests/if_gpu.sh, tests/mpi_main.cpp), and ONLY_ON_GPU has that one alone.
find_package(GTest REQUIRED)

set(GRAVLET_TEST_LEDGER ${PROJECT_SOURCE_DIR}/tests/ledger/bounds)
add_library(gravlet_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/mpi_main.cpp ${GRAVLET_TEST_LEDGER}.cpp)
target_link_libraries(gravlet_test_main PUBLIC GTest::gtest MPI::MPI_CXX PRIVATE gravlet::internals gravlet_internal)
if(NOT GRAVLET_P4EST_ENABLED)
    target_sources(gravlet_test_main PRIVATE ${PROJECT_SOURCE_DIR}/tests/no_mesh.cpp)
endif()
# What most tests include, compiled once (a test takes three seconds to compile and not eight): flags are the same in all of them,
# as compilers ask. What is fast is the library, which is linked; those labelled unit and backend compile
# its headers, for which -O1 will do in unit; backend has walks of its own.
set(GRAVLET_TEST_OPTIONS $<IF:$<CONFIG:Debug>,-O0,-O1> $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
target_compile_options(gravlet_test_main PRIVATE ${GRAVLET_TEST_OPTIONS} ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
set_target_properties(gravlet_test_main PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_precompile_headers(gravlet_test_main PRIVATE
    <gtest/gtest.h> <mpi.h> <algorithm> <array> <cmath> <functional> <random> <string> <vector> ${GRAVLET_TEST_LEDGER}.hpp)

# For scripts/mpirun, which knows what launchers want (MPIEXEC_EXECUTABLE, MPIEXEC_PREFLAGS: FindMPI's); threads and ranks that
# wait let the others work, where a test starts none by it as well. What glibc gives or takes back is filled with this byte, so
# that nobody lives on memory that is freed or happens to be zero.
list(JOIN MPIEXEC_PREFLAGS " " preflags)
string(REGEX REPLACE " +" " " mpiexec "${MPIEXEC_EXECUTABLE} ${preflags} ${MPIEXEC_NUMPROC_FLAG}")
set(GRAVLET_MPI_ENVIRONMENT GRAVLET_MPIEXEC=${mpiexec} OMP_WAIT_POLICY=passive OMPI_MCA_mpi_yield_when_idle=1
    MALLOC_PERTURB_=165)
set(GRAVLET_MPIRUN ${PROJECT_SOURCE_DIR}/scripts/mpirun)

# gravlet_add_mpi_run(name RANKS n COMMAND program argument... [LABELS label...] [NIGHTLY n...] TIMEOUT seconds
#                     [UNDER program argument...]): a ctest of any program, with UNDER in front of the launcher; labelled nightly if n is
# one of NIGHTLY. Its limit is five times what two idle cores take in a release build, or 120
# seconds; without optimisation or with sanitizers, times six.
function(gravlet_add_mpi_run name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "RANKS;TIMEOUT" "COMMAND;LABELS;NIGHTLY;UNDER")
    if(arg_RANKS IN_LIST arg_NIGHTLY)
        list(APPEND arg_LABELS nightly)
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
        math(EXPR arg_TIMEOUT "6 * ${arg_TIMEOUT}")
    endif()
    set(environment ${GRAVLET_MPI_ENVIRONMENT})
    if(arg_RANKS GREATER 1)
        list(APPEND environment OMP_NUM_THREADS=1)
    endif()
    add_test(NAME ${name}
        COMMAND ${arg_UNDER} ${GRAVLET_MPIRUN} ${arg_RANKS} ${arg_COMMAND})
    set_tests_properties(${name} PROPERTIES
        PROCESSORS ${arg_RANKS} TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ENVIRONMENT "${environment}")
endfunction()

function(gravlet_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "ON_GPU;ONLY_ON_GPU;SLOW" "TIMEOUT" "SOURCES;LIBRARIES;RANKS;NIGHTLY;LABELS")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "gravlet_add_test(${name}): no SOURCES, or unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_RANKS)
        set(arg_RANKS 1)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE gravlet_test_main gravlet::internals gravlet_internal ${arg_LIBRARIES})
    if(NOT "${arg_LABELS}" MATCHES "^(unit|backend)$")
        target_compile_options(${name} PRIVATE ${GRAVLET_TEST_OPTIONS})
        target_precompile_headers(${name} REUSE_FROM gravlet_test_main)
    else()
        target_compile_options(${name} PRIVATE
            "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${GRAVLET_TEST_LEDGER}.hpp>")
        if("${arg_LABELS}" STREQUAL "unit")
            target_compile_options(${name} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
        endif()
    endif()
    set(labels ${arg_LABELS})
    if(GRAVLET_CUDA_ENABLED AND (arg_ON_GPU OR arg_ONLY_ON_GPU))
        list(APPEND labels gpu)
    endif()
    set(quick "")
    if("${arg_LABELS}" MATCHES "^(unit|backend|mpi|api)$" AND NOT arg_SLOW AND NOT arg_ONLY_ON_GPU)
        set(quick quick)
    endif()
    foreach(label IN LISTS labels quick)
        if(NOT TARGET gravlet_tests_${label})
            add_custom_target(gravlet_tests_${label})
        endif()
        add_dependencies(gravlet_tests_${label} ${name})
    endforeach()
    string(REGEX REPLACE "_gpu$" "" test ${name})  # the executable of an ONLY_ON_GPU test may be one of two
    foreach(ranks IN LISTS arg_RANKS arg_NIGHTLY)
        set(run RANKS ${ranks} COMMAND $<TARGET_FILE:${name}> TIMEOUT ${arg_TIMEOUT})
        if(NOT arg_ONLY_ON_GPU)
            set(run_labels ${arg_LABELS})
            if(ranks LESS_EQUAL 3 AND NOT ranks IN_LIST arg_NIGHTLY)
                list(APPEND run_labels ${quick})
            endif()
            gravlet_add_mpi_run(${name}/r${ranks} ${run} LABELS ${run_labels} NIGHTLY ${arg_NIGHTLY})
            if(GRAVLET_CUDA_ENABLED)
                set_property(TEST ${name}/r${ranks} APPEND PROPERTY ENVIRONMENT CUDA_VISIBLE_DEVICES=)
            endif()
        endif()
        if("gpu" IN_LIST labels)
            gravlet_add_mpi_run(${test}/gpu/r${ranks} ${run} LABELS ${labels} UNDER sh ${PROJECT_SOURCE_DIR}/tests/if_gpu.sh)
            set_property(TEST ${test}/gpu/r${ranks} APPEND PROPERTY ENVIRONMENT GRAVLET_TEST_GPU=1)
            # One after the other: they would share a device's memory.
            set_tests_properties(${test}/gpu/r${ranks} PROPERTIES SKIP_RETURN_CODE 77 RESOURCE_LOCK gpu)
        endif()
    endforeach()
endfunction()
