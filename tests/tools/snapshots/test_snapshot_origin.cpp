// SPDX-License-Identifier: Apache-2.0
// What snapshots state of themselves is said: in tables, JSON and files that are made from them, also by a run that goes on.
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "tests/tools/snapshots/made_hdf5.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/run.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace gravlet::test {
namespace {

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

MadeSnapshot a_snapshot() {
    MadeSnapshot s;
    s.files.resize(1);
    for (std::uint64_t i = 0; i < 40; ++i)
        s.files[0][i < 30 ? 1 : 5].push_back(
            {{0.1 * static_cast<double>(i), 1.0 / (1.0 + static_cast<double>(i)), 0.5}, {}, 1.0, i});
    return s;
}

class SnapshotOrigins : public RankFolder {
protected:
    RunResult solve(const std::string& path, const std::string& more = "") {
        MPI_Barrier(MPI_COMM_WORLD);
        return run(MPI_COMM_WORLD, parse_config("problem: {kind: snapshot, path: " + path + more +
                                                    "}\nrun: {warmup: 0, repeat: 1}\noutput: {hdf5: " + at("out.h5") + "}",
                                                {}, "test"));
    }
    // What HDF5 has of it, after the table and JSON have it too.
    std::string said(const RunResult& result) {
        MPI_Barrier(MPI_COMM_WORLD);
        const std::string text = read_text_attribute(Hdf5File(at("out.h5"), Hdf5File::Mode::read), "/", input_attribute);
        const nlohmann::json json = nlohmann::json::parse(to_json(result))["input"];
        const std::string table = to_table(result);
        for (const auto& [name, value] : result.input) {
            EXPECT_TRUE(json.contains(name)) << name;
            EXPECT_HAS("\n" + text, "\n" + name + "=");
            EXPECT_HAS(table, name == "format" ? "input                   " : "  " + name + ": ");
        }
        MPI_Barrier(MPI_COMM_WORLD);
        return "\n" + text + "\n";
    }
    std::string hdf5(Code code, const MadeSnapshot& s) {
        if (world_rank() == 0) write_hdf5(at("a"), s, code);
        return at("a.hdf5");
    }
};

TEST_F(SnapshotOrigins, OfBinaryFiles) {
    if (world_rank() == 0) write_binary(at("a"), a_snapshot(), {.named = true, .big_endian = true});
    const std::string text = said(solve(at("a"), ", types: [1]"));
    EXPECT_HAS(text,
               "\nformat=GADGET-2 binary, SnapFormat 2, big-endian, single precision\nfiles=1\npoints=30 of type 1\n"
               "left_out=10 of type 5\nTime=0.5\nRedshift=1\nHubbleParam=0.7\nunits=the file states none\n"
               "coordinates=as stored; of a cosmological run: by GADGET's convention comoving, and with 1/h\n");
    MadeSnapshot isolated = a_snapshot();
    isolated.redshift = 0.0;
    isolated.single = false;
    if (world_rank() == 0) write_binary(at("a"), isolated, {});
    EXPECT_HAS(said(solve(at("a"))), "coordinates=as stored; the file does not say whether they are comoving, or with 1/h\n");
}

TEST_F(SnapshotOrigins, OfGadget4AndArepo) {
    for (const Code code : {Code::gadget4, Code::arepo}) {
        const std::string text = said(solve(hdf5(code, a_snapshot())));
        EXPECT_HAS(
            text,
            "\nformat=HDF5\nfiles=1\npoints=30 of type 1, 10 of type 5\nTime=0.5\nRedshift=1\nHubbleParam=0.7\n"
            "UnitLength_in_cm=3.085678e+21\nUnitMass_in_g=1.989e+43\nUnitVelocity_in_cm_per_s=100000\nG_in_these_units=43021.");
        EXPECT_HAS(text, "\ncoordinates=as stored; the file says that lengths are these times a^1 h^-1\n");
    }
}

TEST_F(SnapshotOrigins, OfSwift) {
    const std::string text = said(solve(hdf5(Code::swift, a_snapshot())));
    EXPECT_HAS(text,
               "\nscale_factor=0.5\nHubbleParam=0.7\nUnitLength_in_cm=3.085678e+24\nUnitMass_in_g=1.989e+43\n"
               "UnitTime_in_s=3.085678e+19\nG_in_these_units=43.02");
    EXPECT_HAS(text, "\ncoordinates=as stored; the file says that lengths are these times a^1 h^0\n");
}

TEST_F(SnapshotOrigins, OfNoCosmology) {
    if (world_rank() == 0) {
        write_hdf5(at("a"), a_snapshot(), Code::gadget);
        write_attribute(Hdf5File(at("a.hdf5"), Hdf5File::Mode::write), "Header", "ComovingIntegrationOn", 0);
    }
    EXPECT_HAS(said(solve(at("a.hdf5"))), "coordinates=as stored; the file says that they are not comoving\n");
}

// What is stated in another way is not stated, and no reason to refuse the file.
TEST_F(SnapshotOrigins, ThatCannotBeRead) {
    if (world_rank() == 0) {
        write_hdf5(at("a"), a_snapshot(), Code::gadget);
        const Hdf5File file(at("a.hdf5"), Hdf5File::Mode::write);
        write_attribute(file, "Header", "UnitLength_in_cm", std::string_view("3.1e21"));
        write_attribute(file, "Header", "UnitMass_in_g", std::array{1.0, 2.0});
    }
    EXPECT_HAS(said(solve(at("a.hdf5"))), "\nunits=the file states none\n");
}

// Snapshots of a run have what it began from, and so have those of one that goes on.
TEST_F(SnapshotOrigins, OfARunThatGoesOn) {
    const std::string start = hdf5(Code::arepo, a_snapshot());
    MPI_Barrier(MPI_COMM_WORLD);
    const auto go = [&](const std::string& name, const std::vector<std::string>& overrides) {
        return evolve(MPI_COMM_WORLD,
                      parse_evolve_config("problem: {kind: snapshot, path: " + start +
                                              "}\nsolver: {softening: 0.5, threads: 1}\nevolve: {end: 0.5, step: 0.125}\n"
                                              "output: {every: 2, snapshots: " +
                                              at(name) + "}",
                                          overrides, "test"));
    };
    const EvolveResult whole = go("s", {});
    EXPECT_HAS(to_table(whole), "  UnitMass_in_g: 1.989e+43\n");
    EXPECT_EQ(nlohmann::json::parse(to_json(whole))["input"]["HubbleParam"], 0.7);
    EXPECT_TRUE(go("t", {"evolve.restart=" + at("s_0001.hdf5")}).input.empty());
    MPI_Barrier(MPI_COMM_WORLD);
    const auto bytes = [&](const std::string& name) {
        std::ifstream file(at(name), std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    EXPECT_HAS(read_snapshot(MPI_COMM_WORLD, at("s_0002.hdf5")).input, "\nUnitMass_in_g=1.989e+43\n");
    EXPECT_TRUE(bytes("t_0002.hdf5") == bytes("s_0002.hdf5"));
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(SnapshotOrigins, OfPointsThatAreDrawnThereIsNone) {
    const RunResult result = run(MPI_COMM_WORLD, parse_config("problem: {kind: plummer, n: 50}", {}, "test"));
    EXPECT_TRUE(result.input.empty());
    EXPECT_FALSE(nlohmann::json::parse(to_json(result)).contains("input"));
}

}  // namespace
}  // namespace gravlet::test
