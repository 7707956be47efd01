// SPDX-License-Identifier: Apache-2.0
// The host of fortran_host.F90. One at a time.
#include "tests/combine/hosts/c_arrays.hpp"
#include "tests/combine/hosts/host.hpp"

namespace gravlet::combine {
namespace {

constexpr std::size_t message_length = 4096;

extern "C" {
int combine_create(int comm, const gravlet_options* options, int listens, char* message);
void combine_destroy();
int combine_begun();
int combine_solve_cells(const gravlet_cells* cells, const gravlet_fields* fields, const gravlet_points* points,
                        const gravlet_fields* point_fields, int single, char* message);
int combine_solve_blocks(int count, const gravlet_block* blocks, const gravlet_points* points, const gravlet_fields* point_fields,
                         int single, char* message);
int combine_set_lengths(double softening, const Box* domain, double shear, char* message);
int combine_only_changed(std::int64_t count, const std::uint8_t* changed, char* message);
int combine_solve_points(const gravlet_points* points, const gravlet_fields* fields, int single, char* message);
}

template <class Call>
Answer answer_of(Call call) {
    std::array<char, message_length> message{};
    const int code = call(message.data());
    return code == 0 ? Answer{} : Answer{code, message.data()};
}

class FortranHost : public Host {
public:
    ~FortranHost() override { combine_destroy(); }

    Answer create(MPI_Comm comm, const Options& options, bool listener) override {
        const gravlet_options c = c_options(options);
        return answer_of([&](char* m) { return combine_create(MPI_Comm_c2f(comm), &c, listener ? 1 : 0, m); });
    }

    Answer solve(Arrays& a) override {
        const gravlet_points points = c_points(a.points);
        const gravlet_fields point_fields = c_fields(a.points.results);
        const auto* p = a.has_points ? &points : nullptr;
        const auto* f = a.has_points ? &point_fields : nullptr;
        const int single = a.cells.mass.single() ? 1 : 0;
        if (a.has_patches) {
            std::vector<gravlet_block> blocks = c_blocks(a);
            const int count = static_cast<int>(blocks.size());
            return answer_of([&](char* m) { return combine_solve_blocks(count, blocks.data(), p, f, single, m); });
        }
        if (!a.has_mesh) return answer_of([&](char* m) { return combine_solve_points(p, f, single, m); });
        const gravlet_cells cells = c_cells(a.cells);
        const gravlet_fields fields = c_fields(a.cells.results);
        return answer_of([&](char* m) { return combine_solve_cells(&cells, &fields, p, f, single, m); });
    }

    Answer set_lengths(const Options& options) override {
        const Box* const domain = options.domain ? &*options.domain : nullptr;
        return answer_of([&](char* m) { return combine_set_lengths(options.softening, domain, options.shear, m); });
    }

    Answer only_changed(const std::vector<std::uint8_t>& flags) override {
        const std::uint8_t* const all = flags.empty() ? nullptr : flags.data();
        return answer_of([&](char* m) { return combine_only_changed(static_cast<std::int64_t>(flags.size()), all, m); });
    }

    [[nodiscard]] std::string misheard() const override {
        return combine_begun() != 0 ? "a stage that has begun has not ended" : "";
    }
};

}  // namespace

std::unique_ptr<Host> make_fortran_host() { return std::make_unique<FortranHost>(); }

}  // namespace gravlet::combine
