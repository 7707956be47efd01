!! SPDX-License-Identifier: Apache-2.0
!! Collective. How far what blocks hold is off, at their samples, from what a solve finds there that has no other targets: `off` and
!! what is found, by potential and acceleration, sample and block. What a tolerance has learned is as before: it is of targets.
subroutine gr_gravletLook(blocks, points, fields, off, found)
  use, intrinsic :: iso_c_binding, ONLY : c_double, c_int8_t
  use gravlet, ONLY : gravlet_block, gravlet_last_error, gravlet_points, gravlet_report, GRAVLET_STEERING_SIZE, GRAVLET_SUCCESS
  use gr_gravletData, ONLY : options => gr_gravletOptions, solver => gr_gravletSolver
  use gr_gravletHost, ONLY : gr_gravletAbort
  use gr_gravletSamples, ONLY : gr_gravletOwn, gr_gravletPerBlock, gr_gravletProbes, gr_gravletStored
  implicit none

  type(gravlet_block), intent(IN) :: blocks(:)
  type(gravlet_points), intent(IN) :: points
  logical, intent(IN) :: fields
  real, allocatable, intent(OUT) :: off(:,:,:), found(:,:,:)
  type(gravlet_block) :: sources(size(blocks))
  type(gravlet_points) :: passive, probes
  type(gravlet_report) :: report
  real(c_double), allocatable, target :: places(:,:), results(:,:)
  integer(c_int8_t), allocatable, target :: none(:)
  real :: learned(GRAVLET_STEERING_SIZE), wrong(4)
  integer :: b, s, p, status

  sources = blocks
  sources%inactive = 1
  passive = points
  if (associated(points%x)) then
     allocate(none(size(points%x)), source=0_c_int8_t)
     passive%active => none
  end if
  call gr_gravletProbes(blocks, fields, places, results, probes)
  if (options%tolerance /= 0.) call solver%get_steering(learned)
  call solver%solve_blocks(sources, passive, status=status, probes=probes)
  call check()
  if (options%tolerance /= 0.) then
     call solver%set_steering(learned, status)
     call check()
  end if
  call solver%get_report(report)

  allocate(off(2, gr_gravletPerBlock, size(blocks)), found(2, gr_gravletPerBlock, size(blocks)))
  do b = 1, size(blocks)
     do s = 1, gr_gravletPerBlock
        p = (b - 1) * gr_gravletPerBlock + s
        results(p, 1) = results(p, 1) + gr_gravletOwn(blocks(b), s, options, report%background)
        wrong = gr_gravletStored(blocks(b), s) - results(p, :)
        off(:, s, b) = [abs(wrong(1)), norm2(wrong(2:))]
        found(:, s, b) = [abs(results(p, 1)), norm2(results(p, 2:))]
     end do
  end do

contains

  subroutine check()
    if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletLook] gravlet: " // gravlet_last_error())
  end subroutine check
end subroutine gr_gravletLook
