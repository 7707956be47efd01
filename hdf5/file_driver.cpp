// SPDX-License-Identifier: Apache-2.0
#include "hdf5/file_driver.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

namespace gravlet {
namespace {

constexpr herr_t done = 0, failed = -1;

/// What open() gets from the property list.
struct Given {
    int file;
    const FileTrouble* trouble;
};

/// HDF5 knows the first member and leaves the others alone.
struct DriverFile {
    H5FD_t known{};
    int file = -1;
    bool writes = false;
    FileTrouble trouble{};
    haddr_t allocated = 0, end = 0;
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

void keep_reason(DriverFile& f) {
    if (*f.trouble == 0) *f.trouble = errno != 0 ? errno : EIO;
}

bool asked = false;  // HDF5 has called query() without a file

H5FD_t* open_given(const char*, unsigned flags, hid_t properties, haddr_t) {
    const auto* given = static_cast<const Given*>(H5Pget_driver_info(properties));
    struct stat state {};
    if (given == nullptr || fstat(given->file, &state) != 0) return nullptr;
    auto* f = new (std::nothrow) DriverFile;
    if (f == nullptr) return nullptr;
    f->writes = (flags & H5F_ACC_RDWR) != 0;
    f->file = fcntl(given->file, F_DUPFD_CLOEXEC, 0);
    f->trouble = *given->trouble;
    f->end = static_cast<haddr_t>(state.st_size);
    if (f->file < 0) {
        keep_reason(*f);
        delete f;
        return nullptr;
    }
    return &f->known;
}

herr_t close_file(H5FD_t* file) {
    if (close(of(file).file) != 0) keep_reason(of(file));
    delete &of(file);
    return done;
}

// As HDF5's own, but files that are only read are read without its accumulator of metadata: HDF5 1.10 crashes there on addresses
// that damaged files have. HDF5 also asks without a file.
herr_t query(const H5FD_t* file, unsigned long* flags) {
    if (file == nullptr) asked = true;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    if (file != nullptr && of(file).writes) *flags |= H5FD_FEAT_ACCUMULATE_METADATA;
    return done;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    of(file).allocated = end;
    return done;
}

haddr_t end_of(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

bool is_address(haddr_t address, std::size_t size) {
    constexpr auto last = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    return address <= last && size <= last - address;
}

// Behind its end a file holds zeros.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* to) {
    if (!is_address(address, size)) return failed;
    auto* bytes = static_cast<char*>(to);
    while (size > 0) {
        const ssize_t count = pread(of(file).file, bytes, size, static_cast<off_t>(address));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            keep_reason(of(file));
            return failed;
        }
        if (count == 0) {
            std::memset(bytes, 0, size);
            return done;
        }
        bytes += count;
        address += static_cast<haddr_t>(count);
        size -= static_cast<std::size_t>(count);
    }
    return done;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* from) {
    if (!is_address(address, size)) return failed;
    DriverFile& f = of(file);
    f.end = std::max(f.end, address + size);
    const auto* bytes = static_cast<const char*>(from);
    while (size > 0 && *f.trouble == 0) {
        const ssize_t count = pwrite(f.file, bytes, size, static_cast<off_t>(address));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            keep_reason(f);
            break;
        }
        bytes += count;
        address += static_cast<haddr_t>(count);
        size -= static_cast<std::size_t>(count);
    }
    return done;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
    DriverFile& f = of(file);
    if (f.allocated == f.end) return done;
    if (*f.trouble == 0 && ftruncate(f.file, static_cast<off_t>(f.allocated)) != 0) keep_reason(f);
    f.end = f.allocated;
    return done;
}

// File systems that know no locks are no reason to read nothing.
herr_t set_lock(H5FD_t* file, int operation) {
    const bool locked =
        flock(of(file).file, operation | LOCK_NB) == 0 || errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK;
    if (!locked) keep_reason(of(file));
    return locked ? done : failed;
}

herr_t lock(H5FD_t* file, hbool_t for_writing) { return set_lock(file, for_writing ? LOCK_EX : LOCK_SH); }
herr_t unlock(H5FD_t* file) { return set_lock(file, LOCK_UN); }

// Member by member: their order is another one in each version of HDF5.
H5FD_class_t driver_class() {
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(511);  // the last of those for tests and local use
#endif
    driver.name = "gravlet";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(Given);
    driver.open = open_given;
    driver.close = close_file;
    driver.query = query;
    driver.get_eoa = allocated;
    driver.set_eoa = set_allocated;
    driver.get_eof = end_of;
    driver.read = read_bytes;
    driver.write = write_bytes;
    driver.truncate = truncate;
    driver.lock = lock;
    driver.unlock = unlock;
    std::fill_n(driver.fl_map, static_cast<std::size_t>(H5FD_MEM_NTYPES), H5FD_MEM_SUPER);
    std::fill_n(driver.fl_map + H5FD_MEM_DRAW, 2, H5FD_MEM_DRAW);  // H5FD_FLMAP_DICHOTOMY, as HDF5's own driver has it
    return driver;
}

// Registered once, and never taken back: of a file, HDF5 1.10 lets its driver go, which is freed where nobody else holds it,
// before it calls it to close; at exit too, with what could not be closed before. A host's H5close() forgets drivers, and their
// numbers become others'.
hid_t driver() {
    static hid_t id = H5I_INVALID_HID;
    unsigned long flags = 0;
    asked = false;
    if (id >= 0 && H5Iget_type(id) == H5I_VFL) H5FDdriver_query(id, &flags);
    if (!asked) {
        const H5FD_class_t ours = driver_class();
        id = H5FDregister(&ours);
    }
    return id;
}

}  // namespace

hid_t open_hdf5(const char* path, unsigned flags, int file, const FileTrouble& trouble) {
    const Given given{file, &trouble};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const hid_t opened = H5Pset_driver(access, driver(), &given) < 0 ? H5I_INVALID_HID : H5Fopen(path, flags, access);
    if (access >= 0) H5Pclose(access);
    return opened;
}

}  // namespace gravlet
