#if 0
  SPDX-License-Identifier: Apache-2.0
  What Flash-X's setup writes of a simulation.
#endif
#define NDIM 3
#define NUNK_VARS 2
#define DENS_VAR 1
#define GPOT_VAR 2
