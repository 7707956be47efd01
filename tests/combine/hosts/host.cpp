// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/hosts/host.hpp"

namespace gravlet::combine {

std::unique_ptr<Host> make_host(Language language) {
    if (language == Language::c) return make_c_host();
#ifdef GRAVLET_COMBINE_FORTRAN
    if (language == Language::fortran) return make_fortran_host();
#endif
    return make_cpp_host();
}

}  // namespace gravlet::combine
