// SPDX-License-Identifier: Apache-2.0
// The tests' bodies as gravlet.h takes them.
#pragma once

#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/gravlet.h>

#include <memory>

namespace gravlet::test {

inline const double* or_null(const std::vector<double>& values) { return values.empty() ? nullptr : values.data(); }

inline gravlet_cells c_cells(const BodyArrays& b, const std::uint8_t* active = nullptr) {
    return {static_cast<std::int64_t>(b.size()),
            b.x.data(),
            b.y.data(),
            b.z.data(),
            b.dx.data(),
            or_null(b.dy),
            or_null(b.dz),
            b.mass.data(),
            active,
            0,
            nullptr};
}

inline gravlet_points c_points(const BodyArrays& b, const double* softening = nullptr) {
    return {
        static_cast<std::int64_t>(b.size()), b.x.data(), b.y.data(), b.z.data(), b.mass.data(), nullptr, softening, 0, nullptr};
}

inline gravlet_fields c_fields(Result& result) {
    return {result.potential.data(),
            {result.acceleration[0].data(), result.acceleration[1].data(), result.acceleration[2].data()},
            {},
            0};
}

inline gravlet_fields all_c_fields(Result& result) {
    gravlet_fields fields = c_fields(result);
    for (std::size_t k = 0; k < 6; ++k) fields.tidal[k] = result.tidal[k].data();
    return fields;
}

inline gravlet_options c_options() {
    gravlet_options options;
    gravlet_options_init(&options);
    return options;
}

/// Owns a handle. Fails the test if it cannot be made.
class CSolver {
public:
    explicit CSolver(const gravlet_options& options) { EXPECT_EQ(gravlet_create(MPI_COMM_WORLD, &options, &handle_), 0); }
    ~CSolver() { EXPECT_EQ(gravlet_destroy(&handle_), 0); }
    CSolver(const CSolver&) = delete;
    CSolver& operator=(const CSolver&) = delete;
    operator gravlet_solver*() const { return handle_; }

private:
    gravlet_solver* handle_ = nullptr;
};

/// Collective: a call's code and message, which must be the same on every rank.
template <class F>
Caught agreed_in_c(F&& call) {
    return agreed([&] {
        const int code = call();
        if (code != GRAVLET_SUCCESS) throw Error(static_cast<ErrorCode>(code), gravlet_error_message());
    });
}

}  // namespace gravlet::test
