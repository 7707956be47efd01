// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/trial.hpp"

#include "tests/api/body_arrays.hpp"
#include "tests/fault/watchdog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <new>
#include <set>
#include <utility>

namespace gravlet::test {
namespace {

/// What became of a call on one rank, of a fixed size for MPI.
struct Outcome {
    static constexpr int bad_alloc = -1, foreign = -2;  ///< in place of a code; 0: no error
    int code = 0;
    std::array<char, 508> message{};

    void say(int what, const char* text) {
        code = what;
        std::strncpy(message.data(), text, message.size() - 1);
    }
    [[nodiscard]] std::string text() const { return fmt::format("{} \"{}\"", code, message.data()); }
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class F>
Outcome outcome_of(F&& call) {
    Outcome outcome;
    try {
        call();
    } catch (const testing::AssertionException&) {  // a skipped test's
        throw;
    } catch (const Error& error) {
        outcome.say(static_cast<int>(error.code()), error.what());
    } catch (const std::bad_alloc& error) {
        outcome.say(Outcome::bad_alloc, error.what());
    } catch (const std::exception& error) {
        outcome.say(Outcome::foreign, error.what());
    }
    return outcome;
}

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void clear(std::vector<double>& results) { std::ranges::fill(results, Result::untouched); }

/// Of the places where no call failed before, so many of equal distance, by their first k; and the last ones of all.
std::vector<std::int64_t> chosen(const std::vector<std::uint64_t>& places, std::set<std::uint64_t>& tried) {
    constexpr std::size_t enough = 16;
    constexpr std::int64_t last_ones = 2;
    const std::int64_t count = static_cast<std::int64_t>(places.size());
    std::vector<std::int64_t> first, ks;
    std::set<std::uint64_t> seen = tried;
    for (std::int64_t k = 1; k <= count; ++k)
        if (seen.insert(places[static_cast<std::size_t>(k - 1)]).second) first.push_back(k);
    for (std::size_t i = 0; i < std::min(enough, first.size()); ++i) {
        const std::int64_t k = first[i * first.size() / std::min(enough, first.size())];
        tried.insert(places[static_cast<std::size_t>(k - 1)]);
        ks.push_back(k);
    }
    for (std::int64_t k = std::max<std::int64_t>(1, count - last_ones + 1); k <= count; ++k) ks.push_back(k);
    std::ranges::sort(ks);
    ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
    return ks;
}

/// All k, if the environment says so.
std::vector<std::int64_t> wanted(const std::vector<std::uint64_t>& places, std::set<std::uint64_t>& tried) {
    std::vector<std::int64_t> ks;
    const char* const given = std::getenv("GRAVLET_FAULTS");
    const std::string which = given != nullptr ? given : "";
    if (which == "all")
        for (std::int64_t k = 1; k <= static_cast<std::int64_t>(places.size()); ++k) ks.push_back(k);
    else
        ks = chosen(places, tried);
    if (const char* const from = std::getenv("GRAVLET_FAULTS_FROM"))
        std::erase_if(ks, [&](std::int64_t k) { return k < std::atol(from); });
    return ks;
}

/// Of the tests alone: where ranks have parted, theirs would meet gravlet's in one communicator.
MPI_Comm apart() {
    static const MPI_Comm comm = [] {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        return made;
    }();
    return comm;
}

/// Of all ranks.
std::vector<Outcome> gathered(const Outcome& mine) {
    std::vector<Outcome> all(static_cast<std::size_t>(world_size()));
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, apart());
    return all;
}

template <class T>
void share(std::vector<T>& values, int from) {
    std::int64_t n = static_cast<std::int64_t>(values.size());
    MPI_Bcast(&n, 1, MPI_INT64_T, from, apart());
    values.resize(static_cast<std::size_t>(n));
    MPI_Bcast(values.data(), static_cast<int>(n * static_cast<std::int64_t>(sizeof(T))), MPI_BYTE, from, apart());
}

struct Counts {
    std::int64_t calls = 0, places = 0, tried = 0, errors = 0, harmless = 0, alone = 0, touched = 0, wrong = 0;
};

class Run {
public:
    Run(const Case& one, const Fault& fault, int faulty) : case_(one), fault_(fault), faulty_(faulty) {}

    Counts run() {
        for (const std::int64_t k : count()) {
            right_here_ = true;
            touched_here_ = false;
            attempt(k);
            int bad[2] = {right_here_ ? 0 : 1, touched_here_ ? 1 : 0};
            MPI_Allreduce(MPI_IN_PLACE, bad, 2, MPI_INT, MPI_MAX, apart());
            counts_.wrong += bad[0];
            counts_.touched += bad[1];
        }
        return counts_;
    }

private:
    void require(bool holds, const std::string& otherwise) {
        if (holds) return;
        right_here_ = false;
        if (counts_.wrong < 3) ADD_FAILURE() << otherwise;  // more of them would not say more
    }
    [[nodiscard]] bool here() const { return world_rank() == faulty_; }
    [[nodiscard]] std::string words(const std::string& what) const {
        return fmt::format("{}, {} ranks, fault on rank {}, {}", case_.name, world_size(), faulty_, what);
    }

