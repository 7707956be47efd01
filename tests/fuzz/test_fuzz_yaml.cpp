// SPDX-License-Identifier: Apache-2.0
// Spoilt YAML: the examples, and a text with every section, with bytes, words and numbers changed, and nested without end.
#include "tests/fuzz/fuzz.hpp"
#include "tools/config/config.hpp"
#include "tools/evolve/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

const std::string everything = R"(problem:
  kind: uniform_points
  n: 1000
  seed: 7
  shape: cube
  distribution: scatter
  domain: {lower: [0, 0, 0], upper: [1, 1, 1]}
solver:
  backend: cpu
  gpu_sharing: share
  boundary: [periodic, isolated, periodic]
  theta: 0.5
  order: 4
  G: 1.0
  self_potential: false
  softening_kernel: spline
  softening: 1.0e-3
  periodic_method: table
  ewald_nodes: 24
  ewald_order: 5
  ewald_cache: ewald.h5
  group_size: 64
  leaf_size: 12
  virtual_root_boxes: 64
  threads: 2
  error_samples: 100
  error_seed: 3
run: {acceleration: true, warmup: 0, repeat: 2}
compare: {reference: direct, samples: 10, hunt: 5}
output: {hdf5: a.h5, picture: a.png}
)";

const std::vector<std::string> nasty = {"0",
                                        "-0",
                                        "-1",
                                        "1e18",
                                        "1e400",
                                        "-1e400",
                                        "1e-320",
                                        ".nan",
                                        "nan",
                                        ".inf",
                                        "-.inf",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551616",
                                        "2147483648",
                                        "4294967296",
                                        "0x7fffffffffffffff",
                                        "0o17",
                                        "1_000",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "1e",
                                        "~",
                                        "null",
                                        "true",
                                        "no",
                                        "''",
                                        "\"\\0\"",
                                        "\"a\\0b\"",
                                        std::string(70000, 'x'),
                                        "[]",
                                        "{}",
                                        "[1]",
                                        "[1, 2, 3, 4]",
                                        "{a: 1}",
                                        "&a",
                                        "*a",
                                        "&a [*a]",
                                        "!!binary x",
                                        "!!int a",
                                        "<<",
                                        "? ",
                                        "---",
                                        "...",
                                        "%YAML 9.9",
                                        "\t",
                                        "#",
                                        "|",
                                        ">",
                                        "\xff\xfe",
                                        "\xef\xbb\xbf",
                                        "\xc0\x80",
                                        "flash_file",
                                        "points_file",
                                        "snapshot",
                                        "corner",
                                        "maclaurin",
                                        "sine_wave",
                                        "lattice",
                                        "encounter",
                                        "m31"};

std::vector<std::string> texts() {
    std::vector<std::string> all{everything};
    for (const auto& entry : std::filesystem::directory_iterator(GRAVLET_EXAMPLES_DIR)) {
        if (entry.path().extension() != ".yaml") continue;
        std::ifstream file(entry.path());
        all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    std::sort(all.begin(), all.end());  // a folder has no order
    return all;
}

/// Words and what is between them: all together are the text.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : text) {
        const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
        if (words.empty() || !word || !inside) words.emplace_back();
        words.back() += c;
        inside = word;
    }
    return words;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word;
    return text;
}

class FuzzYaml : public testing::Test {
protected:
    std::string spoil(Dice& dice) {
        std::vector<std::string> words = words_of(dice.one_of(texts_));
        for (std::size_t times = dice.below(4); times > 0; --times) {
            std::string& word = words[dice.below(words.size())];
            const std::vector<std::string> others = words_of(dice.one_of(texts_));
            switch (dice.below(4)) {
                case 0: word = dice.one_of(others); break;
                case 1: word.clear(); break;
                case 2: word += word; break;
                default: word = dice.one_of(nasty);
            }
        }
        if (dice.once_in(2)) replace_number(dice, words);
        if (dice.once_in(20)) nest(dice, words[dice.below(words.size())]);
        text_ = joined(words);
        if (dice.once_in(3)) spoil_bytes(dice, text_);
        overrides_.clear();
        std::string set;
        if (dice.once_in(4)) {
            set = dice.one_of(words) + (dice.once_in(3) ? "." + dice.one_of(words) : "") + "=" + dice.one_of(nasty);
            if (dice.once_in(2)) set = "solver." + set;
            overrides_.push_back(set);
        }
        return text_ + (set.empty() ? "" : "\n--set " + set);
    }

    std::string text_;
    std::vector<std::string> overrides_;

private:
    static void replace_number(Dice& dice, std::vector<std::string>& words) {
        std::vector<std::string*> numbers;
        for (std::string& word : words)
            if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0) numbers.push_back(&word);
        if (!numbers.empty()) *dice.one_of(numbers) = dice.one_of(nasty);
    }

    static void nest(Dice& dice, std::string& word) {
        static const std::vector<std::string> openings = {"[", "{", "{a: ", "- ", "? ", "\n ", "[[a, ", "&a [", "!a "};
        const std::string opening = dice.one_of(openings);
        std::string deep;
        for (std::size_t depth = std::size_t{1} << dice.below(15); depth > 0; --depth) deep += opening;
        word = deep + word;
    }

    std::vector<std::string> texts_ = texts();
};

TEST_F(FuzzYaml, GivesErrors) {
    fuzz([&](Dice& dice) { return spoil(dice); }, [&] { (void)parse_config(text_, overrides_, "fuzz"); });
}

TEST_F(FuzzYaml, OfEvolutionsGivesErrors) {
    fuzz([&](Dice& dice) { return spoil(dice); }, [&] { (void)parse_evolve_config(text_, overrides_, "fuzz"); });
}

}  // namespace
}  // namespace gravlet::test
