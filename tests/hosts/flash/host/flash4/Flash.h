#if 0
  SPDX-License-Identifier: Apache-2.0
  What FLASH4's setup writes of a simulation, with sinks.
#endif
#define NDIM 3
#define MAXBLOCKS 140
#define NGUARD 2
#define NUNK_VARS 13
#define DENS_VAR 1
#define GPOT_VAR 2
#define GPOL_VAR 3
#if defined(HOST_LAZY) || defined(HOST_SINKS)
#define GDNS_VAR 13
#endif
#ifdef HOST_ACCELERATION
#define GACX_VAR 4
#define GACY_VAR 5
#define GACZ_VAR 6
#define GAOX_VAR 7
#define GAOY_VAR 8
#define GAOZ_VAR 9
#endif
#ifdef HOST_SINKS
#define SGAX_VAR 10
#define SGAY_VAR 11
#define SGAZ_VAR 12
#endif
#define NPART_PROPS 8
#define ACCX_PART_PROP 6
#define ACCY_PART_PROP 7
#define ACCZ_PART_PROP 8
#define MASS_PART_PROP 2
#define POSX_PART_PROP 3
#define POSY_PART_PROP 4
#define POSZ_PART_PROP 5
