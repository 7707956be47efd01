// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The potential at either of two unit masses, on this rank alone.
double potential_of_pair(double distance);
