// SPDX-License-Identifier: Apache-2.0
// In OpenMP's place where a compiler has none: what gravlet asks of it, for the one thread that there is.
#pragma once

inline int omp_get_max_threads() { return 1; }
inline int omp_get_num_procs() { return 1; }
inline int omp_get_thread_limit() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline void omp_set_num_threads(int) {}
