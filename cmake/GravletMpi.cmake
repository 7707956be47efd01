# SPDX-License-Identifier: Apache-2.0
# MPI, and whether what was found beside it was built with the same: two in one program end it, or worse.

# mpi.h's C++ bindings left the standard in 2012 and only bring warnings.
set(MPI_CXX_SKIP_MPICXX ON)
# GLOBAL: a host that adds this repository as a subdirectory links it through gravlet.
find_package(MPI COMPONENTS C CXX GLOBAL)
if(NOT MPI_C_FOUND OR NOT MPI_CXX_FOUND)
    message(FATAL_ERROR "gravlet: no MPI was found for C and C++. On Debian and Ubuntu scripts/install-deps installs one "
        "(libopenmpi-dev); on a cluster load its module. Of one that is elsewhere name the compiler: -D MPI_CXX_COMPILER=/.../mpicxx, "
        "and MPI_C_COMPILER")
endif()

# The MPI libraries (libmpi.so.40, libmpich.so.12) that a shared library has in its own table, in DT_NEEDED or as its name.
function(gravlet_mpi_names file entry out)
    set(names)
    if(CMAKE_READELF AND EXISTS "${file}")
        execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE dynamic ERROR_QUIET)
        string(REGEX MATCHALL "\\(${entry}\\)[^\n]*\\[libmpi[^]\n]*\\]" lines "${dynamic}")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE ".*\\[(libmpi[^]]*)\\]" "\\1" name "${line}")
            if(NOT name MATCHES "^libmpi_(cxx|mpifh|usempi)|^libmpi(ch)?(cxx|fort|f90)")
                list(APPEND names ${name})
            endif()
        endforeach()
    endif()
    set(${out} ${names} PARENT_SCOPE)
endfunction()

# Those of MPI itself: names (nothing where it is static, or no ELF) and, for messages, a file.
set(GRAVLET_MPI_NAMES)
foreach(file IN LISTS MPI_C_LIBRARIES MPI_CXX_LIBRARIES)
    gravlet_mpi_names(${file} SONAME names)
    if(names AND NOT GRAVLET_MPI_NAMES)
        set(GRAVLET_MPI_LIBRARY ${file})
    endif()
    list(APPEND GRAVLET_MPI_NAMES ${names})
endforeach()

# gravlet_other_mpi(library variable): the MPI that a library was built with, if it is another than gravlet's; else empty.
function(gravlet_other_mpi library variable)
    set(${variable} "" PARENT_SCOPE)
    gravlet_mpi_names("${library}" NEEDED needed)
    foreach(name IN LISTS needed)
        if(GRAVLET_MPI_NAMES AND NOT name IN_LIST GRAVLET_MPI_NAMES)
            set(${variable} ${name} PARENT_SCOPE)
        endif()
    endforeach()
endfunction()
