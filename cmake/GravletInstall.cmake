# SPDX-License-Identifier: Apache-2.0
# The installed package: headers, library, gravletConfig.cmake, the command and its plot script.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gravlet)
install(TARGETS gravlet EXPORT gravletTargets FILE_SET HEADERS)
install(EXPORT gravletTargets NAMESPACE gravlet:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gravletConfig.cmake.in ${PROJECT_BINARY_DIR}/gravletConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gravletConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gravletConfig.cmake ${PROJECT_BINARY_DIR}/gravletConfigVersion.cmake
    DESTINATION ${package_dir})
