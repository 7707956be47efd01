// SPDX-License-Identifier: Apache-2.0
// A binary file of records as Fortran writes them, each between two marks of four bytes that are its length, in either order of
// bytes. All of it is local; every failure throws Error(file) that names the file. What a mark says is compared with the file's
// size before anything is read.
#pragma once

#include "hdf5/descriptor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace gravlet {

class RecordFile {
public:
    static constexpr std::uint64_t mark_bytes = 4;

    struct Record {
        std::uint64_t begin = 0, length = 0;  ///< place and bytes of what is between the marks
        [[nodiscard]] std::uint64_t end() const { return begin + length + mark_bytes; }
    };

    /// `first_lengths`: what its first record may have; by this the order of bytes is found.
    RecordFile(const std::string& path, std::initializer_list<std::uint32_t> first_lengths);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool is_big_endian() const { return swapped_ == (std::endian::native == std::endian::little); }
    [[noreturn]] void fail(const std::string& what) const;

    /// The record that begins at byte `at`, of one of these lengths; none: of that which its mark says. A mark holds no more than
    /// the lower 32 bits of a length. `name`: what is there, in messages.
    [[nodiscard]] Record record(std::uint64_t at, const std::string& name, std::span<const std::uint64_t> lengths = {}) const;

    void read(std::uint64_t at, std::span<std::byte> bytes) const;
    /// Turns one value of this file into one of this machine.
    template <class T>
    [[nodiscard]] T value(const std::byte* bytes) const {
        std::array<std::byte, sizeof(T)> own;
        std::copy_n(bytes, own.size(), own.begin());
        if (swapped_) std::ranges::reverse(own);
        return std::bit_cast<T>(own);
    }
    template <class T>
    [[nodiscard]] T value_at(std::uint64_t at) const {
        std::array<std::byte, sizeof(T)> bytes;
        read(at, bytes);
        return value<T>(bytes.data());
    }

private:
    std::string path_;
    Descriptor file_;
    std::uint64_t size_ = 0;
    bool swapped_ = false;
};

}  // namespace gravlet
