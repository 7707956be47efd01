# SPDX-License-Identifier: Apache-2.0
# Each C++ header, compiled as C++17, says first that it needs C++20. Variables: cxx, sources (of the headers, one each), flags.
foreach(source IN LISTS sources)
    execute_process(COMMAND ${cxx} -std=c++17 -fsyntax-only ${flags} ${source} RESULT_VARIABLE status ERROR_VARIABLE errors)
    string(REGEX MATCH "error: [^\n]*" first "${errors}")
    if(status EQUAL 0 OR NOT first MATCHES "need C\\+\\+20: compile with -std=c\\+\\+20")
        message(FATAL_ERROR "${source} in C++17: ended with ${status} and said: ${errors}")
    endif()
endforeach()
