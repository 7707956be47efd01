#if 0
  SPDX-License-Identifier: Apache-2.0
  What the unit reads of both codes' constants.h.
#endif
#define MAX_STRING_LENGTH 80
#define PI 3.1415926535897932384
#define CARTESIAN 1
#define CYLINDRICAL 3
#define PERIODIC -135
#define ISOLATED -133
#define MDIM 3
#define LOW 1
#define HIGH 2
#define LEAF 1
#define CENTER 2
#define ALLDIR -1
#define SWEEP_X 1
#define SWEEP_Y 2
#define SWEEP_Z 3
#define MESH_COMM 987
