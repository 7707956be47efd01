// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/device_use.hpp"

#include <cuda.h>
#include <dlfcn.h>

namespace gravlet {
namespace {

/// The CUDA driver, if something in this process has loaded it.
class Driver {
public:
    Driver() : library_(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD)) {
        if (library_ == nullptr) return;  // then nobody in this process has used a device
        get_device_ = reinterpret_cast<decltype(get_device_)>(dlsym(library_, "cuDeviceGet"));
        get_state_ = reinterpret_cast<decltype(get_state_)>(dlsym(library_, "cuDevicePrimaryCtxGetState"));
    }
    ~Driver() {
        if (library_ != nullptr) dlclose(library_);
    }
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    [[nodiscard]] bool has_context(int device) const {
        CUdevice handle = 0;
        unsigned flags = 0;
        int active = 0;
        return get_device_ != nullptr && get_state_ != nullptr && get_device_(&handle, device) == CUDA_SUCCESS &&
               get_state_(handle, &flags, &active) == CUDA_SUCCESS && active != 0;
    }

private:
    void* library_;
    CUresult (*get_device_)(CUdevice*, int) = nullptr;
    CUresult (*get_state_)(CUdevice, unsigned*, int*) = nullptr;
};

}  // namespace

bool is_in_use(int device) { return Driver().has_context(device); }

}  // namespace gravlet
