# SPDX-License-Identifier: Apache-2.0
# What gravlet uses where it is there, or where the user says so: gravlet_optional(NAME use cost) sets GRAVLET_NAME_ENABLED by
# GRAVLET_NAME (ON, OFF, AUTO), and says at configuration what is lost without it.
macro(gravlet_optional name use cost)
    string(TOUPPER ${name} upper)
    set(GRAVLET_${upper} AUTO CACHE STRING "${use}: ON, OFF, or AUTO (where there is ${name})")
    set_property(CACHE GRAVLET_${upper} PROPERTY STRINGS AUTO ON OFF)
    set(GRAVLET_${upper}_ENABLED OFF)
    if(GRAVLET_${upper})
        if(GRAVLET_${upper} STREQUAL AUTO)
            find_package(${name} COMPONENTS ${ARGN} GLOBAL)
        else()
            find_package(${name} REQUIRED COMPONENTS ${ARGN} GLOBAL)
        endif()
        set(GRAVLET_${upper}_ENABLED ${${name}_FOUND})
    endif()
    if(NOT GRAVLET_${upper}_ENABLED)
        message(STATUS "gravlet: no ${name}, ${cost}")
    endif()
endmacro()
gravlet_optional(OpenMP "Use several threads a rank" "one thread a rank" CXX)
gravlet_optional(FFTW "Sum uniform meshes by convolutions on CPUs" "uniform meshes are summed by trees on CPUs")
gravlet_optional(HDF5 "Keep Ewald tables in files; the command's own files" "no ewald_cache, and no gravlet command" C)
foreach(library IN LISTS HDF5_C_LIBRARIES)
    gravlet_other_mpi(${library} other)
    if(GRAVLET_HDF5_ENABLED AND other)
        message(FATAL_ERROR "gravlet: ${library} was built with another MPI (${other}) than gravlet is (${GRAVLET_MPI_LIBRARY}); "
            "HDF5_ROOT names another HDF5 (a serial one is enough), GRAVLET_HDF5=OFF goes without")
    endif()
endforeach()

# Threads are OpenMP's, ours and Thrust's; without it a header in its place says that there is one.
add_library(gravlet_threads INTERFACE)
if(GRAVLET_OPENMP_ENABLED)
    target_link_libraries(gravlet_threads INTERFACE OpenMP::OpenMP_CXX)
    target_compile_definitions(gravlet_threads INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP>)
else()
    target_include_directories(gravlet_threads INTERFACE ${PROJECT_SOURCE_DIR}/cmake/one_thread)
    target_compile_definitions(gravlet_threads INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP>)
    target_compile_options(gravlet_threads INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-pragmas;-Wno-unused-parameter>)
endif()
