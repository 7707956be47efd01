!! SPDX-License-Identifier: Apache-2.0
!! The unit's solver, and what it was made with.
module gr_gravletData
  use gravlet, ONLY : gravlet_solver, gravlet_options
  use gr_gravletListener, ONLY : gr_gravletListener_t
  implicit none

  !! A bcTypes value beside the GRID_PDE_BND_ ones: grav_boundary_type_x, _y and _z tell. The hosts' Gravity_potential has one
  !! code for all faces and hands on those that it does not know.
  integer, parameter :: gr_gravletBndMixed = 7700

  type(gravlet_solver), save :: gr_gravletSolver
  type(gravlet_options), save :: gr_gravletOptions
  type(gr_gravletListener_t), save, target :: gr_gravletHears
  logical, save :: gr_gravletReady = .FALSE.   ! parameters have been read
  integer, save :: gr_gravletReportEvery = 0
  integer, save :: gr_gravletSolves = 0
end module gr_gravletData
