// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/p4est/mesh.hpp"

#include <gravlet/error.hpp>

namespace gravlet {

std::vector<MeshBlock> make_mesh(MPI_Comm, const MeshBlock&, int, const std::function<bool(const MeshBlock&)>&,
                                 const std::function<void(std::int64_t)>&) {
    throw Error(ErrorCode::not_available,
                "problem: this one needs a mesh, and gravlet was built without p4est, which makes them");
}

}  // namespace gravlet
