// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/cases/c_case.hpp"

#include "tests/api/block_mesh.hpp"
#include "tests/fault/cases/case_arrays.hpp"
#include "tests/hosts/c/c_arrays.hpp"

#include <gravlet/gravlet.h>

#include <algorithm>
#include <vector>

namespace gravlet::test {
namespace {

/// C's codes as errors. They are thrown after the call that the fault hits.
void check_c(int code) {
    if (code != GRAVLET_SUCCESS) throw Error(static_cast<ErrorCode>(code), gravlet_error_message());
}

class InC : public Trial {
public:
    explicit InC(CCall call) : call_(call), array_(mesh_, 1) {
        gravlet_options_init(&options_);
        options_.backend = static_cast<std::int32_t>(base().backend);
        options_.threads = base().threads;
        const std::vector<Block> densities = array_.blocks(mesh_);
        results().resize(std::max(array_.data.size(), result_count * arrays_.size()));
        for (const Block& b : array_.blocks(mesh_, results().data())) {
            const Block& from = densities[blocks_.size()];
            gravlet_block& block = blocks_.emplace_back();
            std::ranges::copy(b.lower, block.lower);
            std::ranges::copy(b.cell_size, block.cell_size);
            std::ranges::copy(b.n, block.n);
            std::ranges::copy(b.stride, block.stride);
            block.density = from.density.doubles();
            block.potential = b.potential.doubles();
        }
        if (call != CCall::create) make();
    }
    ~InC() override { gravlet_destroy(&solver_); }

    void call() override {
        if (call_ == CCall::create) return make();
        solve();
    }
    void again() override {
        if (call_ == CCall::create) make();
        solve();
    }

private:
    void make() {
        gravlet_destroy(&solver_);
        check_c(gravlet_create(MPI_COMM_WORLD, &options_, &solver_));
    }
    void solve() {
        const gravlet_cells cells = c_cells(arrays_.mesh);
        const gravlet_points points = c_points(arrays_.points);
        double* const to = results().data();
        const gravlet_fields cell_fields{to, {}, {}, 0}, point_fields{to + result_count * arrays_.mesh.size(), {}, {}, 0};
        switch (call_) {
            case CCall::create:
            case CCall::cells:
                return check_c(gravlet_solve_cells(solver_, &cells, &cell_fields, &points, &point_fields, nullptr));
            case CCall::points: return check_c(gravlet_solve_points(solver_, &points, &point_fields, nullptr));
            case CCall::blocks:
                return check_c(gravlet_solve_blocks(solver_, static_cast<std::int64_t>(blocks_.size()), blocks_.data(), &points,
                                                    nullptr, nullptr));
        }
    }

    CCall call_;
    gravlet_options options_{};
    gravlet_solver* solver_ = nullptr;
    Arrays arrays_{{.points = 40}};
    BlockMesh mesh_{{2, 3, 4}};
    FlashArray array_;
    std::vector<gravlet_block> blocks_;
};

}  // namespace

std::unique_ptr<Trial> make_in_c(CCall call) { return std::make_unique<InC>(call); }

}  // namespace gravlet::test
