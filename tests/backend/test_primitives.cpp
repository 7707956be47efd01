// SPDX-License-Identifier: Apache-2.0
// What the solver is written with, for sizes around those of blocks and chunks.
#include "physics/keys.hpp"
#include "tests/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace gravlet::test {

using Words = std::vector<std::uint32_t>;
using KeyList = std::vector<key_type>;

constexpr std::size_t sizes[] = {0, 1, 2, 31, 255, 256, 257, 4097, 300'000};

Words squares(const Backend& exec, std::size_t n) {
    auto out = exec.buffer<std::uint32_t>();
    out.resize_discard(n);
    std::uint32_t* const to = out.data();
    for_each(exec, n, [=] GRAVLET_HD(std::size_t i) { to[i] = static_cast<std::uint32_t>(i * i); });
    return on_host(exec, out);
}

struct Extent {
    double least, most;
    std::uint64_t sum;
    friend bool operator==(const Extent&, const Extent&) = default;
};

Extent extent(const Backend& exec, const std::vector<double>& values, const Extent& none) {
    const auto buffer = on_backend(exec, values);
    const double* const x = buffer.data();
    return transform_reduce(
        exec, values.size(),
        [=] GRAVLET_HD(std::size_t i) {
            return Extent{x[i], x[i], i};
        },
        none,
        [] GRAVLET_HD(const Extent& a, const Extent& b) {
            return Extent{a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most, a.sum + b.sum};
        });
}

/// The condition is asked of all: each adds to what is counted.
std::pair<bool, Words> any_equal(const Backend& exec, const Words& values, std::uint32_t wanted) {
    auto asked = on_backend(exec, Words(values.size()));
    const auto buffer = on_backend(exec, values);
    const std::uint32_t* const value = buffer.data();
    std::uint32_t* const count = asked.data();
    const bool found = any_of(exec, values.size(), [=] GRAVLET_HD(std::size_t i) {
        ++count[i];
        return value[i] == wanted;
    });
    return {found, on_host(exec, asked)};
}

/// For each i, the odd ones of values [0, i) as a team finds them: their places in order.
std::vector<Words> odd_by_teams(const Backend& exec, const Words& values) {
    const std::size_t n = values.size();
    const auto in = on_backend(exec, values);
    auto out = exec.template buffer<std::uint32_t>();
    out.resize_discard(n * n);
    const std::uint32_t* const value = in.data();
    std::uint32_t* const to = out.data();
    for_each(exec, n * n, [=] GRAVLET_HD(std::size_t i) { to[i] = ~0u; });
    for_each_team<32>(exec, n, [=] GRAVLET_HD(std::size_t i, const Backend::Team<32>& team) {
        std::uint32_t next = 0, found = 0;
        for (std::size_t first = 0; first < i; first += team.size, next += found) {
            const std::size_t k = first + team.rank();
            const bool odd = k < i && value[k] % 2 != 0;
            const std::uint32_t at = next + team.count_before(odd, found);
            if (odd) to[n * i + at] = static_cast<std::uint32_t>(k);
        }
    });
    const Words flat = on_host(exec, out);
    std::vector<Words> rows;
    for (std::size_t i = 0; i < n; ++i)
        rows.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(n * i),
                          flat.begin() + static_cast<std::ptrdiff_t>(n * (i + 1)));
    return rows;
}

