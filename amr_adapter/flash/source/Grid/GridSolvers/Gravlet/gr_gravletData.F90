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
  integer, save :: gr_gravletGuards = 0   ! layers of guard cells that solves fill
  real, save :: gr_gravletLazy = 0.   ! blocks that are off by no more than that of the field rest; 0: none does
  logical, save :: gr_gravletHolds = .FALSE.   ! blocks hold what lazy solves have left there
  integer, save :: gr_gravletActive(2) = 0   ! blocks that are active in a lazy solve, and all; 0: it is none
  character(len=*), parameter :: gr_gravletLazyScalar = "gravletlazy"   ! in checkpoints of runs with lazy solves
  real, save :: gr_gravletTimeStepShare = 0.
  real, save :: gr_gravletTimeStep = huge(1.)   ! that share of the shortest sqrt(h/|a|) of the last solve with accelerations

contains

  !! The checkpoint's name of the i-th number of a solver's state.
  function gr_gravletScalar(i) result(name)
    integer, intent(IN) :: i
    character(len=10) :: name

    write (name, '(a,i0)') "gravlet", i
  end function gr_gravletScalar
end module gr_gravletData
