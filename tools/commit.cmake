# SPDX-License-Identifier: Apache-2.0
# cmake -D SOURCE=... -D OUTPUT=... -P commit.cmake: writes the source file that knows the commit, anew only where it has changed, so
# that a build after a commit compiles that file and links the command. A tarball, and what lies in another project's repository,
# has no commit of its own.
set(commit unknown)
find_program(git git)
if(git)
    execute_process(COMMAND ${git} --no-optional-locks -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(REAL_PATH ${SOURCE} source)
    if(top STREQUAL source)
        execute_process(COMMAND ${git} --no-optional-locks -C ${SOURCE} describe --always --tags --dirty --abbrev=12
            RESULT_VARIABLE failed OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(NOT failed)
            set(commit ${found})
        endif()
    endif()
endif()
set(text "// Written by tools/commit.cmake.\n#include \"tools/commit.hpp\"\n\nnamespace gravlet {\nconst char* commit() { return \"${commit}\"; }\n}\n")
set(before "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
    file(WRITE ${OUTPUT} "${text}")
endif()
