!! SPDX-License-Identifier: Apache-2.0
!! Sink particles as gravlet has them, and the solver of their own pull.
module gr_gravletSinkData
  use, intrinsic :: iso_c_binding, ONLY : c_double
  use gravlet, ONLY : gravlet_solver
  implicit none

  type(gravlet_solver), save :: gr_gravletSinkSolver
  real, save :: gr_gravletSinkRadius = 0.   ! sink_softening_radius, where softening ends
  !! This rank's: x, y, z, mass, softening length, what the gas does to them in the last potential.
  real(c_double), allocatable, target, save :: gr_gravletSinks(:,:)
  integer, parameter :: SINK_MASS = 4, SINK_LENGTH = 5, SINK_PULL = 6, SINK_NUMBERS = 8
end module gr_gravletSinkData

module gr_gravletSinkInterface
  implicit none

  interface
     subroutine gr_gravletSolveSinks(blocks, points)
       use gravlet, ONLY : gravlet_block, gravlet_points
       type(gravlet_block), intent(IN) :: blocks(:)
       type(gravlet_points), intent(IN) :: points
     end subroutine gr_gravletSolveSinks
  end interface
end module gr_gravletSinkInterface
