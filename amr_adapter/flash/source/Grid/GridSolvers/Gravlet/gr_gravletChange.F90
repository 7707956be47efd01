!! SPDX-License-Identifier: Apache-2.0
!! What a change of density within a block may do between its samples, by the density of the last solve (gdns). The error e of the
!! potential obeys Laplace(e) = 4 pi G times the change: within it is larger than at the faces by no more than in a slab as thin as
!! the block, 4 pi G max|change| L^2/8. The acceleration errs on its way from sample to sample by what a ball of radius L/4 pulls,
!! of what the change has beside its mean; samples see the mean.
module gr_gravletChange
  use, intrinsic :: iso_c_binding, ONLY : c_double
  use gravlet, ONLY : gravlet_block
  use gr_gravletData, ONLY : options => gr_gravletOptions
  use gr_gravletHost, ONLY : gr_gravletBlocks
  use gr_gravletSamples, ONLY : gr_gravletCells
  use gr_gravletVariables, ONLY : gr_gravletDensityOf
  implicit none
  private
  public :: gr_gravletChangeWithin, gr_gravletKeepDensity
#include "constants.h"

contains

  !! Of the potential (1) and the acceleration (2).
  function gr_gravletChangeWithin(iSoln, blocks) result(errors)
    integer, intent(IN) :: iSoln
    type(gravlet_block), intent(IN) :: blocks(:)
    real :: errors(2, size(blocks)), side
    real, allocatable :: change(:,:,:)
    type(gravlet_block), allocatable :: before(:)
    integer :: b

    call gr_gravletBlocks(gr_gravletDensityOf(iSoln), 0, [0, 0, 0], 0, before)
    do b = 1, size(blocks)
       change = densityOf(blocks(b)) - densityOf(before(b))
       side = minval(blocks(b)%n * blocks(b)%cell_size)
       errors(1, b) = PI / 2. * options%G * side**2 * maxval(abs(change))
       errors(2, b) = PI / 3. * options%G * side * maxval(abs(change - sum(change) / size(change)))
    end do
  end function gr_gravletChangeWithin

  !! Of blocks that were solved for.
  subroutine gr_gravletKeepDensity(iSoln, blocks)
    integer, intent(IN) :: iSoln
    type(gravlet_block), intent(IN) :: blocks(:)
    type(gravlet_block), allocatable :: before(:)
    real(c_double), pointer, dimension(:,:,:) :: kept, now
    integer :: b

    call gr_gravletBlocks(gr_gravletDensityOf(iSoln), 0, [0, 0, 0], 0, before)
    do b = 1, size(blocks)
       if (blocks(b)%inactive /= 0) cycle
       kept => densityOf(before(b))
       now => densityOf(blocks(b))
       kept = now
    end do
  end subroutine gr_gravletKeepDensity

  function densityOf(block) result(density)
    type(gravlet_block), intent(IN) :: block
    real(c_double), pointer :: density(:,:,:)

    density => gr_gravletCells(block, block%density, block%stride)
  end function densityOf
end module gr_gravletChange
