// SPDX-License-Identifier: Apache-2.0
// Where a file may not grow or the disk is full: an error on every rank, the old file byte by byte, and nothing beside it.
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/gadget_file.hpp"
#include "amr_adapter/files/point_file.hpp"
#include "amr_adapter/files/xdmf.hpp"
#include "hdf5/new_file.hpp"
#include "tests/api/agreed.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/present/picture.hpp"
#include "tools/present/publish.hpp"
#include "tools/run.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::size_t, 3> sizes{24 << 10, 400 << 10, 2300 << 10};

int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

std::string content_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// No file of this process may grow beyond a size.
class SizeLimit {
public:
    explicit SizeLimit(std::size_t bytes) : old_signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &old_);
        rlimit limit = old_;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_signal_);
    }
    SizeLimit(const SizeLimit&) = delete;
    SizeLimit& operator=(const SizeLimit&) = delete;

private:
    rlimit old_{};
    sighandler_t old_signal_;
};

// A folder for all ranks; its folder `small` may be a disk of a given size.
class WholeOutputs : public testing::Test {
protected:
    void SetUp() override {
        int ranks = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        folder_ = fs::temp_directory_path() / ("gravlet_whole_" + std::to_string(ranks));
        if (world_rank() == 0) {
            fs::remove_all(folder_);
            fs::create_directories(folder_ / "small");
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void TearDown() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() != 0) return;
        umount2((folder_ / "small").c_str(), MNT_DETACH);
        fs::remove_all(folder_);
    }

    // Whether it could be mounted; the old one, if any, is gone.
    [[nodiscard]] bool mount_disk(std::size_t bytes) const {
        int mounted = 0;
        if (world_rank() == 0) {
            umount2((folder_ / "small").c_str(), MNT_DETACH);
            const std::string options = "size=" + std::to_string(bytes);
            mounted = mount("tmpfs", (folder_ / "small").c_str(), "tmpfs", 0, options.c_str()) == 0 ? 1 : 0;
        }
        MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
        return mounted == 1;
    }

    // write(target) must fail where only so many bytes can be written, and leave what was there.
    void expect_refusal(const std::string& name, std::size_t bytes, const std::function<void(const std::string&)>& write,
                        const std::string& old) const {
        const fs::path target = folder_ / "small" / name;
        const auto write_target = [&] { return test::agreed([&] { write(target.string()); }); };
        begin(target, old);
        test::Caught caught;
        {
            const SizeLimit limit(bytes);
            caught = write_target();
        }
        end(target, old, caught);
        if (!mount_disk(bytes)) return;
        begin(target, old);
        end(target, old, write_target());
        if (world_rank() == 0) umount2((folder_ / "small").c_str(), MNT_DETACH);
        MPI_Barrier(MPI_COMM_WORLD);
    }

private:
    static void begin(const fs::path& target, const std::string& old) {
        if (world_rank() == 0 && !old.empty()) std::ofstream(target) << old;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    static void end(const fs::path& target, const std::string& old, const test::Caught& caught) {
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file)) << caught.message;
        EXPECT_NE(caught.message.find(target.string()), std::string::npos) << caught.message;
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(content_of(target), old);
        for (const auto& entry : fs::directory_iterator(target.parent_path())) EXPECT_EQ(entry.path(), target) << "left behind";
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0) fs::remove(target);
        MPI_Barrier(MPI_COMM_WORLD);
    }

protected:
    fs::path folder_;
};

BlockSet some_blocks() {
    BlockSet blocks;
    for (int b = 0; b < 400; ++b) {
        const double x = 400.0 * world_rank() + b;
        blocks.lower.push_back({x, 0.0, 0.0});
        blocks.upper.push_back({x + 1.0, 1.0, 1.0});
        blocks.level.push_back(1);
    }
    blocks.density.assign(blocks.cell_count(), 1.0);
    return blocks;
}

void write_blocks(const std::string& path, const BlockSet& blocks, const std::vector<double>& potential) {
    const std::vector<BlockField> fields{{"dens", blocks.density}, {"gpot", potential}};
    write_flash(MPI_COMM_WORLD, path, blocks, number_blocks(MPI_COMM_WORLD, blocks), fields);
}

TEST_F(WholeOutputs, Points) {
    PointSet points;
    for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->assign(100000, 1.0);
    for (const std::size_t size : sizes)
        expect_refusal(
            "a.h5", size, [&](const std::string& to) { write_points(MPI_COMM_WORLD, to, points, {}); }, "old");
}

