// SPDX-License-Identifier: Apache-2.0
// p4est calls back through C: what the test throws is kept, and thrown once p4est is done.
#include "amr_adapter/p4est/mesh.hpp"

#include "mpi/agreement.hpp"

#include <gravlet/error.hpp>

#include <p8est.h>
#include <p8est_bits.h>
#include <p8est_extended.h>

#include <exception>
#include <memory>
#include <string>

namespace gravlet {
namespace {

struct Refinement {
    MeshBlock root;
    int max_level;
    const std::function<bool(const MeshBlock&)>& refine;
    std::exception_ptr error;
};

MeshBlock to_block(const MeshBlock& root, const p8est_quadrant_t& quadrant) {
    const double unit = root.side / P8EST_ROOT_LEN;
    return {{root.lower[0] + quadrant.x * unit, root.lower[1] + quadrant.y * unit, root.lower[2] + quadrant.z * unit},
            P8EST_QUADRANT_LEN(quadrant.level) * unit,
            quadrant.level + 1};
}

int refine_quadrant(p8est_t* forest, p4est_topidx_t, p8est_quadrant_t* quadrant) {
    auto& refinement = *static_cast<Refinement*>(forest->user_pointer);
    if (quadrant->level + 1 >= refinement.max_level || refinement.error) return 0;
    try {
        return refinement.refine(to_block(refinement.root, *quadrant)) ? 1 : 0;
    } catch (...) {
        refinement.error = std::current_exception();
        return 0;
    }
}

// p4est prints to stdout and catches signals unless told not to; a host that has set it up already keeps its own choice.
void silence_p4est() {
    if (sc_package_id >= 0) return;
    sc_init(sc_MPI_COMM_NULL, 0, 0, nullptr, SC_LP_SILENT);
    p4est_init(nullptr, SC_LP_SILENT);
}

using Connectivity = std::unique_ptr<p8est_connectivity_t, decltype(&p8est_connectivity_destroy)>;
using Forest = std::unique_ptr<p8est_t, decltype(&p8est_destroy)>;

}  // namespace

std::vector<MeshBlock> make_mesh(MPI_Comm comm, const MeshBlock& root, int max_level,
                                 const std::function<bool(const MeshBlock&)>& refine,
                                 const std::function<void(std::int64_t)>& grown) {
    if (max_level < 1 || max_level > mesh_max_level)
        throw Error(ErrorCode::invalid_option,
                    "max_level is " + std::to_string(max_level) + ": it must be 1 to " + std::to_string(mesh_max_level));
    silence_p4est();
    Refinement refinement{root, max_level, refine, nullptr};
    const Connectivity connectivity(p8est_connectivity_new_unitcube(), &p8est_connectivity_destroy);
    const Forest forest(p8est_new_ext(comm, connectivity.get(), 0, 0, 1, 0, nullptr, &refinement), &p8est_destroy);

    for (p4est_gloidx_t before = 0; before != forest->global_num_quadrants;) {
        before = forest->global_num_quadrants;
        p8est_refine(forest.get(), 0, refine_quadrant, nullptr);
        agree(comm, [&] {
            if (refinement.error) std::rethrow_exception(refinement.error);
        });
        if (grown) grown(forest->global_num_quadrants);
        p8est_partition(forest.get(), 0, nullptr);
    }
    p8est_balance(forest.get(), P8EST_CONNECT_FACE, nullptr);
    if (grown) grown(forest->global_num_quadrants);
    p8est_partition(forest.get(), 0, nullptr);

    std::vector<MeshBlock> blocks;
    agree(comm, [&] { blocks.reserve(static_cast<std::size_t>(forest->local_num_quadrants)); });
    for (p4est_topidx_t tree = forest->first_local_tree; tree <= forest->last_local_tree; ++tree) {
        sc_array_t& quadrants = p8est_tree_array_index(forest->trees, tree)->quadrants;
        for (std::size_t i = 0; i < quadrants.elem_count; ++i)
            blocks.push_back(to_block(root, *p8est_quadrant_array_index(&quadrants, i)));
    }
    return blocks;
}

}  // namespace gravlet
