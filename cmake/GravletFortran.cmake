# SPDX-License-Identifier: Apache-2.0
# Whether the Fortran module is built (GRAVLET_FORTRAN_ENABLED).
set(GRAVLET_FORTRAN AUTO CACHE STRING "Build the Fortran module: ON, OFF, or AUTO (where there is a Fortran compiler)")
set_property(CACHE GRAVLET_FORTRAN PROPERTY STRINGS AUTO ON OFF)
set(GRAVLET_FORTRAN_ENABLED OFF)
if(NOT GRAVLET_FORTRAN)
    return()
endif()
include(CheckLanguage)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
    if(NOT GRAVLET_FORTRAN STREQUAL AUTO)
        message(FATAL_ERROR
            "GRAVLET_FORTRAN is ${GRAVLET_FORTRAN}, but there is no Fortran compiler (set FC or CMAKE_Fortran_COMPILER)")
    endif()
    message(STATUS "gravlet: no Fortran compiler, no Fortran module")
    return()
endif()
enable_language(Fortran)
# The module itself needs no MPI: a communicator is an integer. Our example and tests do.
find_package(MPI QUIET COMPONENTS Fortran GLOBAL)
if(TARGET MPI::MPI_Fortran)  # what its compiler wants (Debian's MPICH) is nothing that C++ may be told, which links to both
    get_target_property(options MPI::MPI_Fortran INTERFACE_COMPILE_OPTIONS)
    if(options)
        set_property(TARGET MPI::MPI_Fortran PROPERTY INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:Fortran>:${options}>")
    endif()
endif()
# What our own sources are compiled with. gfortran takes the descriptors of allocatable arrays for uninitialized now and then.
set(GRAVLET_FORTRAN_OPTIONS)
if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
    set(GRAVLET_FORTRAN_OPTIONS
        -std=f2008 -Wall -Wextra -Wno-uninitialized -Wno-maybe-uninitialized $<$<BOOL:${GRAVLET_WERROR}>:-Werror>)
endif()
set(GRAVLET_FORTRAN_ENABLED ON)
message(STATUS "gravlet: Fortran module, ${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION}")
