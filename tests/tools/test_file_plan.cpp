// SPDX-License-Identifier: Apache-2.0
// An output is no input and no other output, however their paths are spelt; inputs are regular files.
#include "tools/config/file_plan.hpp"
#include "tools/config/room.hpp"

#include "amr_adapter/files/point_file.hpp"
#include "hdf5/input_file.hpp"
#include "tests/api/agreed.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/output.hpp"
#include "tools/present/last_words.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

using Keys = std::map<std::string, std::string>;  // of outputs or inputs: where they are

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

class Plan : public test::RankFolder {
protected:
    void SetUp() override {
        RankFolder::SetUp();
        if (test::world_rank() == 0) {
            for (const char* name : {"input", "s_0002.hdf5", "r_0002.hdf5", "u_stopped.hdf5", "out"})
                std::ofstream(folder_ / name) << "kept";
            std::ofstream(folder_ / "empty");
            fs::create_directory(folder_ / "folder");
            fs::create_symlink("input", folder_ / "link");
            fs::create_symlink("folder/new", folder_ / "dangling");
            fs::create_symlink(folder_, folder_ / "here");
            fs::create_symlink("r_0002.hdf5", folder_ / "latest");
            fs::create_hard_link(folder_ / "input", folder_ / "hard");
            ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
            sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
            (folder_ / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
            const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
            ASSERT_EQ(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
            close(socket_file);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        before_ = fs::current_path();
        fs::current_path(folder_);
    }
    void TearDown() override {
        fs::current_path(before_);
        RankFolder::TearDown();
    }

    static std::string said(const FilePlan& plan) {
        return test::agreed([&] { check_files(MPI_COMM_WORLD, plan); }).message;
    }

    static void expect_clash(const FilePlan& plan, const std::string& key, const std::string& other) {
        const std::string message = said(plan);
        EXPECT_HAS(message, key + " is ");
        EXPECT_HAS(message, "that is the file of " + other + ", ");
        EXPECT_EQ(message.find("rank"), std::string::npos) << message;
    }

private:
    fs::path before_;
};

TEST_F(Plan, OutputsAreNoInputs) {
    for (const std::string& output : {std::string("input"), std::string("./input"), at("input"), std::string("folder/../input"),
                                      std::string("here/input"), std::string("link"), std::string("hard")}) {
        SCOPED_TRACE(output);
        FilePlan plan;
        plan.input("problem.path", "input");
        EXPECT_EQ(said(plan), "");
        plan.output("output.hdf5", output);
        expect_clash(plan, "output.hdf5", "problem.path");
        FilePlan spared;
        spared.output("output.hdf5", output);
        spared.spared("problem.path", "input");
        expect_clash(spared, "output.hdf5", "problem.path");
    }
}

TEST_F(Plan, OutputsAreNoOtherOutputs) {
    const std::vector<std::pair<std::string, std::string>> same{{"out", "./out"},
                                                                {"new", "here/new"},
                                                                {"new", at("new")},
                                                                {"dangling", "folder/new"},
                                                                {"here/dangling", "here/folder/../folder/new"}};
    for (const auto& [one, other] : same) {
        FilePlan plan;
        plan.output("--json", one);
        EXPECT_EQ(said(plan), "");
        plan.output("output.hdf5", other);
        expect_clash(plan, "--json", "output.hdf5");
    }
    FilePlan apart;
    apart.output("output.hdf5", "new");
    apart.output("--json", "folder/other");
    apart.output("output.xdmf", "");
    apart.output("output.picture", "");
    EXPECT_EQ(said(apart), "");
}

// It is read and written, but it is no other's.
TEST_F(Plan, TheCacheIsItsOwn) {
    FilePlan plan;
    plan.cache("solver.ewald_cache", "out");
    EXPECT_EQ(said(plan), "");
    plan.output("output.hdf5", "here/out");
    expect_clash(plan, "solver.ewald_cache", "output.hdf5");
    FilePlan input;
    input.input("problem.path", "out");
    input.cache("solver.ewald_cache", "out");
    expect_clash(input, "solver.ewald_cache", "problem.path");
}

// Also numbers that are to come, and files that are there by other names.
TEST_F(Plan, Series) {
    const auto with = [&](const std::string& name, const std::string& begin, const std::string& input,
                          const std::string& output) {
        FilePlan plan;
        plan.series("output.snapshots", name, begin);
        plan.input("problem.path", input);
        plan.input("evolve.restart", begin);
        plan.output("output.log", output);
        return plan;
    };
    expect_clash(with("s", "", "s_0002.hdf5", ""), "output.snapshots", "problem.path");
    expect_clash(with("here/r", "", "latest", ""), "output.snapshots", "problem.path");
    expect_clash(with("s", "", "", "here/s_123456.hdf5"), "output.snapshots", "output.log");
    expect_clash(with("s", "", "", "here/s_stopped.hdf5"), "output.snapshots", "output.log");
    EXPECT_EQ(said(with("u", "u_stopped.hdf5", "", "")), "") << "a run that goes on may be stopped again";
    EXPECT_EQ(said(with("s", "s_0002.hdf5", "", "s_12.hdf5")), "");
    EXPECT_EQ(said(with("r", "latest", "input", "folder/r_0001.hdf5")), "");
    EXPECT_HAS(said(with("nowhere/s", "", "", "")), "output.snapshots: nowhere/s_0000.hdf5: cannot be created: folder nowhere: ");
}

TEST_F(Plan, InputsAreFiles) {
    const Keys not_files{{"pipe", "it is a pipe"},        {"folder", "it is a folder"}, {"socket", "it is a socket"},
                         {"/dev/null", "it is a device"}, {"none", "no such file"},     {"empty", "it is empty"}};
    for (const auto& [name, why] : not_files) {
        const std::string path = name;
        FilePlan plan;
        plan.input("problem.path", path);
        EXPECT_HAS(said(plan), "problem.path: " + path + ": " + why);
        EXPECT_HAS(test::agreed([&] { (void)read_points(MPI_COMM_WORLD, path); }).message, path + ": " + why);
        EXPECT_HAS(test::agreed([&] { (void)load_config(MPI_COMM_WORLD, path, {}); }).message, path + ": " + why);
    }
    if (geteuid() == 0) return;
    fs::permissions("input", fs::perms::none);
    EXPECT_THROW(require_file("input"), Error);
}

TEST_F(Plan, OutputsHaveAPlace) {
    for (const std::string path : {"pipe", "folder", "/dev/null", "nowhere/out", "input/out"}) {
        FilePlan plan;
        plan.output("--json", path);
        EXPECT_HAS(said(plan), "--json: " + path + ": cannot be created: ");
    }
    FilePlan plan;
    plan.output("--json", std::string(300, 'x'));
    EXPECT_HAS(said(plan), "cannot be created: ");
}

/// Every two keys of which one is written, with one file.
template <class Parse>
void expect_all_clashes(const std::string& text, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                        const Parse& parse, const Keys& always) {
    std::vector<std::string> keys = inputs;
    keys.insert(keys.end(), outputs.begin(), outputs.end());
    for (const std::string& output : outputs)
        for (const std::string& key : keys) {
            if (key == output) continue;
            Keys values = always;
            values[output] = "./input";
            values[key] = "input";
            std::vector<std::string> overrides;
            for (const auto& [name, value] : values) overrides.push_back(name + "=" + value);
            const test::Caught caught =
                test::agreed([&] { check_files(MPI_COMM_WORLD, files_of(parse(text, overrides, "test"))); });
            EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_option)) << output << ", " << key;
            EXPECT_HAS(caught.message, output);
            EXPECT_HAS(caught.message, key);
        }
}

TEST_F(Plan, EveryKeyOfARun) {
    expect_all_clashes("problem: {kind: flash_file, path: out}\n", {"problem.path"},
                       {"output.hdf5", "output.xdmf", "output.picture", "output.checkpoint_copy", "solver.ewald_cache"},
                       parse_config, {{"output.hdf5", "folder/new"}});
}

TEST_F(Plan, EveryKeyOfAnEvolution) {
    const std::string text = "problem: {kind: points_file, path: out}\nevolve: {end: 1, step: 1}\n";
    const std::vector<std::string> outputs{"output.log",   "output.sub_steps", "output.xdmf",
                                           "output.strip", "output.energy",    "solver.ewald_cache"};
    const Keys needed{{"output.snapshots", "s"}, {"output.log", "log"}};
    expect_all_clashes(text, {"problem.path", "evolve.restart"}, outputs, parse_evolve_config, needed);
}

// A snapshot is in several files, of which a key names one: an output may replace none.
TEST_F(Plan, AllFilesOfASnapshotStay) {
    if (test::world_rank() == 0)
        for (const char* name : {"snap.0.hdf5", "snap.1.hdf5", "snap.12.hdf5", "snap.hdf5"}) std::ofstream(name) << "x";
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string evolution = "problem: {kind: snapshot, path: snap.0.hdf5}\nevolve: {end: 1, step: 1}\n";
    const auto run = [&](const std::vector<std::string>& overrides) {
        const std::string text = "problem: {kind: snapshot, path: ./snap.0.hdf5}\n";
        return test::agreed([&] { check_files(MPI_COMM_WORLD, files_of(parse_config(text, overrides, "test"))); });
    };
    const auto evolve = [&](const std::vector<std::string>& overrides) {
        return test::agreed([&] { check_files(MPI_COMM_WORLD, files_of(parse_evolve_config(evolution, overrides, "test"))); });
    };
    for (const char* name : {"snap.0.hdf5", "./snap.1.hdf5", "snap.12.hdf5"}) {
        const std::vector<test::Caught> all{
            run({std::string("output.hdf5=") + name}), evolve({std::string("output.log=") + name}),
            evolve({std::string("output.log=") + name, "problem.path=snap.hdf5", "evolve.restart=snap.1.hdf5"})};
        for (const test::Caught& caught : all)
            EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_option)) << name << ": " << caught.message;
    }
    for (const char* name : {"snap.hdf5", "snap.2.hdf5", "snap.x.hdf5"})
        EXPECT_EQ(run({std::string("output.hdf5=") + name}).code, 0) << name;
}

