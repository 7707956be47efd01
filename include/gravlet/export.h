/* SPDX-License-Identifier: Apache-2.0
 * What a shared gravlet exports. */
#ifndef GRAVLET_EXPORT_H
#define GRAVLET_EXPORT_H

#define GRAVLET_API __attribute__((visibility("default")))

#endif
