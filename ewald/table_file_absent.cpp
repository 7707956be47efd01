// SPDX-License-Identifier: Apache-2.0
#include "ewald/table_file.hpp"

#include <gravlet/error.hpp>

namespace gravlet {
namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::not_available, "ewald_cache: gravlet was built without HDF5, in which tables are kept");
}

}  // namespace

EwaldTable read_table(const std::string&, const EwaldParameters&) { refuse(); }
void write_table(const std::string&, const EwaldParameters&, const EwaldTable&) { refuse(); }

}  // namespace gravlet