TEST_F(WholeOutputs, Snapshots) {
    Snapshot snapshot;
    PointSet& points = snapshot.points;
    for (auto* array : {&points.x, &points.y, &points.z, &points.mass, &points.velocity[0], &points.velocity[1],
                        &points.velocity[2], &snapshot.potential})
        array->assign(50000, 1.0);
    points.id.assign(50000, 1);
    for (const std::size_t size : sizes)
        expect_refusal(
            "a.hdf5", size, [&](const std::string& to) { write_snapshot(MPI_COMM_WORLD, to, snapshot); }, "old");
}

TEST_F(WholeOutputs, Blocks) {
    const BlockSet blocks = some_blocks();
    for (const std::size_t size : sizes)
        expect_refusal(
            "a.h5", size, [&](const std::string& to) { write_blocks(to, blocks, blocks.density); }, "old");
}

TEST_F(WholeOutputs, Xdmf) {
    const BlockSet blocks = some_blocks();
    const std::vector<std::string> hdf5{(folder_ / "a.h5").string()};
    write_blocks(hdf5[0], blocks, blocks.density);
    for (const std::size_t size : {std::size_t{4 << 10}, sizes[0]})
        expect_refusal(
            "a.xmf", size, [&](const std::string& to) { write_xdmf(hdf5, to); }, "old");
}

TEST_F(WholeOutputs, CheckpointCopy) {
    const BlockSet blocks = some_blocks();
    const std::string checkpoint = (folder_ / "chk.h5").string();
    write_blocks(checkpoint, blocks, blocks.density);
    const BlockRows rows = number_blocks(MPI_COMM_WORLD, blocks);
    for (const char* variable : {"gpot", "phi "})
        for (const std::size_t size : sizes)
            expect_refusal(
                "a.h5", size,
                [&](const std::string& to) {
                    write_checkpoint_copy(MPI_COMM_WORLD, checkpoint, to, blocks, rows, {variable, blocks.density});
                },
                "old");
}

// The copy fits, and the variable that is added to it does not.
TEST_F(WholeOutputs, CheckpointCopyThatGrows) {
    const BlockSet blocks = some_blocks();
    const std::string checkpoint = (folder_ / "chk.h5").string();
    write_blocks(checkpoint, blocks, blocks.density);
    const BlockRows rows = number_blocks(MPI_COMM_WORLD, blocks);
    expect_refusal(
        "a.h5", fs::file_size(checkpoint) + (600 << 10),
        [&](const std::string& to) {
            write_checkpoint_copy(MPI_COMM_WORLD, checkpoint, to, blocks, rows, {"phi ", blocks.density});
        },
        "old");
}

TEST_F(WholeOutputs, EwaldTable) {
    Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .periodic_method = PeriodicMethod::table};
    options.boundary.fill(Boundary::periodic);
    for (const std::size_t size : sizes)
        expect_refusal(
            "t.h5", size,
            [&](const std::string& to) {
                options.ewald_cache = to;
                const Solver solver(MPI_COMM_WORLD, options);
            },
            "");
}

TEST_F(WholeOutputs, Json) {
    const RunResult result;
    const auto write = [&](const std::string& to) {
        std::ostringstream table;
        std::streambuf* const terminal = std::cout.rdbuf(table.rdbuf());
        try {
            publish(MPI_COMM_WORLD, result, to);
        } catch (...) {
            std::cout.rdbuf(terminal);
            throw;
        }
        std::cout.rdbuf(terminal);
    };
    expect_refusal("a.json", 100, write, "old");
    const std::string target = (folder_ / "a.json").string();
    write(target);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_GT(content_of(target).size(), 100U);
}

