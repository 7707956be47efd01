!! SPDX-License-Identifier: Apache-2.0
!! Lazy updates of the FLASH unit, in a stand-in for its code: a cloud whose core contracts, in steps that become shorter with it. All
!! cells against solves for all by another solver in each step; what must wake, and what must rest.
#include "constants.h"
program lazy
  use, intrinsic :: iso_c_binding, ONLY : c_loc
  use, intrinsic :: ieee_arithmetic, ONLY : ieee_quiet_nan, ieee_value
  use mpi
  use gravlet, ONLY : gravlet_block, gravlet_default_options, gravlet_options, gravlet_solver, GRAVLET_STEERING_SIZE
  use gr_gravletChange, ONLY : gr_gravletChangeWithin
  use gr_gravletData, ONLY : gr_gravletActive, gr_gravletOptions, gr_gravletSolver
  use gr_gravletHost, ONLY : gr_gravletBlocks
  use gr_gravletSamples, ONLY : gr_gravletOwn
  use mesh, ONLY : allCells, below, blocks, blocksAlong, cells, deal, dens, gpot, guards, ranks, side, unk, variables
  use cloud
  use parameters, ONLY : setParameter
  use Gravity_data, ONLY : grav_poisfact
  use Grid_interface, ONLY : guardsOfGrid
  use IO_interface, ONLY : startRun, writeCheckpoint
  use gravity_calls, ONLY : timeStep
#include "gr_gravletHost.h"
  implicit none
  external :: Gravity_init, Gravity_finalize

  !! What a solve for all finds goes to variables that are free.
  integer, parameter :: acc(3) = [GACX_VAR, GACY_VAR, GACZ_VAR], full(4) = [9, 10, 11, 12], every = product(blocksAlong)
  integer :: error

  call begin()
  !!            cloud, boundary, tolerance, what potentials and accelerations err by over it, blocks active at the end
  call collapse(1, "isolated", "1e-2", [2.5, 2.5], 0.35)
  call collapse(1, "isolated", "1e-3", [2.5, 2.5], 0.75)
  call collapse(1, "periodic", "1e-2", [2.5, 2.5], 0.55)
  call collapse(2, "isolated", "1e-3", [1.0, 4.0], 0.06)
  call expectOwnPotentials()
  call expectRest()
  call expectWaking()
  call expectGuards()
  call expectToleranceUnharmed()
  call expectTheSameBits()
  call MPI_Finalize(error)