// What a run goes on from stays, though the numbers of snapshots to come may be its own; that of time 0 is there already.
TEST_F(Plan, TheRestartStays) {
    const std::string text =
        "problem: {kind: plummer, n: 60}\nsolver: {softening: 0.1, threads: 1}\nevolve: {end: 1, step: 0.25}\n";
    const auto run = [&](const std::vector<std::string>& overrides) {
        return test::agreed([&] { (void)evolve(MPI_COMM_WORLD, parse_evolve_config(text, overrides, "test")); });
    };
    ASSERT_EQ(run({"output.snapshots=t", "output.every=1"}).code, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const test::Caught caught = run({"output.snapshots=t", "output.every=2", "evolve.restart=here/t_0002.hdf5"});
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_option)) << caught.message;
    EXPECT_HAS(caught.message, "output.snapshots is t: t_0002.hdf5 is the file of evolve.restart, here/t_0002.hdf5");
    MPI_Barrier(MPI_COMM_WORLD);
    const auto time = fs::last_write_time("t_0000.hdf5");
    EXPECT_EQ(run({"output.snapshots=t", "output.every=1", "evolve.restart=t_0000.hdf5"}).code, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(fs::last_write_time("t_0000.hdf5"), time);
}

// What is there already stays as it is, and nothing is left beside.
TEST_F(Plan, OutputsAreTried) {
    FilePlan plan;
    plan.output("output.hdf5", "out");
    plan.series("output.snapshots", "t", "");
    EXPECT_EQ(said(plan), "");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(fs::file_size("out"), 4U);
    for (const auto& entry : fs::directory_iterator(".")) EXPECT_EQ(entry.path().string().find("unfinished"), std::string::npos);
    FilePlan wrong;
    wrong.output("output.hdf5", "/proc/a.h5");
    EXPECT_HAS(said(wrong), "output.hdf5: /proc/a.h5: cannot be created: folder /proc: ");
}

