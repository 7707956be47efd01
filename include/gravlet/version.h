/* SPDX-License-Identifier: Apache-2.0
 * The version of these headers. (CMakeLists.txt reads it here.) Before 1.0 a new minor version may change the interface. */
#ifndef GRAVLET_VERSION_H
#define GRAVLET_VERSION_H

#define GRAVLET_VERSION_MAJOR 0
#define GRAVLET_VERSION_MINOR 1
#define GRAVLET_VERSION_PATCH 0
/* 100 is 0.1.0. */
#define GRAVLET_VERSION_NUMBER (10000 * GRAVLET_VERSION_MAJOR + 100 * GRAVLET_VERSION_MINOR + GRAVLET_VERSION_PATCH)

#endif
