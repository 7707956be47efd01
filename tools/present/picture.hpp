// SPDX-License-Identifier: Apache-2.0
// Pictures of results, drawn by Python scripts with matplotlib.
#pragma once

#include <string>
#include <vector>

namespace gravlet {

/// A picture that a Python script draws: `script before... PICTURE after...`.
struct Drawing {
    std::string key;     ///< key of the YAML file that asks for it, for messages
    std::string script;  ///< name of the script, beside the command, or installed
    std::vector<std::string> before;
    std::string picture;
    std::vector<std::string> after{};
};

/// Local. Whether draw() can do it, as far as that is known before there is anything to draw: that Python is there with what the
/// script imports, and knows the picture's format. Throws Error(not_available) that says what is missing.
void require_drawing(const std::string& key, const std::string& script, const std::string& picture);

/// Local. Draws the picture. Throws Error(not_available) if Python or a module of it is missing, Error(file) if the script cannot
/// draw; a picture that was there then stays as it is.
void draw(const Drawing& drawing);

/// Local. Draws the picture of a run's HDF5 file, by plot.py. relative_to_rms: how errors are measured
/// (tools/compare/compare.hpp), for the label. Throws what draw() throws.
void draw_picture(const std::string& hdf5, const std::string& picture, bool relative_to_rms);

}  // namespace gravlet
