# SPDX-License-Identifier: Apache-2.0
# Steps of the install test; any that fails ends it. Variables: see CMakeLists.txt.
file(REMOVE_RECURSE ${work})

function(step)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator} -D CMAKE_PREFIX_PATH=${work}/prefix
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_BUILD_TYPE=${build_type})
step(${CMAKE_COMMAND} --build ${work}/build)
step(${mpiexec} -n 2 --oversubscribe --bind-to none ${work}/build/consumer)
if(EXISTS ${work}/prefix/bin/gravlet)
    step(${work}/prefix/bin/gravlet info)
endif()