TEST_F(Plan, Room) {
    Room enough;
    enough.needs("output.hdf5", "", std::uint64_t{1} << 60);
    enough.needs("output.hdf5", "new", 1000);
    EXPECT_NO_THROW(enough.check());
    struct statvfs disk {};
    ASSERT_EQ(statvfs(".", &disk), 0);
    const std::uint64_t all = static_cast<std::uint64_t>(disk.f_blocks) * disk.f_frsize;
    const auto why = [](const Room& room) {
        try {
            room.check();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::file);
            return std::string(error.what());
        }
        return std::string();
    };
    Room one;
    one.needs("output.hdf5", "here/new", all + 1);
    EXPECT_HAS(why(one), "output.hdf5: here/new takes ");
    EXPECT_HAS(why(one), " MB at least, and its disk has room for ");
    Room together;
    together.needs("output.hdf5", "new", all / 2 + 1);
    together.needs("output.checkpoint_copy", "folder/other", all / 2 + 1);
    EXPECT_HAS(why(together), "output.");
}

TEST(LastWords, NameTheFile) {
    testing::FLAGS_gtest_death_test_style = "fast";
    const auto crash = [] {
        const LastWords words("problem.path", "a.h5");
        std::raise(SIGSEGV);
    };
    EXPECT_EXIT(crash(), testing::ExitedWithCode(1),
                "gravlet: error: problem.path: a.h5: the program crashed while it read this file");
    struct sigaction before {
    }, after{};
    sigaction(SIGSEGV, nullptr, &before);
    { const LastWords words("problem.path", "a.h5"); }
    sigaction(SIGSEGV, nullptr, &after);
    EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace gravlet
