// SPDX-License-Identifier: Apache-2.0
// The files that commands may write, as tables: a further one is a line here, and one in the table of its writer
// (tools/output.cpp, tools/evolve/evolve.cpp).
#pragma once

#include "tools/config/file_plan.hpp"
#include "tools/config/section.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace gravlet {

/// A file that a command may write.
struct OutputKind {
    const char* key;          ///< key of section output that has its path
    const char* meaning;      ///< what it is, for people
    const char* source = "";  ///< key of the output without which there is none; "": it needs no other
    const char* why = "";     ///< what it does with that one, for messages
    bool series = false;      ///< numbered files (tools/config/series.hpp)
    const char* script = "";  ///< what draws it; "": it is no picture
};

/// The files of gravlet run.
inline constexpr auto run_outputs = std::to_array<OutputKind>(
    {{"hdf5", "HDF5 file of targets and answers: of blocks in FLASH's layout, of points a data set each"},
     {"xdmf", "text for ParaView that says where in the HDF5 file what is", "hdf5", "refers to the HDF5 file"},
     {"picture", "picture of the potential and its error", "hdf5", "is made from the HDF5 file", false, "plot.py"},
     {"checkpoint_copy", "the FLASH checkpoint of problem.path once more, with the potential in problem.potential"}});

/// The files of gravlet evolve: first those that grow while it runs.
inline constexpr auto evolve_outputs = std::to_array<OutputKind>(
    {{"log", "CSV, a line at each multiple of the largest step: energies, momenta, seconds, pairs"},
     {"sub_steps", "CSV, a line at each sub-step: active points, seconds, pairs"},
     {"snapshots", "NAME of NAME_0000.hdf5, ... in GADGET's layout: the first, the last and every so many steps", "", "", true},
     {"xdmf", "text for ParaView that refers to all snapshots", "snapshots", "refers to snapshots"},
     {"strip", "picture of the snapshots side by side", "snapshots", "is made from snapshots", false, "film.py"},
     {"energy", "picture of the log: energy, virial ratio, momenta", "log", "is made from the log", false, "film.py"}});

/// Paths of a command's files by their keys; one that is not named is empty, and not written.
class Outputs {
public:
    /// Allocates nothing: configurations are made around collective operations.
    explicit Outputs(std::span<const OutputKind> kinds) noexcept : kinds_(kinds) {}

    /// The empty string where none was given.
    [[nodiscard]] const std::string& operator[](std::string_view key) const;
    [[nodiscard]] std::string& operator[](std::string_view key) { return paths_[std::string(key)]; }
    [[nodiscard]] bool wants(std::string_view key) const { return !(*this)[key].empty(); }
    /// The key of the output that this one is made from; "": of none.
    [[nodiscard]] std::string_view source(std::string_view key) const {
        const auto kind = std::ranges::find(kinds_, key, &OutputKind::key);
        return kind == kinds_.end() ? "" : kind->source;
    }

    /// Calls f(key with its section, script, path) for each picture.
    template <class F>
    void for_pictures(F&& f) const {
        for (const OutputKind& kind : kinds_)
            if (*kind.script != '\0' && wants(kind.key)) f(std::string("output.") + kind.key, kind.script, (*this)[kind.key]);
    }

    /// Leaves room for more keys of the section.
    void read(Section& section);
    /// Throws Error(invalid_option) that names a file whose source is not written.
    void check() const;
    /// Adds them to the plan; `going_on`: the file of a series that the run goes on from.
    void add_to(FilePlan& plan, const std::string& going_on = {}) const;

private:
    std::span<const OutputKind> kinds_;
    std::map<std::string, std::string, std::less<>> paths_;
};

}  // namespace gravlet
