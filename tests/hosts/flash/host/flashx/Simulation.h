#if 0
  SPDX-License-Identifier: Apache-2.0
  What Flash-X's setup writes of a simulation.
#endif
#define NDIM 3
#define NGUARD 2
#define NUNK_VARS 13
#define DENS_VAR 1
#define GPOT_VAR 2
#define GPOL_VAR 3
#ifdef HOST_LAZY
#define GDNS_VAR 13
#endif
#ifdef HOST_ACCELERATION
#define GACX_VAR 4
#define GACY_VAR 5
#define GACZ_VAR 6
#endif
