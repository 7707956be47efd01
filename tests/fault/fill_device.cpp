// SPDX-License-Identifier: Apache-2.0
// fill_device MEGABYTES [DEVICE]: takes all memory of a device but so many MB, until its standard input ends: for tests by hand
// of what a solver does on a card that another process has filled.
//     mkfifo hold; fill_device 300 < hold & exec 3> hold; mpirun -np 2 test_...; exec 3>&-
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace {

constexpr std::size_t megabyte = 1000000;

std::size_t free_bytes() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return free;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || cudaSetDevice(argc > 2 ? std::atoi(argv[2]) : 0) != cudaSuccess) {
        std::cerr << "fill_device MEGABYTES [DEVICE]: no such device, or nothing said\n";
        return 1;
    }
    const std::size_t left = static_cast<std::size_t>(std::atol(argv[1])) * megabyte;
    // Smaller and smaller allocations, as the device hands out.
    for (std::size_t bytes = free_bytes(); bytes >= megabyte;) {
        void* data = nullptr;
        if (free_bytes() < left + bytes || cudaMalloc(&data, bytes) != cudaSuccess) {
            cudaGetLastError();
            bytes /= 2;
        }
    }
    std::cout << free_bytes() / megabyte << " MB are free" << std::endl;
    while (std::cin.get() != EOF) {
    }
    return 0;
}
