!! SPDX-License-Identifier: Apache-2.0
!! Collective over the unit's communicator: values become those of all ranks. All are reals, as some MPI modules want it of one file.
subroutine gr_gravletReduce(values, operation)
  use mpi
  use Driver_interface, ONLY : Driver_getComm
  implicit none
#include "constants.h"

  real, intent(INOUT) :: values(:)
  integer, intent(IN) :: operation
  real :: mine(size(values))
  integer :: comm, error

  call Driver_getComm(MESH_COMM, comm)
  mine = values
  call MPI_Allreduce(mine, values, size(values), MPI_DOUBLE_PRECISION, operation, comm, error)
end subroutine gr_gravletReduce
