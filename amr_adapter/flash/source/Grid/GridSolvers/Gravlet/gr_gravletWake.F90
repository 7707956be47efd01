!! SPDX-License-Identifier: Apache-2.0
!! Which blocks wake: those that are off by more than grv_gravletLazy of their field, at a sample or, as what has changed within
!! them allows, between samples. As the host keeps what blocks hold, nothing else is remembered, and a block that is new is judged by
!! what it was given. Comparisons are such that what is no number wakes.
subroutine gr_gravletWake(iSoln, blocks, points, wanted)
  use, intrinsic :: iso_c_binding, ONLY : c_associated, c_double
  use mpi, ONLY : MPI_SUM
  use gravlet, ONLY : gravlet_block, gravlet_points, GRAVLET_PERIODIC
  use gr_gravletChange, ONLY : gr_gravletChangeWithin
  use gr_gravletData, ONLY : options => gr_gravletOptions, gr_gravletActive, gr_gravletLazy
  use gr_gravletInterface, ONLY : gr_gravletLook, gr_gravletMayLook, gr_gravletReduce
  use gr_gravletSamples, ONLY : gr_gravletCells
  use Timers_interface, ONLY : Timers_start, Timers_stop
  implicit none

  integer, intent(IN) :: iSoln
  type(gravlet_block), intent(INOUT) :: blocks(:)
  type(gravlet_points), intent(IN) :: points
  logical, intent(OUT) :: wanted
  real, allocatable :: off(:,:,:), found(:,:,:)
  real :: scales(2, size(blocks)), within(2, size(blocks)), counts(3)
  logical :: fields
  integer :: b

  call Timers_start("gravlet wake")
  fields = .FALSE.
  if (size(blocks) > 0) fields = c_associated(blocks(1)%acceleration(1))
  if (gr_gravletMayLook()) then
     call gr_gravletLook(blocks, points, fields, off, found)
     scales = scalesOf(found)
     within = gr_gravletChangeWithin(iSoln, blocks)
     do b = 1, size(blocks)
        blocks(b)%inactive = merge(1, 0, rests(b))
     end do
  end if
  counts = [count(blocks%inactive == 0), size(blocks), 0]
  if (associated(points%x)) counts(3) = size(points%x)
  call gr_gravletReduce(counts, MPI_SUM)
  gr_gravletActive = nint(counts(:2))
  wanted = counts(1) > 0. .or. counts(3) > 0.
  call Timers_stop("gravlet wake")

contains

  !! What errors are taken relative to: a block's largest; where images make potentials that cross 0, the rms of all samples.
  function scalesOf(found) result(scales)
    real, intent(IN) :: found(:,:,:)
    real :: scales(2, size(blocks)), squares(3)

    scales = maxval(found, dim=2)
    if (.not. any(options%boundary == GRAVLET_PERIODIC)) return
    squares = [sum(found(1,:,:)**2), sum(found(2,:,:)**2), real(size(found(1,:,:)))]
    call gr_gravletReduce(squares, MPI_SUM)
    scales = spread(sqrt(squares(:2) / squares(3)), 2, size(blocks))
  end function scalesOf

  logical function rests(b)
    integer, intent(IN) :: b
    real(c_double), pointer :: phi(:,:,:)

    phi => gr_gravletCells(blocks(b), blocks(b)%potential, blocks(b)%result_stride)
    rests = all(abs(phi) <= huge(phi)) .and. isRight(1)
    if (fields) rests = rests .and. isRight(2)
  end function rests

  !! The potential (1) or the acceleration (2).
  logical function isRight(q)
    integer, intent(IN) :: q

    isRight = all(off(q, :, b) + within(q, b) <= gr_gravletLazy * scales(q, b))
  end function isRight
end subroutine gr_gravletWake
