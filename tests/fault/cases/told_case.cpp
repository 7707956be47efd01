// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/cases/told_case.hpp"

#include "tests/api/block_mesh.hpp"

#include <gravlet/solver.hpp>

#include <algorithm>
#include <exception>
#include <span>
#include <stdexcept>

namespace gravlet::test {
namespace {

/// Of few blocks and points the masses change, and few are active. In the next call nothing has changed; a rank that has lost
/// the last solve to a fault looks at all.
class Told : public Trial {
public:
    explicit Told(const Options& options) : solver_(MPI_COMM_WORLD, options) {
        results().resize(array_.data.size() + points_.size());
        blocks_ = between(array_.blocks(mesh_), array_.blocks(mesh_, results().data()));
        flags_.assign(blocks_.size() + points_.size(), 0);
        solve();
        array_.at(0, 1, 1, 1, 0) *= 1.5, flags_.front() = 1;
        points_.mass.back() *= 1.5, flags_.back() = 1;
        for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b].active = b % 3 == 0;
        for (std::size_t i = 0; i < points_.size(); ++i) active_.push_back(i % 20 == 0 ? 1 : 0);
    }
    void call() override {
        say(flags_);
        solve();
        if (solver_.report().unchanged_ranks != world_size()) throw std::logic_error("no tree was kept");
    }
    void again() override {
        say({});
        solve();
    }

private:
    /// A rank that cannot say it tells the others.
    void say(std::span<const std::uint8_t> flags) {
        try {
            solver_.only_changed(flags);
        } catch (...) {
            solver_.abandon(std::current_exception());
        }
    }
    void solve() {
        Points points = points_.points();
        points.active = active_;
        solver_.solve(blocks_, points, {std::span(results()).subspan(array_.data.size()), {}});
    }

    BlockMesh mesh_{{2, 3, 4}};
    FlashArray array_{mesh_, 1};
    BodyArrays points_ = part_of(random_points(2, 60));
    std::vector<std::uint8_t> flags_, active_;
    std::vector<Block> blocks_;
    Solver solver_;
};

}  // namespace

std::unique_ptr<Trial> make_told(const Options& options) { return std::make_unique<Told>(options); }

}  // namespace gravlet::test
