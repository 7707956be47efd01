// SPDX-License-Identifier: Apache-2.0
#include "gpu/walk/walk_launch.cuh"

template void gravlet::launch_walk<4>(const WalkArguments&, cudaStream_t);
