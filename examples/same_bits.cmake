# SPDX-License-Identifier: Apache-2.0
# Runs several programs and compares their lines that begin with "density". Variables: run; programs, each
# with its arguments behind it, words divided by |.
foreach(program IN LISTS programs)
    string(REPLACE "|" ";" command "${program}")
    execute_process(COMMAND ${run} ${command} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "density [^\n]*" lines "${output}")
    message("${program}\n  ${lines}")
    if(NOT lines)
        message(FATAL_ERROR "no line of ${program} begins with \"density\"")
    endif()
    if(NOT DEFINED expected)
        set(expected "${lines}")
    endif()
    if(NOT lines STREQUAL expected)
        message(FATAL_ERROR "${program} got other bits than the first program")
    endif()
endforeach()