/// What a team of lanes finds in values [0, i) for each i: their sum, least and most.
std::vector<Words> found_by_teams(const Backend& exec, const Words& values) {
    const std::size_t n = values.size();
    const auto buffer = on_backend(exec, values);
    auto out = exec.buffer<std::uint32_t>();
    out.resize_discard(3 * n);
    const std::uint32_t* const value = buffer.data();
    std::uint32_t* const to = out.data();
    for_each_team<8>(exec, n, [=] GRAVLET_HD(std::size_t i, const Backend::Team<8>& team) {
        std::uint32_t sum = 0, least = ~0u, most = 0;
        for (std::size_t k = team.rank(); k < i; k += team.size) {
            sum += value[k];
            least = value[k] < least ? value[k] : least;
            most = value[k] > most ? value[k] : most;
        }
        sum = team.sum(sum), least = team.least(least), most = team.most(most);
        if (team.rank() == team.size - 1) to[i] = sum, to[n + i] = least, to[2 * n + i] = most;
    });
    const Words all = on_host(exec, out);
    const auto part = [&](std::size_t k) {
        return Words(all.begin() + static_cast<std::ptrdiff_t>(k * n), all.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
    };
    return {part(0), part(1), part(2)};
}

/// For each i, values [0, i) in parts that a team's lanes have in order: how many lanes are told another sum of the parts before
/// theirs than that is.
template <std::uint32_t Size>
Words wrong_before_by_teams(const Backend& exec, const Words& values) {
    const std::size_t n = values.size();
    const auto buffer = on_backend(exec, values);
    auto out = exec.buffer<std::uint32_t>();
    out.resize_discard(n);
    const std::uint32_t* const value = buffer.data();
    std::uint32_t* const to = out.data();
    for_each_team<Size>(exec, n, [=] GRAVLET_HD(std::size_t i, const Backend::Team<Size>& team) {
        const std::size_t first = i * team.rank() / team.size, end = i * (team.rank() + 1) / team.size;
        std::uint32_t before = 0, own = 0;
        for (std::size_t k = 0; k < first; ++k) before += value[k];
        for (std::size_t k = first; k < end; ++k) own += value[k];
        const std::uint32_t wrong = team.sum(team.sum_before(own) != before ? 1u : 0u);
        if (team.rank() == 0) to[i] = wrong;
    });
    return on_host(exec, out);
}

Words selected(const Backend& exec, const Words& values, std::uint32_t divisor) {
    const auto buffer = on_backend(exec, values);
    const std::uint32_t* const value = buffer.data();
    auto out = exec.buffer<std::uint32_t>();
    out.resize_discard(values.size());
    const std::size_t count =
        select_indices(exec, values.size(), out.data(), [=] GRAVLET_HD(std::size_t i) { return value[i] % divisor == 0; });
    return on_host(exec, out.data(), count);
}

KeyList keys_on_backend(const Backend& exec, const std::vector<Vector3>& points, bool lower) {
    const auto buffer = on_backend(exec, points);
    const Vector3* const p = buffer.data();
    auto keys = exec.buffer<key_type>();
    keys.resize_discard(points.size());
    key_type* const to = keys.data();
    for_each(exec, points.size(), [=] GRAVLET_HD(std::size_t i) {
        to[i] = lower ? lower_hilbert_key(p[i].x, p[i].y, p[i].z) : hilbert_key(p[i].x, p[i].y, p[i].z);
    });
    return on_host(exec, keys);
}

namespace {

class Primitives : public testing::Test {
protected:
    Words random_words(std::size_t n, std::uint32_t most) {
        Words words(n);
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random() % (std::uint64_t{most} + 1));
        return words;
    }

    std::mt19937_64 random{17};
    Machine machine{2};
    Backend exec = machine.exec();
};

TEST_F(Primitives, ForEach) {
    for (const std::size_t n : sizes) {
        const Words got = squares(exec, n);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], static_cast<std::uint32_t>(i * i)) << n;
    }
}

template <class T>
void expect_scan(const Backend& exec, const std::vector<T>& values) {
    std::vector<T> expected(values.size());
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{});
    const T total = std::accumulate(values.begin(), values.end(), T{});
    auto in = on_backend(exec, values), out = exec.template buffer<T>();
    out.resize_discard(values.size());
    EXPECT_EQ(exclusive_scan(exec, in.data(), out.data(), values.size()), total) << values.size();
    EXPECT_EQ(on_host(exec, out), expected);
    EXPECT_EQ(exclusive_scan(exec, in.data(), in.data(), values.size()), total) << values.size();
    EXPECT_EQ(on_host(exec, in), expected);
}

TEST_F(Primitives, ExclusiveScan) {
    for (const std::size_t n : sizes) {
        const Words words = random_words(n, 1000);
        expect_scan(exec, words);
        expect_scan(exec, std::vector<std::size_t>(words.begin(), words.end()));
    }
}

TEST_F(Primitives, TransformReduce) {
    const Extent none{1e300, -1e300, 7};
    std::normal_distribution<double> normal;
    for (const std::size_t n : sizes) {
        std::vector<double> values(n);
        for (double& value : values) value = normal(random);
        Extent expected = none;
        for (std::size_t i = 0; i < n; ++i)
            expected = {std::min(expected.least, values[i]), std::max(expected.most, values[i]), expected.sum + i};
        EXPECT_EQ(extent(exec, values, none), expected) << n;
    }
}

