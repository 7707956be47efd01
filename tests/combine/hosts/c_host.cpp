// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/hosts/c_arrays.hpp"
#include "tests/combine/hosts/host.hpp"

namespace gravlet::combine {
namespace {

Answer answer_of(int code) { return code == GRAVLET_SUCCESS ? Answer{} : Answer{code, gravlet_error_message()}; }

class CHost : public Host {
public:
    ~CHost() override { gravlet_destroy(&solver_); }

    Answer create(MPI_Comm comm, const Options& options, bool listener) override {
        const gravlet_options c = c_options(options);
        if (!listener) return answer_of(gravlet_create(comm, &c, &solver_));
        gravlet_listener ear{};
        ear.context = &begun_;
        ear.begin_stage = [](void* begun, const char*) { ++*static_cast<int*>(begun); };
        ear.end_stage = [](void* begun, const char*) { --*static_cast<int*>(begun); };
        return answer_of(gravlet_create_with_listener(comm, &c, &ear, &solver_));
    }

    Answer solve(Arrays& a) override {
        const gravlet_points points = c_points(a.points);
        const gravlet_fields point_fields = c_fields(a.points.results);
        const auto* p = a.has_points ? &points : nullptr;
        const auto* f = a.has_points ? &point_fields : nullptr;
        const gravlet_probes probes = c_probes(a.probes);
        const auto* q = a.has_probes ? &probes : nullptr;
        if (a.has_patches) {
            const std::vector<gravlet_block> blocks = c_blocks(a);
            return answer_of(gravlet_solve_blocks(solver_, static_cast<std::int64_t>(blocks.size()), blocks.data(), p, f, q));
        }
        if (!a.has_mesh) return answer_of(gravlet_solve_points(solver_, p, f, q));
        const gravlet_cells cells = c_cells(a.cells);
        const gravlet_fields fields = c_fields(a.cells.results);
        return answer_of(gravlet_solve_cells(solver_, &cells, &fields, p, f, q));
    }

    Answer set_lengths(const Options& options) override {
        Answer answer = answer_of(gravlet_set_softening(solver_, options.softening));
        if (answer.good() && options.domain)
            answer = answer_of(gravlet_set_domain(solver_, options.domain->lower.data(), options.domain->upper.data()));
        return answer.good() ? answer_of(gravlet_set_shear(solver_, options.shear)) : answer;
    }

    Answer only_changed(const std::vector<std::uint8_t>& flags) override {
        const std::uint8_t* const all = flags.empty() ? nullptr : flags.data();
        return answer_of(gravlet_only_changed(solver_, static_cast<std::int64_t>(flags.size()), all));
    }

    [[nodiscard]] std::string misheard() const override { return begun_ != 0 ? "a stage that has begun has not ended" : ""; }

private:
    int begun_ = 0;
    gravlet_solver* solver_ = nullptr;
};

}  // namespace

std::unique_ptr<Host> make_c_host() { return std::make_unique<CHost>(); }

}  // namespace gravlet::combine
