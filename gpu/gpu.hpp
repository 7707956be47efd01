// SPDX-License-Identifier: Apache-2.0
// The GPU backend for whoever launches no kernels of his own: memory, walk, and the stages, compiled by files of their own
// (gpu/CMakeLists.txt).
#pragma once

#include "gpu/execution/fft.hpp"
#include "gpu/execution/messages.hpp"
#include "gpu/stages/bodies.hpp"
#include "gpu/stages/caller.hpp"
#include "gpu/stages/changed_tree.hpp"
#include "gpu/stages/convolution.hpp"
#include "gpu/stages/near.hpp"
#include "gpu/stages/periodic.hpp"
#include "gpu/stages/precise.hpp"
#include "gpu/stages/tree.hpp"
#include "gpu/transfer/transfer.hpp"
#include "gpu/walk/walk.hpp"
