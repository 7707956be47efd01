#if 0
  SPDX-License-Identifier: Apache-2.0
  What FLASH4's setup writes of a simulation, with sinks.
#endif
#define NDIM 3
#define MAXBLOCKS 20
#define NUNK_VARS 2
#define DENS_VAR 1
#define GPOT_VAR 2
#define NPART_PROPS 5
#define MASS_PART_PROP 2
#define POSX_PART_PROP 3
#define POSY_PART_PROP 4
#define POSZ_PART_PROP 5
