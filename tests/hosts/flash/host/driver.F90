!! SPDX-License-Identifier: Apache-2.0
!! HOST_ABORT: as the code calls it, Driver_abort or Driver_abortFlash.
module Driver_interface
  use, intrinsic :: iso_fortran_env, ONLY : output_unit
  use mpi
  implicit none
  private
  public :: HOST_ABORT, Driver_getComm, Driver_getMype, Driver_getNumProcs
#include "constants.h"

contains

  subroutine HOST_ABORT(errorMessage)
    character(len=*), intent(in) :: errorMessage
    integer :: error

    print '(2a)', "aborted: ", errorMessage
    flush(output_unit)
    call MPI_Abort(MPI_COMM_WORLD, 3, error)
  end subroutine HOST_ABORT

  subroutine Driver_getComm(communicatorType, communicator, axis)
    integer, intent(IN) :: communicatorType
    integer, intent(OUT) :: communicator
    integer, optional, intent(IN) :: axis

    if (communicatorType /= MESH_COMM .or. present(axis)) error stop "Driver_getComm: not of the mesh"
    communicator = MPI_COMM_WORLD
  end subroutine Driver_getComm

  subroutine Driver_getMype(communicatorType, mype, axis)
    integer, intent(IN) :: communicatorType
    integer, intent(OUT) :: mype
    integer, optional, intent(IN) :: axis
    integer :: communicator, error

    call Driver_getComm(communicatorType, communicator, axis)
    call MPI_Comm_rank(communicator, mype, error)
  end subroutine Driver_getMype

  subroutine Driver_getNumProcs(communicatorType, numProcs, axis)
    integer, intent(IN) :: communicatorType
    integer, intent(OUT) :: numProcs
    integer, optional, intent(IN) :: axis
    integer :: communicator, error

    call Driver_getComm(communicatorType, communicator, axis)
    call MPI_Comm_size(communicator, numProcs, error)
  end subroutine Driver_getNumProcs
end module Driver_interface