// The disk fills up with snapshots: those before are whole, and with room again the run goes on from the last of them.
TEST_F(WholeOutputs, RunInTime) {
    const std::string text = R"(
problem: {kind: plummer, n: 3000}
solver: {softening: 0.05, order: 0, threads: 1}
evolve: {end: 1.0, step: 0.25}
output: {every: 1}
)";
    const fs::path small = folder_ / "small";
    const auto run = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all{"output.log=" + (small / "log.csv").string(), "output.snapshots=" + (small / "s").string()};
        all.insert(all.end(), more.begin(), more.end());
        return evolve(MPI_COMM_WORLD, parse_evolve_config(text, all, "test"));
    };
    {
        const SizeLimit limit(1000);  // three lines
        const test::Caught caught = test::agreed([&] { run({"output.snapshots="}); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file)) << caught.message;
        EXPECT_TRUE(caught.names("log.csv: cannot be written")) << caught.message;
    }
    if (!mount_disk(1 << 20)) return;  // of three snapshots
    const test::Caught caught = test::agreed([&] { run({}); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file)) << caught.message;
    EXPECT_TRUE(caught.names("s_0003.hdf5")) << caught.message;
    MPI_Barrier(MPI_COMM_WORLD);
    int files = 0;
    for (const auto& entry : fs::directory_iterator(small)) files += entry.path().filename() == "log.csv" ? 0 : 1;
    EXPECT_EQ(files, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) fs::remove(small / "s_0000.hdf5"), fs::remove(small / "s_0001.hdf5");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(run({"evolve.restart=" + (small / "s_0002.hdf5").string()}).largest_steps, 2);
}

TEST_F(WholeOutputs, Picture) {
    if (world_rank() != 0) return;  // a local call
    const fs::path target = folder_ / "small" / "a.png";
    std::ofstream(target) << "old";
    const std::string hdf5 = (folder_ / "p.h5").string();
    PointSet points;
    for (auto* array : {&points.x, &points.y, &points.z, &points.mass})
        for (int i = 1; i <= 1000; ++i) array->push_back(i * (array == &points.y ? 2.0 : 1.0));
    const std::vector<PointField> fields{{"potential", points.x}};
    write_points(MPI_COMM_SELF, hdf5, points, fields);
    const auto draw = [&](std::size_t limit) {
        const SizeLimit size_limit(limit);
        try {
            draw_picture(hdf5, target.string(), false);
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode{};
    };
    const ErrorCode refused = draw(24 << 10);
    if (refused == ErrorCode::not_available) GTEST_SKIP() << "no Python with matplotlib and h5py";
    EXPECT_EQ(refused, ErrorCode::file);
    EXPECT_EQ(content_of(target), "old");
    EXPECT_EQ(draw(RLIM_INFINITY), ErrorCode{});
    EXPECT_EQ(content_of(target).substr(1, 3), "PNG");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "small"), fs::directory_iterator()), 1);
}

// A device, a pipe or a folder is not replaced, and nothing is made in its place.
TEST_F(WholeOutputs, NoRegularFile) {
    const BlockSet blocks = some_blocks();
    const std::string pipe = (folder_ / "pipe").string(), link = (folder_ / "link").string();
    if (world_rank() == 0) {
        ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
        fs::create_symlink("/dev/null", link);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (const std::string& target : {std::string("/dev/null"), std::string("/dev/stdout"), pipe, link, folder_.string()}) {
        const test::Caught caught = test::agreed([&] { write_blocks(target, blocks, blocks.density); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file));
        EXPECT_NE(caught.message.find(target + ": cannot be created: it is "), std::string::npos) << caught.message;
    }
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(WholeOutputs, UnwritableFolder) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const BlockSet blocks = some_blocks();
    const fs::path closed = folder_ / "closed";
    if (world_rank() == 0) {
        fs::create_directory(closed);
        fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const test::Caught caught = test::agreed([&] { write_blocks((closed / "a.h5").string(), blocks, blocks.density); });
    EXPECT_NE(caught.message.find("cannot be created: folder " + closed.string()), std::string::npos) << caught.message;
}

// A new file has what the umask leaves; one that is replaced keeps its own, also behind a link.
TEST_F(WholeOutputs, Permissions) {
    if (world_rank() != 0) return;
    const auto mode_of = [](const fs::path& path) {
        struct stat state {};
        stat(path.c_str(), &state);
        return state.st_mode & 0777;
    };
    const fs::path target = folder_ / "a", link = folder_ / "link";
    const auto write = [](const fs::path& path, const char* text) {
        NewFile file(path.string());
        file.write(text);
        file.commit();
    };
    const mode_t old = umask(027);
    write(target, "one");
    umask(old);
    EXPECT_EQ(mode_of(target), 0640U);
    EXPECT_EQ(chmod(target.c_str(), 0604), 0);
    fs::create_symlink("a", link);
    write(link, "two");
    EXPECT_EQ(mode_of(target), 0604U);
    EXPECT_EQ(content_of(target), "two");
    EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace
}  // namespace gravlet
