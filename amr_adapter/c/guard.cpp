// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/c/handle.hpp"
#include "mpi/agreement.hpp"

namespace gravlet {
namespace {

thread_local std::string last_message;

}  // namespace

int guarded(const std::function<void()>& call) noexcept {
    try {
        call();
        return GRAVLET_SUCCESS;
    } catch (...) {
        try {
            const Error error = as_error(std::current_exception());
            last_message = error.what();
            return static_cast<int>(error.code());
        } catch (...) {  // no memory for the words
            return GRAVLET_OUT_OF_MEMORY;
        }
    }
}

}  // namespace gravlet

const char* gravlet_error_message() { return gravlet::last_message.c_str(); }