    /// The right results; where the call can fail.
    std::vector<std::int64_t> count() {
        for (const bool recording : {false, true}) {  // the first call of all may set up what stays
            const Watchdog watchdog(words("no fault"));
            const std::unique_ptr<Trial> trial = case_.make();
            clear(trial->results());
            if (here() && recording) fault_.calls.record();
            const Outcome outcome = outcome_of([&] { trial->call(); });
            if (here() && recording) counts_.calls = fault_.calls.disarm();
            EXPECT_EQ(outcome.text(), Outcome{}.text()) << words("no fault");
            const std::vector<double> first = trial->results();
            clear(trial->results());
            trial->again();
            if (recording) {
                EXPECT_TRUE(same_bytes(first, right_) && same_bytes(trial->results(), right_next_)) << words("no fault");
            }
            right_ = first;
            right_next_ = trial->results();
        }
        std::vector<std::int64_t> ks;
        if (here()) {
            std::vector<std::uint64_t> places = Countdown::places();
            // By rank: the first may do what others do not.
            static std::map<std::pair<int, bool>, std::set<std::uint64_t>> tried;
            ks = wanted(places, tried[{faulty_, fault_.for_good}]);
            std::ranges::sort(places);
            counts_.places = std::unique(places.begin(), places.end()) - places.begin();
        }
        share(ks, faulty_);
        MPI_Bcast(&counts_, sizeof counts_, MPI_BYTE, faulty_, apart());
        return ks;
    }

    void attempt(std::int64_t k) {
        const Watchdog watchdog(words(fmt::format("k = {}", k)));
        const std::unique_ptr<Trial> trial = case_.make();
        clear(trial->results());
        const std::vector<double> before = trial->results();
        if (here()) fault_.calls.arm(k, fault_.for_good);
        const Outcome mine = outcome_of([&] { trial->call(); });
        if (here()) fault_.calls.disarm();
        const std::vector<Outcome> all = gathered(mine);
        std::array<char, 64> failed{};
        std::strncpy(failed.data(), here() ? fault_.calls.failed() : "", failed.size() - 1);
        MPI_Bcast(failed.data(), static_cast<int>(failed.size()), MPI_CHAR, faulty_, apart());
        if (failed[0] == '\0') return;  // it was not called that often this time

        const std::string what = words(fmt::format("k = {} ({})", k, failed.data()));
        ++counts_.tried;
        switch (judge(all, failed.data(), what)) {
            case Verdict::error:
                if (fault_.may_touch && !same_bytes(trial->results(), before)) {
                    touched_here_ = true;
                } else {
                    require(same_bytes(trial->results(), before), what + ": results were touched");
                }
                break;
            case Verdict::harmless: require(same_bytes(trial->results(), right_), what + ": results differ"); break;
            case Verdict::alone: break;
        }
        clear(trial->results());
        const Outcome next = outcome_of([&] { trial->again(); });
        require(next.code == 0, what + ": the next call: " + next.text());
        require(next.code != 0 || same_bytes(trial->results(), right_next_), what + ": the next call's results differ");
    }

    enum class Verdict { error, harmless, alone };

    Verdict judge(const std::vector<Outcome>& all, const std::string& failed, const std::string& what) {
        std::string text = what;
        for (std::size_t rank = 0; rank < all.size(); ++rank) text += fmt::format("\n  rank {}: {}", rank, all[rank].text());
        const auto is = [&](const Outcome& outcome) {
            return std::ranges::any_of(fault_.codes, [&](ErrorCode code) { return outcome.code == static_cast<int>(code); });
        };
        std::vector<Outcome> others = all;
        others.erase(others.begin() + faulty_);
        const Outcome& hit = all[static_cast<std::size_t>(faulty_)];
        const bool others_fine = std::ranges::all_of(others, [](const Outcome& other) { return other.code == 0; });
        if (hit.code == 0 && others_fine) {
            ++counts_.harmless;
            return Verdict::harmless;
        }
        if (others_fine && !others.empty() && is(hit) && failed == fault_.may_fail_alone) {
            ++counts_.alone;
            return Verdict::alone;
        }
        ++counts_.errors;
        const Outcome& first = others.empty() ? hit : others.front();
        const bool alike = std::ranges::all_of(others, [&](const Outcome& other) { return is(other) && other == first; });
        const bool says_why = first.text().find(fault_.reason) != std::string::npos;
        require(alike && says_why && is(hit) && hit == first, text);
        return Verdict::error;
    }

    const Case& case_;
    const Fault& fault_;
    int faulty_;
    std::vector<double> right_, right_next_;         ///< results of the call and of the next
    bool right_here_ = true, touched_here_ = false;  ///< this attempt
    Counts counts_;
};

}  // namespace

std::string test_name(const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.name;
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

void expect_safe(const Case& one, const Fault& fault, int faulty) {
    const Counts counts = Run(one, fault, faulty).run();
    if (world_rank() != 0) return;
    static bool headed = false;
    if (!std::exchange(headed, true))
        std::cout << fmt::format("{:<34}{:>6}{:>6}{:>7}{:>7}{:>7}{:>7}{:>9}{:>6}{:>8}{:>6}{:>6}\n", "case", "ranks", "rank",
                                 "calls", "places", "tried", "errors", "harmless", "alone", "touched", "wrong", "hangs");
    std::cout << fmt::format("{:<34}{:>6}{:>6}{:>7}{:>7}{:>7}{:>7}{:>9}{:>6}{:>8}{:>6}{:>6}\n", one.name, world_size(), faulty,
                             counts.calls, counts.places, counts.tried, counts.errors, counts.harmless, counts.alone,
                             counts.touched, counts.wrong, 0)
              << std::flush;
}

void expect_safe(const Case& one, const Fault& fault) {
    expect_safe(one, fault, world_size() - 1);
    if (world_size() == 3) expect_safe(one, fault, 0);
}

}  // namespace gravlet::test
