// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/hosts/host.hpp"

#include <gravlet/solver.hpp>

#include <optional>

namespace gravlet::combine {
namespace {

struct Ear : Listener {
    int begun = 0;
    std::string wrong;

    void warning(const char* text) override {
        if (*text == '\0') wrong = "a warning without text";
    }
    void begin_stage(const char* stage) override {
        if (++begun != 1) wrong = std::string("stage ") + stage + " begins in another";
    }
    void end_stage(const char* stage) override {
        if (--begun != 0) wrong = std::string("stage ") + stage + " ends that has not begun";
    }
    void progress(const char* what, double done) override {
        if (!(done >= 0.0 && done <= 1.0)) wrong = std::string(what) + " is done by " + std::to_string(done);
    }
};

template <class F>
Answer answer_of(F call) {
    try {
        call();
    } catch (const Error& error) {
        return {static_cast<int>(error.code()), error.what()};
    } catch (const std::exception& error) {
        return {Answer::other, error.what()};
    }
    return {};
}

class CppHost : public Host {
public:
    Answer create(MPI_Comm comm, const Options& options, bool listener) override {
        if (listener) ear_ = std::make_shared<Ear>();
        return answer_of([&] { solver_.emplace(comm, options, ear_); });
    }

    Answer solve(Arrays& a) override {
        return answer_of([&] {
            if (a.has_patches) {
                if (a.has_points) return solver_->solve(a.blocks, points(a), a.points.results.fields(), probes(a));
                return solver_->solve(a.blocks, probes(a));
            }
            if (!a.has_mesh) return solver_->solve(points(a), a.points.results.fields(), probes(a));
            if (!a.has_points) return solver_->solve(cells(a), a.cells.results.fields(), probes(a));
            return solver_->solve(cells(a), a.cells.results.fields(), points(a), a.points.results.fields(), probes(a));
        });
    }

    Answer set_lengths(const Options& options) override {
        return answer_of([&] {
            solver_->set_softening(options.softening);
            if (options.domain) solver_->set_domain(*options.domain);
            solver_->set_shear(options.shear);
        });
    }

    Answer only_changed(const std::vector<std::uint8_t>& flags) override {
        return answer_of([&] { solver_->only_changed(flags); });
    }

    [[nodiscard]] std::string misheard() const override {
        if (!ear_) return "";
        return ear_->begun != 0 ? "a stage that has begun has not ended" : ear_->wrong;
    }

private:
    static Cells cells(Arrays& a) {
        auto& [x, side, mass, softening, active, source_class, results, number] = a.cells;
        return {x[0].span(),    x[1].span(), x[2].span(), side[0].span(), side[1].span(),
                side[2].span(), mass.span(), active,      source_class};
    }
    static Points points(Arrays& a) {
        auto& [x, side, mass, softening, active, source_class, results, number] = a.points;
        return {x[0].span(), x[1].span(), x[2].span(), mass.span(), active, softening.span(), source_class};
    }
    static Probes probes(Arrays& a) {
        return {a.probes.x[0].span(), a.probes.x[1].span(), a.probes.x[2].span(), a.probes.results.fields()};
    }

    std::shared_ptr<Ear> ear_;
    std::optional<Solver> solver_;
};

}  // namespace

std::unique_ptr<Host> make_cpp_host() { return std::make_unique<CppHost>(); }

}  // namespace gravlet::combine
