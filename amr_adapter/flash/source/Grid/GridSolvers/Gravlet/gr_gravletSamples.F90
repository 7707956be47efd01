!! SPDX-License-Identifier: Apache-2.0
!! A few cells of each block, and probes at their centres; what blocks hold, in place.

module gr_gravletSamples
  use, intrinsic :: iso_c_binding, ONLY : c_associated, c_double, c_f_pointer, c_intptr_t, c_ptr
  use gravlet, ONLY : gravlet_block, gravlet_points, gravlet_options, GRAVLET_NEAR_CELLS_CUBOID
  implicit none
  private

  integer, parameter, public :: gr_gravletPerBlock = 27   ! corners, middles of edges and faces, the middle
  public :: gr_gravletProbes, gr_gravletOwn, gr_gravletStored, gr_gravletCells

contains

  !! A sample's cell, counted from 0.
  pure function cellOf(block, sample) result(cell)
    type(gravlet_block), intent(IN) :: block
    integer, intent(IN) :: sample
    integer :: cell(3)

    cell = mod((sample - 1) / [1, 3, 9], 3)
    cell = cell * (block%n - 1) / 2
  end function cellOf

  !! Samples of all blocks, one after the other; `places` and `found` (potential, acceleration) are the memory of the probes.
  subroutine gr_gravletProbes(blocks, fields, places, found, probes)
    type(gravlet_block), intent(IN) :: blocks(:)
    logical, intent(IN) :: fields   ! accelerations are wanted
    real(c_double), allocatable, target, intent(OUT) :: places(:,:), found(:,:)
    type(gravlet_points), intent(OUT) :: probes
    integer :: b, s, p

    allocate(places(gr_gravletPerBlock * size(blocks), 3), found(gr_gravletPerBlock * size(blocks), 4))
    do b = 1, size(blocks)
       do s = 1, gr_gravletPerBlock
          p = (b - 1) * gr_gravletPerBlock + s
          places(p, :) = blocks(b)%lower + (cellOf(blocks(b), s) + 0.5) * blocks(b)%cell_size
       end do
    end do
    found = 0.
    probes%x => places(:, 1)
    probes%y => places(:, 2)
    probes%z => places(:, 3)
    probes%potential => found(:, 1)
    if (.not. fields) return
    probes%acceleration_x => found(:, 2)
    probes%acceleration_y => found(:, 3)
    probes%acceleration_z => found(:, 4)
  end subroutine gr_gravletProbes

  !! What the cell of a sample has of its own potential beyond a probe's at its centre: there a point is left out, and a cuboid
  !! is not.
  real function gr_gravletOwn(block, sample, options, background)
    type(gravlet_block), intent(IN) :: block
    integer, intent(IN) :: sample
    type(gravlet_options), intent(IN) :: options
    real, intent(IN) :: background
    logical :: cuboid

    cuboid = options%near_cells == GRAVLET_NEAR_CELLS_CUBOID
    gr_gravletOwn = 0.
    if (cuboid .eqv. options%self_potential) return
    gr_gravletOwn = -options%G * (valueAt(block%density, block%stride, block, sample) - background) * &
         ofCuboid(block%cell_size / 2.)
    if (cuboid) gr_gravletOwn = -gr_gravletOwn
  end function gr_gravletOwn

  !! The integral of 1/r from the middle of a cuboid of these half sides.
  pure real function ofCuboid(half)
    real, intent(IN) :: half(3)
    real :: a(3), r
    integer :: axis

    r = norm2(half)
    ofCuboid = 0.
    do axis = 1, 3
       a = cshift(half, axis)
       ofCuboid = ofCuboid + 8. * a(2) * a(3) * log((a(1) + r) / hypot(a(2), a(3))) - 4. * a(1)**2 * atan(a(2) * a(3) / (a(1) * r))
    end do
  end function ofCuboid

  !! The sample's stored potential and, if the block has one, acceleration.
  function gr_gravletStored(block, sample) result(stored)
    type(gravlet_block), intent(IN) :: block
    integer, intent(IN) :: sample
    real :: stored(4)
    integer :: axis

    stored = 0.
    stored(1) = valueAt(block%potential, block%result_stride, block, sample)
    if (.not. c_associated(block%acceleration(1))) return
    do axis = 1, 3
       stored(axis + 1) = valueAt(block%acceleration(axis), block%result_stride, block, sample)
    end do
  end function gr_gravletStored

  !! A block's cells in one of its arrays, in place: density, with `stride`, or a result, with `result_stride`.
  function gr_gravletCells(block, array, stride) result(cells)
    type(gravlet_block), intent(IN) :: block
    type(c_ptr), intent(IN) :: array
    integer(c_intptr_t), intent(IN) :: stride(3)
    real(c_double), pointer :: cells(:,:,:), whole(:,:,:,:)

    call c_f_pointer(array, whole, [stride(1), stride(2) / stride(1), stride(3) / stride(2), int(block%n(3), c_intptr_t)])
    cells => whole(1, :block%n(1), :block%n(2), :block%n(3))
  end function gr_gravletCells

  real function valueAt(array, stride, block, sample)
    type(c_ptr), intent(IN) :: array
    integer(c_intptr_t), intent(IN) :: stride(3)
    type(gravlet_block), intent(IN) :: block
    integer, intent(IN) :: sample
    real(c_double), pointer :: cells(:,:,:)
    integer :: cell(3)

    cells => gr_gravletCells(block, array, stride)
    cell = cellOf(block, sample) + 1
    valueAt = cells(cell(1), cell(2), cell(3))
  end function valueAt
end module gr_gravletSamples
