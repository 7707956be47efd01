# SPDX-License-Identifier: Apache-2.0
# gravlet_add_test(name SOURCES file... [LIBRARIES target...] [RANKS n...] [LABELS label...] [TIMEOUT seconds])
#
# One GoogleTest executable around tests/mpi_main.cpp, and one ctest `name/rN` a rank count N (default: 1). gravlet and
# gravlet_internal are linked. Several ranks run with one thread each and may share cores. The
# target gravlet_tests_LABEL builds all tests of a label.
find_package(GTest REQUIRED)

add_library(gravlet_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/mpi_main.cpp)
target_link_libraries(gravlet_test_main PUBLIC GTest::gtest MPI::MPI_CXX PRIVATE gravlet_warnings)

# Open MPI's own consent to run as root and to share cores; ranks that wait let the others work.
set(GRAVLET_MPI_ENVIRONMENT
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1)

# gravlet_add_mpi_run(name RANKS n COMMAND program argument... [LABELS label...] [TIMEOUT seconds]): a ctest of any program.
function(gravlet_add_mpi_run name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "RANKS;TIMEOUT" "COMMAND;LABELS")
    set(environment ${GRAVLET_MPI_ENVIRONMENT})
    if(arg_RANKS GREATER 1)
        list(APPEND environment OMP_NUM_THREADS=1)
    endif()
    add_test(NAME ${name}
        COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${arg_RANKS} --oversubscribe --bind-to none ${arg_COMMAND})
    set_tests_properties(${name} PROPERTIES
        PROCESSORS ${arg_RANKS} TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ENVIRONMENT "${environment}")
endfunction()

function(gravlet_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES;RANKS;LABELS")
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
    target_link_libraries(${name} PRIVATE gravlet_test_main gravlet::gravlet gravlet_internal ${arg_LIBRARIES})
    foreach(label IN LISTS arg_LABELS)
        if(NOT TARGET gravlet_tests_${label})
            add_custom_target(gravlet_tests_${label})
        endif()
        add_dependencies(gravlet_tests_${label} ${name})
    endforeach()
    foreach(ranks IN LISTS arg_RANKS)
        gravlet_add_mpi_run(${name}/r${ranks} RANKS ${ranks} COMMAND $<TARGET_FILE:${name}>
            TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABELS})
    endforeach()
endfunction()
