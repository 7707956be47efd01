# SPDX-License-Identifier: Apache-2.0
# What every target of ours shares: the libraries that the solver is written with, warnings, and the repository's root as include
# directory ("solver/tree/build.hpp"). Link gravlet_internal PRIVATE; nothing of it is installed.

include(GravletMpi)
include(GravletOptional)
include(GravletDependencies)

add_library(gravlet_warnings INTERFACE)
target_compile_options(gravlet_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${GRAVLET_WERROR}>:-Werror>>
    # std::array needs no further braces; and what libstdc++ has of its own accord, clang 19 warns of.
    $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang,IntelLLVM>:-Wno-missing-braces;-Wno-deprecated-declarations>
    # g++ 13 sees copies of nothing beyond their arrays where it has inlined fmt.
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds;-Wno-stringop-overflow>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${GRAVLET_WERROR}>>:-Werror=all-warnings>)

add_library(gravlet_internal INTERFACE)
# A host's project that names no build type would have its solves take thirty times as long.
get_property(gravlet_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT PROJECT_IS_TOP_LEVEL AND NOT gravlet_multi_config AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CXX_FLAGS MATCHES "(^| )-O")
    message(STATUS "gravlet: no CMAKE_BUILD_TYPE; gravlet itself is compiled with -O3")
    target_compile_options(gravlet_internal INTERFACE $<$<COMPILE_LANGUAGE:CXX,CUDA>:-O3>)
    target_compile_definitions(gravlet_internal INTERFACE $<$<COMPILE_LANGUAGE:CXX,CUDA>:NDEBUG>)
endif()
target_include_directories(gravlet_internal INTERFACE ${PROJECT_SOURCE_DIR})
# nvcc brings its own Thrust.
target_include_directories(gravlet_internal SYSTEM INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${GRAVLET_THRUST_INCLUDE_DIR}>)
target_compile_definitions(gravlet_internal INTERFACE $<$<COMPILE_LANGUAGE:CXX>:THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP>)
# Every object must agree: such constants are in headers (physics/path_size.hpp).
target_compile_definitions(gravlet_internal INTERFACE $<$<BOOL:${GRAVLET_SMALL_PATHS}>:GRAVLET_SMALL_PATHS>)
target_link_libraries(gravlet_internal INTERFACE
    gravlet_warnings gravlet_threads MPI::MPI_CXX hwy::hwy fmt::fmt $<$<BOOL:${GRAVLET_HDF5_ENABLED}>:hdf5::hdf5>)
