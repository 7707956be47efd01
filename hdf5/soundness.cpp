// SPDX-License-Identifier: Apache-2.0
#include "hdf5/soundness.hpp"

#include "hdf5/handle.hpp"

#include <cstddef>

namespace gravlet {
namespace {

constexpr const char* bad_type = "its type is damaged";

bool is_sound(hid_t type, int depth = 0);

// Each member inside of the whole.
bool is_sound_compound(hid_t type, int depth) {
    const std::size_t size = H5Tget_size(type);
    const int members = H5Tget_nmembers(type);
    for (int i = 0; i < members; ++i) {
        const Handle member(H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose);
        if (!member.valid() || !is_sound(member.get(), depth + 1)) return false;
        const std::size_t offset = H5Tget_member_offset(type, static_cast<unsigned>(i)), length = H5Tget_size(member.get());
        if (length > size || offset > size - length) return false;
    }
    return members > 0;
}

// All bits inside of the number.
bool is_sound_number(hid_t type) {
    const std::size_t bits = 8 * H5Tget_size(type), precision = H5Tget_precision(type);
    const int offset = H5Tget_offset(type);
    if (precision == 0 || precision > bits || offset < 0 || static_cast<std::size_t>(offset) > bits - precision) return false;
    if (H5Tget_class(type) != H5T_FLOAT) return true;
    std::size_t sign = 0, exponent_at = 0, exponent = 0, mantissa_at = 0, mantissa = 0;
    return H5Tget_fields(type, &sign, &exponent_at, &exponent, &mantissa_at, &mantissa) >= 0 && sign < bits && exponent <= bits &&
           exponent_at <= bits - exponent && mantissa <= bits && mantissa_at <= bits - mantissa;
}

bool is_sound(hid_t type, int depth) {
    constexpr int deepest = 8;
    constexpr std::size_t largest = std::size_t{1} << 20;  // bytes of one value
    const std::size_t size = H5Tget_size(type);
    if (size == 0 || size > largest || depth > deepest) return false;
    switch (H5Tget_class(type)) {
        case H5T_COMPOUND: return is_sound_compound(type, depth);
        case H5T_INTEGER:
        case H5T_BITFIELD:
        case H5T_FLOAT: return is_sound_number(type);
        case H5T_ENUM:
        case H5T_ARRAY: {
            const Handle inner(H5Tget_super(type), H5Tclose);
            return inner.valid() && is_sound(inner.get(), depth + 1) && H5Tget_size(inner.get()) <= size;
        }
        default: return true;
    }
}

}  // namespace

const char* damage_of_set(hid_t set) {
    const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    if (!type.valid() || !is_sound(type.get())) return bad_type;
    const Handle made_with(H5Dget_create_plist(set), H5Pclose);
    if (!made_with.valid()) return "how its values are kept is damaged";
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 0) return "its shape is damaged";
    const bool compact = H5Pget_layout(made_with.get()) == H5D_COMPACT;
    if (compact && H5Dget_storage_size(set) / H5Tget_size(type.get()) < static_cast<hsize_t>(count))
        return "it has fewer values than its shape says";
    return nullptr;
}

const char* damage_of_attribute(hid_t attribute) {
    const Handle type(H5Aget_type(attribute), H5Tclose);
    return type.valid() && is_sound(type.get()) ? nullptr : bad_type;
}

}  // namespace gravlet