contains

  !! 1: a core that contracts, a clump that moves, an envelope that grows a bit. 2: a clump that contracts within a block.
  subroutine cloudAt(kind, time)
    integer, intent(IN) :: kind
    real, intent(IN) :: time
    real :: at(3), a
    integer :: x, y, z

    a = merge(1.4 - 1.1 * time, 1., kind == 1)
    do z = 1, allCells(3)
       do y = 1, allCells(2)
          do x = 1, allCells(1)
             at = centre(x, y, z)
             density(x, y, z) = 0.02 + 1. / (1. + norm2(at - [2.2, 5.1, 4.])**2) &
                  + 8. / a**3 / (1. + (norm2(at - [2., 5.3, 4.2]) / a)**2)**2.5
             if (kind == 1) density(x, y, z) = density(x, y, z) + 0.05 * time / (1. + norm2(at - [2.2, 5.1, 4.])**2) &
                  + 3. * exp(-(norm2(at - [4.6 - 1.5 * time, 7.5, 2.]) / 0.35)**2)
             if (kind == 2) density(x, y, z) = density(x, y, z) &
                  + 20. * (0.3 / (0.6 - 0.4 * time))**3 * exp(-(norm2(at - [2.2, 6.5, 4.3]) / (0.6 - 0.4 * time))**2)
          end do
       end do
    end do
    call put(dens, density)
  end subroutine cloudAt

  !! A variable of all ranks' cells.
  function collected(variable) result(values)
    integer, intent(IN) :: variable
    real, allocatable :: values(:,:,:), mine(:,:,:)
    integer :: block, low(3), high(3)

    allocate(mine(allCells(1), allCells(2), allCells(3)), source=0.)
    allocate(values, mold=mine)
    do block = 1, blocks
       low = below(block) + 1
       high = below(block) + cells
       mine(low(1):high(1), low(2):high(2), low(3):high(3)) = &
            unk(variable, guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3), block)
    end do
    call MPI_Allreduce(mine, values, size(mine), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end function collected

  !! Blocks go to other ranks, with what they hold.
  subroutine redistribute(first)
    integer, intent(IN) :: first
    real, allocatable :: held(:,:,:,:)
    integer :: v

    allocate(held(allCells(1), allCells(2), allCells(3), variables))
    do v = 1, variables
       held(:, :, :, v) = collected(v)
    end do
    call deal(first)
    unk = untouched
    do v = 1, variables
       call put(v, held(:, :, :, v))
    end do
  end subroutine redistribute

  real function timeOf(step)
    integer, intent(IN) :: step

    timeOf = 1. - 0.75**step
  end function timeOf

  subroutine collapse(kind, boundary, tolerance, bounds, mostActive)
    integer, intent(IN) :: kind
    character(len=*), intent(IN) :: boundary, tolerance
    real, intent(IN) :: bounds(2), mostActive
    type(gravlet_solver) :: other
    real :: tolerated, worst(2)
    integer :: step, late

    read(tolerance, *) tolerated
    call beginRun(boundary, tolerance)
    call other%create(MPI_COMM_WORLD, gr_gravletOptions)
    worst = 0.
    late = 0
    do step = 0, 14
       if (step == 7) call redistribute(ranks - 1)
       call cloudAt(kind, timeOf(step))
       call solve_for(gpot, grav_poisfact)
       if (step == 0 .and. gr_gravletActive(1) /= every) error stop "the first solve is not for all"
       if (step >= 10) late = late + gr_gravletActive(1)
       call solveForAll(other)
       worst = max(worst, errors(boundary == "periodic"))
       call expectTimeStep()
    end do
    call expect(boundary // " " // tolerance // ", potentials", worst(1) / tolerated, bounds(1))
    call expect(boundary // " " // tolerance // ", accelerations", worst(2) / tolerated, bounds(2))
    call expect(boundary // " " // tolerance // ", blocks active", late / (5. * every), mostActive)
    call other%destroy()
    call Gravity_finalize()
    call redistribute(0)
  end subroutine collapse

  subroutine beginRun(boundary, tolerance)
    character(len=*), intent(IN) :: boundary, tolerance

    unk = untouched
    call setParameter("grav_boundary_type", boundary)
    call setParameter("grv_gravletLazy", tolerance)
    call Gravity_init()
  end subroutine beginRun

  subroutine solveForAll(other)
    type(gravlet_solver), intent(IN) :: other
    type(gravlet_block), allocatable :: list(:)

    call gr_gravletBlocks(dens, full(1), full(2:), 0, list)
    call other%solve_blocks(list)
  end subroutine solveForAll

  !! Of potentials and accelerations: over the potential there and the block's strongest acceleration, or over the rms of all.
  function errors(periodic)
    logical, intent(IN) :: periodic
    real :: errors(2), mine(2), squares(2), sums(2), off(cells(1), cells(2), cells(3), 2), found(cells(1), cells(2), cells(3), 2)
    integer :: block, pass

    squares = 0.
    mine = 0.
    sums = 1.
    do pass = 1, 2
       do block = 1, blocks
          associate(u => unk(:, guards+1:guards+cells(1), guards+1:guards+cells(2), guards+1:guards+cells(3), block))
            found(:, :, :, 1) = abs(u(full(1), :, :, :))
            found(:, :, :, 2) = norm2(u(full(2:), :, :, :), dim=1)
            off(:, :, :, 1) = abs(u(gpot, :, :, :) - u(full(1), :, :, :))
            off(:, :, :, 2) = norm2(u(acc, :, :, :) - u(full(2:), :, :, :), dim=1)
          end associate
          if (pass == 1) then
             squares = squares + sum(sum(sum(found**2, dim=1), dim=1), dim=1)
          else if (periodic) then
             mine = max(mine, maxval(maxval(maxval(off, dim=1), dim=1), dim=1) / sqrt(sums / product(allCells)))
          else
             mine = max(mine, [maxval(off(:, :, :, 1) / found(:, :, :, 1)), maxval(off(:, :, :, 2)) / maxval(found(:, :, :, 2))])
          end if
       end do
       if (pass == 1) call MPI_Allreduce(squares, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    end do
    call MPI_Allreduce(mine, errors, 2, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  end function errors

  !! Blocks that rest have a say in it.
  subroutine expectTimeStep()
    real :: strongest

    strongest = sqrt(maxval(collected(acc(1))**2 + collected(acc(2))**2 + collected(acc(3))**2))
    if (abs(timeStep() / (0.3 * sqrt(side / strongest)) - 1.) > 1.e-6) error stop "the time step is not that of all blocks"
  end subroutine expectTimeStep

  !! Of a cuboid, by a sum over its parts.
  subroutine expectOwnPotentials()
    integer, parameter :: parts = 60
    real, target :: rho(1) = 3.
    type(gravlet_options) :: options
    type(gravlet_block) :: block
    real :: sum
    integer :: i, j, k

    block%cell_size = [1., 2., 3.]
    block%n = 1
    block%stride = 1
    block%density = c_loc(rho)
    options = gravlet_default_options()
    options%G = 2.
    sum = 0.
    do k = 1, parts
       do j = 1, parts
          do i = 1, parts
             sum = sum + 1. / norm2(block%cell_size * (([i, j, k] - 0.5) / parts - 0.5))
          end do
       end do
    end do
    sum = -2. * (3. - 0.5) * sum * product(block%cell_size / parts)
    call expect("own potentials", abs(gr_gravletOwn(block, 1, options, 0.5) / sum - 1.), 2.e-3)
  end subroutine expectOwnPotentials

  !! Nothing has changed: no block is active, to twice what accelerations of cells and probes differ by, and no bit changes.
  subroutine expectRest()
    call rest("isolated", "grv_gravletNearCells", "cuboid", "point")
    call rest("isolated", "grv_gravletSelfPotential", "FALSE", "TRUE")
    call setParameter("grv_gravletNearCells", "cuboid")
    call rest("isolated", "grv_gravletSelfPotential", "FALSE", "TRUE")
    call setParameter("grv_gravletNearCells", "point")
    call rest("periodic", "grv_gravletReport", "1", "0")
    call rest("periodic", "grv_gravletBackground", "keep", "auto")
    call setParameter("grav_boundary_type_z", "periodic")
    call rest("mixed", "grv_gravletReport", "1", "0")
  end subroutine expectRest

  subroutine rest(boundary, name, value, default)
    character(len=*), intent(IN) :: boundary, name, value, default
    real, allocatable :: before(:,:,:)

    call setParameter(name, value)
    call beginRun(boundary, "4e-4")
    call cloudAt(1, 0.5)
    call solve_for(gpot, grav_poisfact)
    before = collected(gpot)
    call solve_for(gpot, grav_poisfact)
    call expect("blocks active though nothing changed, " // boundary // ", " // name, real(gr_gravletActive(1)), 0.)
    if (any(collected(gpot) /= before)) error stop "potentials changed"
    call Gravity_finalize()
    call setParameter(name, default)
  end subroutine rest

  !! A block wakes by itself where its potential or acceleration is none, is another, or comes of another density; and what is then
  !! written are the bits of a solve for all, where these are asked for.
  subroutine expectWaking()
    type(gravlet_solver) :: other
    real, allocatable :: right(:,:,:), wrong(:,:,:)
    integer :: i, woken

    call setParameter("grv_gravletActiveBits", "same")
    call beginRun("isolated", "1e-3")
    call other%create(MPI_COMM_WORLD, gr_gravletOptions)
    call cloudAt(1, 0.5)
    call solve_for(gpot, grav_poisfact)
    right = collected(gpot)
    call solveForAll(other)
    if (any(collected(gpot) /= collected(full(1)))) error stop "the first solve has other bits than one for all"

    wrong = right
    wrong(11, 10, 15) = ieee_value(1., ieee_quiet_nan)   ! no sample
    call put(gpot, wrong)
    call expectActive("a potential that is no number", 1, 1, right)
    wrong = right
    wrong(16, 12, 18) = 1.01 * right(16, 12, 18)
    wrong(17, 9, 13) = 1.01 * right(17, 9, 13)
    call put(gpot, wrong)
    call expectActive("corners that are off", 2, 2, right)
    wrong = collected(acc(2))
    wrong(9:16, 9:12, 13:18) = ieee_value(1., ieee_quiet_nan)
    call put(acc(2), wrong)
    call expectActive("an acceleration that is no number", 1, 1, right)
    wrong = right
    wrong(9:16, 9:12, 13:18) = 0.998 * right(9:16, 9:12, 13:18)
    wrong(1:8, 1:4, 1:6) = 0.9995 * right(1:8, 1:4, 1:6)
    call put(gpot, wrong)
    wrong(9:16, 9:12, 13:18) = right(9:16, 9:12, 13:18)
    call expectActive("a block that was filled anew, and one a little off", 1, 1, wrong)
    call put(gpot, right)
    wrong = collected(acc(3))
    wrong(17:24, 9:12, 13:18) = 0.99 * wrong(17:24, 9:12, 13:18)
    call put(acc(3), wrong)
    call expectActive("accelerations of another time", 1, 1, right)
    wrong = -untouched
    call put(gpot, wrong)
    call expectActive("a potential of another time", every, every, right)

    !! What moves within a block, between samples: nothing else sees it.
    density(14, 11, 16:17) = density(14, 11, 16:17) + [0.3, -0.3]
    call put(dens, density)
    call expectActive("density that moved within a block", 1, 1)
    woken = 0
    do i = 1, 20   ! by little each time
       density(14, 11, 16:17) = density(14, 11, 16:17) + [0.001, -0.001]
       call put(dens, density)
       call solve_for(gpot, grav_poisfact)
       woken = woken + gr_gravletActive(1)
    end do
    call expect("times that density woke which moved by little", real(woken), 10.)
    call expect("at least", 1., real(woken))
    call expectChange()
    density(3:6, 22:23, 26:28) = density(3:6, 22:23, 26:28) + 300.
    call put(dens, density)
    call expectActive("a clump out of nowhere", every / 2, every)
    call solve_for(gpot, 1.01 * grav_poisfact)
    call expect("blocks that rest in a stronger field", real(every - gr_gravletActive(1)), 0.)

    !! Other potentials have no density of their own, and no block of theirs rests.
    call solve_for(GPOL_VAR, grav_poisfact)
    call solve_for(GPOL_VAR, grav_poisfact)
    call solveForAll(other)
    if (any(gr_gravletActive /= 0)) error stop "another potential is lazy, too"
    call expect("another potential", largest(collected(GPOL_VAR) - collected(full(1))) / largest(collected(full(1))), 3.e-6)
    call other%destroy()
    call Gravity_finalize()
    call setParameter("grv_gravletActiveBits", "any")
  end subroutine expectWaking

  !! What is allowed for between samples: of a slab as thin as the block, and of a ball of half the way.
  subroutine expectChange()
    type(gravlet_block), allocatable :: list(:)
    real, allocatable :: change(:,:)
    real :: thin

    thin = minval(cells) * side
    call put(GDNS_VAR, density - 2.)
    call gr_gravletBlocks(dens, gpot, acc, 0, list)
    change = gr_gravletChangeWithin(gpot, list)
    call expect("a slab", maxval(abs(change(1, :) / (4. * PI * newton * 2. * thin**2 / 8.) - 1.)), 1.e-11)
    call expect("a ball, of no change", maxval(change(2, :)), 1.e-11)
    call put(GDNS_VAR, density)
    unk(GDNS_VAR, guards+1, guards+1, guards+1, :) = unk(GDNS_VAR, guards+1, guards+1, guards+1, :) - 2.
    change = gr_gravletChangeWithin(gpot, list)
    call expect("a ball", maxval(abs(change(2, :) / (4. * PI / 3. * newton * 2. * (1. - 1. / product(cells)) * thin / 4.) - 1.)), 1.e-11)
    call put(GDNS_VAR, density)
  end subroutine expectChange

  subroutine expectActive(what, least, most, potential)
    character(len=*), intent(IN) :: what
    integer, intent(IN) :: least, most
    real, intent(IN), optional :: potential(:,:,:)

    call solve_for(gpot, grav_poisfact)
    call expect("blocks active after " // what, real(gr_gravletActive(1)), real(most))
    call expect("at least", real(least), real(gr_gravletActive(1)))
    call expectTimeStep()
    if (.not. present(potential)) return
    if (any(collected(gpot) /= potential)) error stop "potentials are not those of a solve for all"
  end subroutine expectActive

  !! Those of blocks that rest are the grid's.
  subroutine expectGuards()
    real, allocatable :: wrong(:,:,:)
    integer :: block

    call setParameter("grv_gravletGuards", "2")
    call beginRun("isolated", "1e-3")
    call cloudAt(1, 0.5)
    call solve_for(gpot, grav_poisfact)
    wrong = collected(gpot)
    wrong(9:16, 9:12, 13:18) = 0.
    call put(gpot, wrong)
    call solve_for(gpot, grav_poisfact)
    do block = 1, blocks
       if (all(below(block) == [8, 8, 12]) .eqv. unk(acc(1), 1, 1, 1, block) == guardsOfGrid) &
            error stop "guard cells are not what they should be"
    end do
    call Gravity_finalize()
    call setParameter("grv_gravletGuards", "0")
  end subroutine expectGuards

  !! What a tolerance has learned is of targets: solves that have none teach nothing.
  subroutine expectToleranceUnharmed()
    real :: learned(GRAVLET_STEERING_SIZE), after(GRAVLET_STEERING_SIZE)
    integer :: step

    call setParameter("grv_gravletTolerance", "1e-5")
    call beginRun("isolated", "1e-2")
    do step = 1, 4
       call cloudAt(1, timeOf(step))
       call solve_for(gpot, grav_poisfact)
    end do
    call gr_gravletSolver%get_steering(learned)
    call solve_for(gpot, grav_poisfact)
    call expect("blocks active with a tolerance", real(gr_gravletActive(1)), 0.)
    call gr_gravletSolver%get_steering(after)
    if (all(learned == 0.) .or. any(after /= learned)) error stop "a solve without targets has taught something"
    call Gravity_finalize()
    call setParameter("grv_gravletTolerance", "0.")
  end subroutine expectToleranceUnharmed

  !! A run that goes on from a checkpoint has the bits of one that was not interrupted; without the checkpoint's scalar its first
  !! solve is for all, or nothing would be shown. Not lazy, it has those of solves for all.
  subroutine expectTheSameBits()
    real, allocatable :: through(:,:,:), held(:,:,:,:,:)
    type(gravlet_solver) :: other

    call startRun(restart=.FALSE.)
    call beginRun("isolated", "1e-2")
    call runSteps(1, 4)
    call writeCheckpoint()
    held = unk
    call runSteps(5, 9)
    through = collected(gpot)
    call Gravity_finalize()

    call expect("other bits after a restart", largest(goneOn(held, restart=.TRUE.) - through), 0.)
    if (all(goneOn(held, restart=.FALSE.) == through)) error stop "a run that begins anew has the same bits"

    call beginRun("isolated", "0.")
    call other%create(MPI_COMM_WORLD, gr_gravletOptions)
    call runSteps(1, 3)
    call solveForAll(other)
    if (any(collected(gpot) /= collected(full(1)))) error stop "grv_gravletLazy = 0 has other bits"
    call other%destroy()
    call Gravity_finalize()
  end subroutine expectTheSameBits

  !! What blocks held goes on in another run: with the checkpoint's scalars, or none.
  function goneOn(held, restart) result(potential)
    real, intent(IN) :: held(:,:,:,:,:)
    logical, intent(IN) :: restart
    real, allocatable :: potential(:,:,:)

    call startRun(restart)
    call beginRun("isolated", "1e-2")
    unk = held
    call runSteps(5, 9)
    potential = collected(gpot)
    call Gravity_finalize()
  end function goneOn

  subroutine runSteps(from, to)
    integer, intent(IN) :: from, to
    integer :: step

    do step = from, to
       call cloudAt(1, timeOf(step))
       call solve_for(gpot, grav_poisfact)
    end do
  end subroutine runSteps
end program lazy
