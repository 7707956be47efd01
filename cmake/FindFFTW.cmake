# SPDX-License-Identifier: Apache-2.0
# FFTW 3 in double precision, of one thread (gravlet shares lines out among its own), or a library with its interface: FFTW::FFTW.
find_path(FFTW_INCLUDE_DIR fftw3.h)
find_library(FFTW_LIBRARY fftw3)
mark_as_advanced(FFTW_INCLUDE_DIR FFTW_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW REQUIRED_VARS FFTW_LIBRARY FFTW_INCLUDE_DIR)
if(FFTW_FOUND AND NOT TARGET FFTW::FFTW)
    add_library(FFTW::FFTW INTERFACE IMPORTED GLOBAL)
    set_target_properties(FFTW::FFTW PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${FFTW_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES ${FFTW_LIBRARY})
endif()
