// SPDX-License-Identifier: Apache-2.0
// A drawn snapshot in HDF5 as GADGET, GADGET-4, AREPO and SWIFT have it.
#pragma once

#include "hdf5/attributes.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tests/tools/snapshots/made_snapshot.hpp"

#include <span>
#include <string>
#include <vector>

namespace gravlet::test {

enum class Code { gadget, gadget4, arepo, swift };

inline void write_group(const Hdf5File& file, const MadeSnapshot& s, std::size_t type, const std::vector<MadePoint>& points,
                        Code code) {
    const std::string group = "PartType" + std::to_string(type);
    create_group(file, group);
    std::vector<double> x, v, m;
    std::vector<std::uint64_t> id;
    for (const MadePoint& p : points) {
        x.insert(x.end(), p.x.begin(), p.x.end());
        v.insert(v.end(), p.v.begin(), p.v.end());
        m.push_back(p.mass);
        id.push_back(p.id);
    }
    const hsize_t n = points.size();
    const auto put = [&](const std::string& name, const Shape& shape, const std::vector<double>& values) {
        file.create(group + "/" + name, shape, s.single ? H5T_IEEE_F32LE : H5T_IEEE_F64BE);
        file.write(group + "/" + name, 0, n, std::span<const double>(values));
    };
    put("Coordinates", {n, 3}, x);
    put("Velocities", {n, 3}, v);
    if (code == Code::swift || s.mass_table[type] == 0.0)
        put(code == Code::swift && type == 5 ? "DynamicalMasses" : "Masses", {n}, m);
    file.create(group + "/ParticleIDs", {n}, s.wide_ids ? H5T_STD_U64LE : H5T_STD_U32BE);
    file.write(group + "/ParticleIDs", 0, n, std::span<const std::uint64_t>(id));
    const auto scaling = [&](const char* name, double value) { write_attribute(file, group + "/Coordinates", name, value); };
    if (code == Code::gadget4 || code == Code::arepo) scaling("a_scaling", 1.0), scaling("h_scaling", -1.0);
    if (code == Code::swift) scaling("a-scale exponent", 1.0), scaling("h-scale exponent", 0.0);
}

inline void write_units(const Hdf5File& file, const MadeSnapshot& s, Code code) {
    const auto put = [&](const std::string& group, const char* name, double value) { write_attribute(file, group, name, value); };
    if (code == Code::gadget4) create_group(file, "Parameters");
    if (code == Code::gadget4 || code == Code::arepo) {
        const std::string group = code == Code::arepo ? "Header" : "Parameters";
        put(group, "UnitLength_in_cm", 3.085678e21);
        put(group, "UnitMass_in_g", 1.989e43);
        put(group, "UnitVelocity_in_cm_per_s", 1e5);
    }
    if (code == Code::gadget4) put("Parameters", "ComovingIntegrationOn", 1.0);
    if (code != Code::swift) return put("Header", "HubbleParam", s.hubble);
    create_group(file, "Units");
    put("Units", "Unit length in cgs (U_L)", 3.085678e24);
    put("Units", "Unit mass in cgs (U_M)", 1.989e43);
    put("Units", "Unit time in cgs (U_t)", 3.085678e19);
    create_group(file, "Cosmology");
    write_attribute(file, "Cosmology", "Cosmological run", 1);
    put("Cosmology", "h", s.hubble);
    write_attribute(file, "Header", "Scale-factor", std::array<double, 1>{1.0 / (1.0 + s.redshift)});
}

/// Local. Writes all files; the path of one of them.
inline std::string write_hdf5(const std::string& base, const MadeSnapshot& s, Code code) {
    const std::size_t types = code == Code::swift ? 7 : 6;
    std::string path;
    for (std::size_t k = 0; k < s.files.size(); ++k) {
        path = base + (s.files.size() == 1 ? std::string() : "." + std::to_string(k)) + ".hdf5";
        make_file(path, [&](const Hdf5File& file) {
            create_group(file, "Header");
            std::vector<std::uint64_t> here(types, 0), total(types, 0);
            std::vector<double> masses(types, 0.0);
            for (std::size_t type = 0; type < 6; ++type) {
                here[type] = s.files[k][type].size();
                total[type] = s.total(type);
                if (code != Code::swift) masses[type] = s.mass_table[type];
                if (here[type] > 0) write_group(file, s, type, s.files[k][type], code);
            }
            const std::vector<std::uint32_t> low(total.begin(), total.end());
            write_attribute(file, "Header", "NumPart_ThisFile", here);
            if (code == Code::gadget4)
                write_attribute(file, "Header", "NumPart_Total", total);
            else
                write_attribute(file, "Header", "NumPart_Total", low);
            if (code != Code::gadget4)
                write_attribute(file, "Header", "NumPart_Total_HighWord", std::vector<std::uint32_t>(types));
            write_attribute(file, "Header", "MassTable", masses);
            write_attribute(file, "Header", "NumFilesPerSnapshot", static_cast<int>(s.files.size()));
            write_attribute(file, "Header", "Time", s.time);
            write_attribute(file, "Header", "Redshift", s.redshift);
            const std::vector<double> sides(code == Code::swift ? 3 : 1, s.box);
            write_attribute(file, "Header", "BoxSize", sides);
            write_units(file, s, code);
        });
    }
    return path;
}

}  // namespace gravlet::test
