# SPDX-License-Identifier: Apache-2.0
# gravlet::internals: the library with all of its symbols, for the command, the tests and the benchmarks. A shared library exports
# its public interface alone (include/gravlet/export.h), so that these link an archive of the same objects; with
# GRAVLET_EXPORT_INTERNALS they link the shared library, which then exports everything. A static library's objects are the same.
if(NOT GRAVLET_EXPORT_INTERNALS)
    set_target_properties(gravlet PROPERTIES
        CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON DEFINE_SYMBOL "")
endif()
if(NOT BUILD_SHARED_LIBS OR GRAVLET_EXPORT_INTERNALS)
    add_library(gravlet::internals ALIAS gravlet)
    return()
endif()
target_link_options(gravlet PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
set_property(TARGET gravlet APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
add_library(gravlet_archive STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:gravlet>)
set_target_properties(gravlet_archive PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(gravlet_archive PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_compile_features(gravlet_archive PUBLIC cxx_std_20)
get_target_property(libraries gravlet LINK_LIBRARIES)
target_link_libraries(gravlet_archive PUBLIC ${libraries})
add_library(gravlet::internals ALIAS gravlet_archive)
