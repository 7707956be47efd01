# SPDX-License-Identifier: Apache-2.0
# For the scripts next to it to source: moves to the repository's root and sets what every build wants.
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
jobs=$(nproc)

if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    export PATH=$PATH:/usr/local/cuda/bin
fi
# CUDA code for the GPU that is here, or else to PTX alone, so that it is compiled at least, in a third of the time (and would be
# slow). CUDAARCHS says otherwise.
if [[ -z ${CUDAARCHS:-} ]]; then
    if nvidia-smi -L >/dev/null 2>&1; then
        export CUDAARCHS=native
    else
        export CUDAARCHS=90-virtual
        if nvcc --help 2>/dev/null | grep -q Ofast-compile; then export CUDAFLAGS=-Ofc=max; fi
    fi
fi
if command -v ccache >/dev/null; then
    # With precompiled headers (cmake/GravletTest.cmake); what is new is not preprocessed first, which took a third of its time again.
    export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
fi

# Builds some targets of a preset: build_preset NAME [cmake --build arguments...]
build_preset() {
    cmake --preset "$1"
    cmake --build --preset "$1" -j "$jobs" "${@:2}"
}
