# SPDX-License-Identifier: Apache-2.0
# Highway, fmt and Thrust: the system's, or those that a release brings along in third_party/ (scripts/release puts them there).
#
# What a release brings stays inside gravlet: fmt and Thrust are headers, Highway is compiled into the library, under a namespace
# of its own. So an installed package asks its users for none of them, and a host may have others of any version. A target of
# these names that the host's own project has made before is taken all the same.
set(GRAVLET_THIRD_PARTY_DIR ${PROJECT_SOURCE_DIR}/third_party CACHE PATH "Where Highway, fmt and Thrust of GRAVLET_BUNDLED are")
set(gravlet_has_third_party OFF)
if(EXISTS ${GRAVLET_THIRD_PARTY_DIR})
    set(gravlet_has_third_party ON)
endif()
option(GRAVLET_BUNDLED "Take Highway, fmt and Thrust from third_party/, not from the system" ${gravlet_has_third_party})
if(GRAVLET_BUNDLED AND NOT gravlet_has_third_party)
    message(FATAL_ERROR
        "GRAVLET_BUNDLED is ${GRAVLET_BUNDLED}, but there is no ${GRAVLET_THIRD_PARTY_DIR}: releases have it (scripts/release)")
endif()

set(GRAVLET_FOUND_LIBRARIES)   # what the library links, and its users too where it is static
set(GRAVLET_BUNDLED_SOURCES)   # what is compiled into it instead
set(GRAVLET_NEEDS_HWY ON)      # of its users
set(GRAVLET_NEEDS_FMT ON)
if(NOT GRAVLET_BUNDLED)
    # GLOBAL: a host that adds this repository as a subdirectory links them through gravlet.
    find_package(hwy QUIET CONFIG GLOBAL)
    find_package(fmt QUIET CONFIG GLOBAL)
    find_path(GRAVLET_THRUST_INCLUDE_DIR thrust/version.h)
    set(missing)
    if(NOT hwy_FOUND)
        list(APPEND missing "Highway (Debian's libhwy-dev)")
    endif()
    if(NOT fmt_FOUND)
        list(APPEND missing "fmt (libfmt-dev)")
    endif()
    if(NOT GRAVLET_THRUST_INCLUDE_DIR)
        list(APPEND missing "Thrust (libthrust-dev)")
    endif()
    if(missing)
        list(JOIN missing ", " missing)
        message(FATAL_ERROR "gravlet: not found: ${missing}. On Debian and Ubuntu scripts/install-deps installs what is missing. Without "
            "root take a release tarball, which brings all three along, or name the folders that they are installed in: "
            "-D CMAKE_PREFIX_PATH=FOLDER (docs/guide/install.md says more)")
    endif()
    set(GRAVLET_FOUND_LIBRARIES hwy::hwy hwy::hwy_contrib fmt::fmt)
    return()
endif()
message(STATUS "gravlet: Highway, fmt and Thrust from ${GRAVLET_THIRD_PARTY_DIR}")

if(TARGET fmt::fmt)
    list(APPEND GRAVLET_FOUND_LIBRARIES fmt::fmt)
else()
    # Imported: known in gravlet's own folders alone, and free for the host to define later.
    set(GRAVLET_NEEDS_FMT OFF)
    add_library(fmt::fmt INTERFACE IMPORTED)
    target_include_directories(fmt::fmt INTERFACE ${GRAVLET_THIRD_PARTY_DIR}/fmt/include)
    target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

if(TARGET hwy::hwy)
    list(APPEND GRAVLET_FOUND_LIBRARIES hwy::hwy hwy::hwy_contrib)
else()
    set(GRAVLET_NEEDS_HWY OFF)
    set(highway ${GRAVLET_THIRD_PARTY_DIR}/highway)
    add_library(hwy::hwy INTERFACE IMPORTED)
    target_include_directories(hwy::hwy INTERFACE ${highway})
    # Another Highway in the same program has the same names, and neither linker nor loader would tell the two apart.
    target_compile_definitions(hwy::hwy INTERFACE hwy=gravlet_hwy)
    # Of the sorts the one that cpu/sort.cpp calls: each takes a while to compile.
    set(GRAVLET_BUNDLED_SOURCES
        ${highway}/hwy/aligned_allocator.cc ${highway}/hwy/per_target.cc ${highway}/hwy/targets.cc
        ${highway}/hwy/contrib/sort/vqsort.cc ${highway}/hwy/contrib/sort/vqsort_128a.cc)
    set_source_files_properties(${GRAVLET_BUNDLED_SOURCES} PROPERTIES COMPILE_OPTIONS -w)  # not our code
endif()

set(GRAVLET_THRUST_INCLUDE_DIR ${GRAVLET_THIRD_PARTY_DIR}/thrust)
