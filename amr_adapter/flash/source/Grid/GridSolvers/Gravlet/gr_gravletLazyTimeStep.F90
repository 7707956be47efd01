!! SPDX-License-Identifier: Apache-2.0
!! The solve has told the shortest time step of its targets: that of blocks that rest may be shorter.
subroutine gr_gravletLazyTimeStep(blocks)
  use, intrinsic :: iso_c_binding, ONLY : c_double
  use mpi, ONLY : MPI_MIN
  use gravlet, ONLY : gravlet_block, gravlet_report
  use gr_gravletData, ONLY : solver => gr_gravletSolver, gr_gravletTimeStep, gr_gravletTimeStepShare
  use gr_gravletInterface, ONLY : gr_gravletReduce
  use gr_gravletSamples, ONLY : gr_gravletCells
  implicit none

  type(gravlet_block), intent(IN) :: blocks(:)
  type(gravlet_report) :: report
  real(c_double), pointer, dimension(:,:,:) :: x, y, z
  real :: shortest(1), strongest
  integer :: b

  call solver%get_report(report)
  shortest = huge(shortest)
  if (report%time_step > 0.) shortest = report%time_step
  do b = 1, size(blocks)
     x => gr_gravletCells(blocks(b), blocks(b)%acceleration(1), blocks(b)%result_stride)
     y => gr_gravletCells(blocks(b), blocks(b)%acceleration(2), blocks(b)%result_stride)
     z => gr_gravletCells(blocks(b), blocks(b)%acceleration(3), blocks(b)%result_stride)
     strongest = sqrt(maxval(x**2 + y**2 + z**2))
     if (strongest > 0.) shortest = min(shortest, sqrt(minval(blocks(b)%cell_size) / strongest))
  end do
  call gr_gravletReduce(shortest, MPI_MIN)
  if (shortest(1) < huge(shortest)) gr_gravletTimeStep = gr_gravletTimeStepShare * shortest(1)
end subroutine gr_gravletLazyTimeStep
