// SPDX-License-Identifier: Apache-2.0
// What people look with finds in outputs what is there: yt and ParaView, where they are installed, and XDMF's references.
#include "amr_adapter/files/xdmf.hpp"
#include "tests/api/agreed.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/run.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

namespace gravlet::test {
namespace {

namespace fs = std::filesystem;

class Looks : public RankFolder {
protected:
    void run_yaml(const std::string& problem, const std::vector<std::string>& overrides) {
        const std::string text = "solver: {acceleration: true}\nrun: {warmup: 0, repeat: 1}\nproblem: " + problem;
        (void)run(MPI_COMM_WORLD, parse_config(text, overrides, "test"));
    }
    // On several levels, and of another centre than the box, so that one cell has the least potential.
    void run_blocks() {
        run_yaml("{kind: maclaurin, eccentricity: 0.9, a1: 0.25, max_level: 4, subsamples: 2, center: [0.47, 0.51, 0.44]}",
                 {"output.hdf5=" + at("a.h5"), "output.xdmf=" + at("a.xmf")});
    }
    void run_points() {
        run_yaml("{kind: plummer, n: 500}", {"solver.softening=0.01", "output.hdf5=" + at("p.h5"), "output.xdmf=" + at("p.xmf")});
    }
    // Whether the script did what it should, rather than being skipped for want of something.
    static bool look(const char* script, const std::string& first, const std::string& second = {}) {
        const std::string command = fmt::format("{} {}/{} '{}' {}", GRAVLET_PYTHON, GRAVLET_LOOKS_DIR, script, first,
                                                second.empty() ? second : fmt::format("'{}'", second));
        const int status = std::system(command.c_str());  // NOLINT: no user's text
        constexpr int skipped = 77;
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (code != skipped) {
            EXPECT_EQ(code, 0) << command;
        }
        return code != skipped;
    }
};

TEST_F(Looks, YtLoadsBlocks) {
    run_blocks();
    if (world_rank() == 0 && !look("yt_blocks.py", at("a.h5"))) GTEST_SKIP() << "no Python with yt (Debian: python3-yt)";
}

// Parents are in the file, and yt must not count their cells.
TEST_F(Looks, YtLoadsBlocksOfACheckpoint) {
    const std::string path = GRAVLET_SHARED_DIR "/data/maclaurin_amr_directsum_hdf5_chk_0001";
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not there";
    run_yaml("{kind: flash_file, path: " + path + "}", {"output.hdf5=" + at("a.h5"), "output.xdmf=" + at("a.xmf")});
    if (world_rank() != 0) return;
    EXPECT_TRUE(look("xdmf_references.py", at("a.xmf"), at("a.h5")));
    if (!look("yt_blocks.py", at("a.h5"))) GTEST_SKIP() << "no Python with yt (Debian: python3-yt)";
}

// Files as gravlet wrote them before they had header and tree are read, and what is written of them is complete.
TEST_F(Looks, YtLoadsBlocksOfAnOldOutput) {
    run_blocks();
    if (world_rank() == 0) {
        Hdf5File file(at("a.h5"), Hdf5File::Mode::write);
        for (const std::string& name : file.data_sets())
            for (const char* part :
                 {"sim info", "real ", "logical ", "string ", "runtime parameters", "gid", "coordinates", "block size"})
                if (name.find(part) != std::string::npos) {
                    H5Ldelete(file.id(), name.c_str(), H5P_DEFAULT);
                    break;
                }
        EXPECT_EQ(file.data_sets().size(), 10U);  // geometry, integer scalars, unknown names, 5 variables
        file.close();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    run_yaml("{kind: flash_file, path: " + at("a.h5") + "}", {"output.hdf5=" + at("b.h5")});
    if (world_rank() == 0 && !look("yt_blocks.py", at("b.h5"))) GTEST_SKIP() << "no Python with yt (Debian: python3-yt)";
}

TEST_F(Looks, XdmfRefersToWhatIsThere) {
    run_blocks();
    run_points();
    const std::string moving = "problem: {kind: plummer, n: 100}\nsolver: {softening: 0.1}\nevolve: {end: 0.5, step: 0.25}\n";
    (void)evolve(
        MPI_COMM_WORLD,
        parse_evolve_config(moving, {"output.snapshots=" + at("s"), "output.every=1", "output.xdmf=" + at("s.xmf")}, "test"));
    if (world_rank() != 0) return;
    EXPECT_TRUE(look("xdmf_references.py", at("a.xmf"), at("a.h5")));
    EXPECT_TRUE(look("xdmf_references.py", at("p.xmf")));
    EXPECT_TRUE(look("xdmf_references.py", at("s.xmf")));
    const std::vector<std::string> one{at("a.h5")};
    fs::create_directory(at("a & b"));  // which XML must be told, and from where a.h5 is elsewhere
    write_xdmf(one, at("a & b/a.xmf"));
    EXPECT_TRUE(look("xdmf_references.py", at("a & b/a.xmf"), at("a.h5")));
    fs::rename(at("a.h5"), at("a & b/a.h5"));
    const std::vector<std::string> moved{at("a & b/a.h5")};
    write_xdmf(moved, at("a.xmf"));
    EXPECT_TRUE(look("xdmf_references.py", at("a.xmf"), at("a & b/a.h5")));
}

TEST_F(Looks, ParaViewOpensXdmf) {
    run_blocks();
    run_points();
    if (world_rank() != 0) return;
    if (!look("paraview_grids.py", at("a.xmf"), at("a.h5"))) GTEST_SKIP() << "no pvpython (Debian: python3-paraview)";
    EXPECT_TRUE(look("paraview_grids.py", at("p.xmf"), at("p.h5")));
}

TEST_F(Looks, XdmfThatCannotBeWritten) {
    run_points();
    const std::vector<std::string> one{at("p.h5")}, none{at("none.h5")}, foreign{at("foreign.h5")};
    if (world_rank() == 0) {
        make_file(foreign[0], [](const Hdf5File& file) { file.create("values", {3}, H5T_IEEE_F64LE); });
        std::ofstream(at("old.xmf")) << "old";
    }
    const auto said = [&](const std::vector<std::string>& hdf5, const std::string& xdmf) {
        MPI_Barrier(MPI_COMM_WORLD);
        return agreed([&] { write_xdmf(hdf5, xdmf); }).message;
    };
    EXPECT_HAS(said(none, at("old.xmf")), at("none.h5") + ": no such file");
    EXPECT_HAS(said(foreign, at("old.xmf")), at("foreign.h5") + ": has neither blocks (\"node type\") nor points");
    EXPECT_HAS(said(one, at("p.h5")), at("p.h5") + ": the XDMF would replace the HDF5 file");
    EXPECT_HAS(said(one, at("no/p.xmf")), at("no/p.xmf") + ": cannot be created");
    EXPECT_EQ(fs::file_size(at("old.xmf")), 3U);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 4) << "left behind";
}

}  // namespace
}  // namespace gravlet::test