TEST_F(Primitives, SelectIndices) {
    for (const std::size_t n : sizes) {
        const Words words = random_words(n, 1'000'000'000);
        for (const std::uint32_t divisor : {1u, 3u, 4'000'000'000u}) {
            Words expected;
            for (std::uint32_t i = 0; i < n; ++i)
                if (words[i] % divisor == 0) expected.push_back(i);
            EXPECT_EQ(selected(exec, words, divisor), expected) << n;
        }
    }
}

// Few different keys among many bodies: equal ones stay in their order.
TEST_F(Primitives, SortByKey) {
    for (const std::size_t n : sizes) {
        for (const int unused_bits : {0, 3, 30, 60, 63}) {
            for (const bool few : {false, true}) {
                KeyList keys(n);
                for (key_type& key : keys) key = (few ? random() % 5 << 60 : random() >> 1) >> unused_bits << unused_bits;
                Words values(n);
                std::iota(values.begin(), values.end(), 0u);
                Words order = values;
                std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
                auto key_buffer = on_backend(exec, keys);
                auto value_buffer = on_backend(exec, values);
                sort_by_key(exec, key_buffer.data(), value_buffer.data(), n, unused_bits);
                ASSERT_EQ(on_host(exec, value_buffer), order) << n << " keys, " << unused_bits << " unused bits";
                std::ranges::sort(keys);
                ASSERT_EQ(on_host(exec, key_buffer), keys);
            }
        }
    }
}

TEST_F(Primitives, BuffersKeepOrDiscard) {
    const Words words = random_words(300'000, 1'000'000);
    const Words first(words.begin(), words.begin() + 1000);
    auto buffer = on_backend(exec, first);
    const std::uint32_t* const place = buffer.data();
    buffer.resize(10);
    buffer.resize(1000);
    EXPECT_EQ(buffer.data(), place);
    EXPECT_EQ(on_host(exec, buffer), first);
    for (const std::size_t n : {1001u, 5000u, 299'999u}) {  // grows, and keeps what was there
        buffer.resize(n);
        EXPECT_EQ(buffer.size(), n);
        EXPECT_EQ(on_host(exec, buffer.data(), 1000), first);
    }
    copy_in(exec, words.data(), buffer.data(), buffer.size());
    auto moved = std::move(buffer);
    EXPECT_EQ(read(exec, moved.data() + 299'998), words[299'998]);
    moved.resize_discard(2'000'000);
    EXPECT_EQ(moved.size(), 2'000'000u);
    copy_in(exec, words.data(), moved.data() + 1'700'000, words.size());
    EXPECT_EQ(on_host(exec, moved.data() + 1'700'000, words.size()), words);
    moved.release();
    EXPECT_EQ(moved.size(), 0u);
    moved.resize(3);
    EXPECT_NE(moved.data(), nullptr);
}

TEST_F(Primitives, KeysAreTheHosts) {
    std::uniform_real_distribution<double> uniform;
    std::vector<Vector3> points = {{0, 0, 0}, {1, 1, 1}, {-0.1, 0.5, 1.1}, {0.5, 0.5, 0.5}, {1 - 1e-16, 1e-300, 0.25}};
    for (int i = 0; i < 200'000; ++i) points.push_back({uniform(random), uniform(random), uniform(random)});
    const KeyList keys = keys_on_backend(exec, points, false), lower_keys = keys_on_backend(exec, points, true);
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(keys[i], hilbert_key(points[i].x, points[i].y, points[i].z)) << i;
        ASSERT_EQ(lower_keys[i], lower_hilbert_key(points[i].x, points[i].y, points[i].z)) << i;
    }
}

}  // namespace
TEST_F(Primitives, AnyOf) {
    for (const std::size_t n : sizes) {
        Words values(n);
        std::iota(values.begin(), values.end(), 1u);
        const Words once(n, 1);
        EXPECT_EQ(any_equal(exec, values, 0), std::pair(false, once));
        if (n == 0) continue;
        for (const std::size_t place : {std::size_t{0}, n / 2, n - 1})
            EXPECT_EQ(any_equal(exec, values, values[place]), std::pair(true, once)) << n;
    }
}

TEST_F(Primitives, Teams) {
    for (const std::size_t n : {0u, 1u, 7u, 31u, 33u, 500u}) {
        Words values(n), sum(n), least(n, ~0u), most(n);
        for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::uint32_t>(i * 7919 % 1000 + 1);
        for (std::size_t i = 1; i < n; ++i) {
            sum[i] = sum[i - 1] + values[i - 1];
            least[i] = std::min(least[i - 1], values[i - 1]);
            most[i] = std::max(most[i - 1], values[i - 1]);
        }
        EXPECT_EQ(found_by_teams(exec, values), (std::vector<Words>{sum, least, most})) << n;
        std::vector<Words> odd(n, Words(n, ~0u));
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t at = 0;
            for (std::size_t k = 0; k < i; ++k)
                if (values[k] % 2 != 0) odd[i][at++] = static_cast<std::uint32_t>(k);
        }
        EXPECT_EQ(odd_by_teams(exec, values), odd) << n;
        EXPECT_EQ(wrong_before_by_teams<8>(exec, values), Words(n)) << n;
        EXPECT_EQ(wrong_before_by_teams<32>(exec, values), Words(n)) << n;
    }
}

}  // namespace gravlet::test
