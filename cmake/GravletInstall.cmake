# SPDX-License-Identifier: Apache-2.0
# The installed package: headers, library, gravletConfig.cmake and gravlet.pc. The command, its plot script and the Fortran module
# are installed where they are built.
include(CMakePackageConfigHelpers)

# What a link by another compiler than the C++ one lacks.
set(gravlet_runtime_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM gravlet_runtime_libraries ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_DUPLICATES gravlet_runtime_libraries)

# ---- CMake: find_package(gravlet).
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gravlet)
install(TARGETS gravlet EXPORT gravletTargets FILE_SET HEADERS)
install(EXPORT gravletTargets NAMESPACE gravlet:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gravletConfig.cmake.in ${PROJECT_BINARY_DIR}/gravletConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gravletConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gravletConfig.cmake ${PROJECT_BINARY_DIR}/gravletConfigVersion.cmake
    DESTINATION ${package_dir})

if(GRAVLET_BUNDLED)  # the licences of what is inside
    foreach(file IN ITEMS fmt/LICENSE.rst highway/LICENSE thrust/copyright)
        get_filename_component(library ${file} DIRECTORY)
        install(FILES ${GRAVLET_THIRD_PARTY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/gravlet/licenses/${library})
    endforeach()
endif()

# ---- The unit for FLASH4 and Flash-X, which a code links into its own tree (docs/flash.md).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/amr_adapter/flash/source/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gravlet/flash)

# ---- pkg-config: gravlet.pc, gravlet_fortran.pc. Prefixes relative to the file, so that the installation can be moved.
# gravlet_link_flags(variable library...): -L and -l of libraries by path or name. So a host whose own -L comes first, such as
# that of a parallel HDF5, decides which of several it gets.
function(gravlet_link_flags variable)
    set(flags)
    foreach(library IN LISTS ARGN)
        get_filename_component(dir ${library} DIRECTORY)
        get_filename_component(name ${library} NAME_WE)
        string(REGEX REPLACE "^(lib|-l)" "" name ${name})
        if(dir AND NOT dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
            list(APPEND flags -L${dir})
        endif()
        list(APPEND flags -l${name})
    endforeach()
    list(JOIN flags " " flags)
    set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# A shared HDF5 knows its own libraries; those of a static one are in the list.
set(hdf5_libraries ${HDF5_C_LIBRARIES})
if(hdf5_libraries MATCHES "^[^;]*\\.so")
    list(GET hdf5_libraries 0 library)
    set(hdf5_libraries ${library})
endif()
set(cuda_libraries)
if(GRAVLET_CUDA_ENABLED)
    set(cuda_libraries ${CUDA_cudart_static_LIBRARY} ${CUDA_cufft_LIBRARY} rt ${CMAKE_DL_LIBS})
endif()
set(fftw_libraries)
if(GRAVLET_FFTW_ENABLED)
    set(fftw_libraries ${FFTW_LIBRARY})
endif()
gravlet_link_flags(pkgconfig_libs_private
    ${hdf5_libraries} ${fftw_libraries} ${OpenMP_CXX_LIBRARIES} ${cuda_libraries} ${gravlet_runtime_libraries})
if(GRAVLET_NEEDS_FMT)
    string(PREPEND pkgconfig_libs_private "-L$<TARGET_LINKER_FILE_DIR:fmt::fmt> -lfmt ")
endif()
if(GRAVLET_NEEDS_HWY)
    string(PREPEND pkgconfig_libs_private "-L$<TARGET_LINKER_FILE_DIR:hwy::hwy> -lhwy_contrib -lhwy ")
endif()
set(pkgconfig_libs)
if(NOT BUILD_SHARED_LIBS)
    set(pkgconfig_libs ${pkgconfig_libs_private})
    set(pkgconfig_libs_private)
endif()

set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(pkgconfig_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH to_prefix /${pkgconfig_dir} /)
    string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
    set(pkgconfig_prefix \${pcfiledir}/${to_prefix})
endif()
foreach(dir libdir includedir)
    string(TOUPPER ${dir} variable)
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${variable}})
        set(pkgconfig_${dir} ${CMAKE_INSTALL_${variable}})
    else()
        set(pkgconfig_${dir} \${prefix}/${CMAKE_INSTALL_${variable}})
    endif()
endforeach()

set(pc_files gravlet)
if(TARGET gravlet_fortran)
    list(APPEND pc_files gravlet_fortran)
endif()
foreach(name IN LISTS pc_files)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc.genex @ONLY)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${name}.pc INPUT ${PROJECT_BINARY_DIR}/${name}.pc.genex)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
endforeach()
