!! SPDX-License-Identifier: Apache-2.0
module gr_gravletInterface
  implicit none

  interface
     !! Reads the runtime parameters; aborts unless the grid is 3-D Cartesian.
     subroutine gr_gravletInit()
     end subroutine gr_gravletInit

     !! The published names: those that are set take the place of ours, with a line in the log file.
     subroutine gr_gravletAliases(options)
       use gravlet, ONLY : gravlet_options
       type(gravlet_options), intent(INOUT) :: options
     end subroutine gr_gravletAliases

     !! gravlet's boundary in x, y and z for the host's codes of the six faces; aborts for any that gravlet does not have.
     function gr_gravletBoundary(bcTypes) result(boundary)
       integer, intent(IN) :: bcTypes(6)
       integer :: boundary(3)
     end function gr_gravletBoundary

     !! Collective. Makes the solver for these boundaries, unless it is there already.
     subroutine gr_gravletPrepare(bcTypes, poisfact)
       integer, intent(IN) :: bcTypes(6)
       real, intent(IN) :: poisfact
     end subroutine gr_gravletPrepare

     !! Keeps what a tolerance has learned for the next checkpoint.
     subroutine gr_gravletToCheckpoint()
     end subroutine gr_gravletToCheckpoint

     !! Gives a new solver what its run's last checkpoint has of it, if any.
     subroutine gr_gravletFromCheckpoint()
     end subroutine gr_gravletFromCheckpoint

     !! Options that the host's points want.
     subroutine gr_gravletPointsInit(options)
       use gravlet, ONLY : gravlet_options
       type(gravlet_options), intent(INOUT) :: options
     end subroutine gr_gravletPointsInit

     !! This rank's points, in arrays that stay until the next call; none by default. A host that has some replaces the file
     !! (flash4/sinks does).
     subroutine gr_gravletPoints(points)
       use gravlet, ONLY : gravlet_points
       type(gravlet_points), intent(OUT) :: points
     end subroutine gr_gravletPoints

     !! Collective. Before the options of solvers change, and at the end.
     subroutine gr_gravletPointsFinalize()
     end subroutine gr_gravletPointsFinalize

     !! Collective, in lazy updates of this potential. Lets those blocks rest (`inactive`) whose stored field is right enough, and
     !! says whether a solve is wanted all the same: blocks are active on some rank, or points are there.
     subroutine gr_gravletWake(iSoln, blocks, points, wanted)
       use gravlet, ONLY : gravlet_block, gravlet_points
       integer, intent(IN) :: iSoln
       type(gravlet_block), intent(INOUT) :: blocks(:)
       type(gravlet_points), intent(IN) :: points
       logical, intent(OUT) :: wanted
     end subroutine gr_gravletWake

     !! Collective. How far what blocks hold is off at their samples, and what is found there: potential and strength of the
     !! acceleration (0 without `fields`), sample, block.
     subroutine gr_gravletLook(blocks, points, fields, off, found)
       use gravlet, ONLY : gravlet_block, gravlet_points
       type(gravlet_block), intent(IN) :: blocks(:)
       type(gravlet_points), intent(IN) :: points
       logical, intent(IN) :: fields
       real, allocatable, intent(OUT) :: off(:,:,:), found(:,:,:)
     end subroutine gr_gravletLook

     !! Collective, after a lazy solve. Time steps of blocks that rest count, too.
     subroutine gr_gravletLazyTimeStep(blocks)
       use gravlet, ONLY : gravlet_block
       type(gravlet_block), intent(IN) :: blocks(:)
     end subroutine gr_gravletLazyTimeStep

     !! Collective. Values become those of all ranks by one of MPI's operations.
     subroutine gr_gravletReduce(values, operation)
       real, intent(INOUT) :: values(:)
       integer, intent(IN) :: operation
     end subroutine gr_gravletReduce

     !! Whether blocks hold what lazy solves have left there.
     logical function gr_gravletMayLook()
     end function gr_gravletMayLook

     !! Keeps that they do, for this run and the next checkpoint.
     subroutine gr_gravletHaveSolved()
     end subroutine gr_gravletHaveSolved

     !! After a solve: the backend, once, and every grv_gravletReport solves the report, to the log file.
     subroutine gr_gravletReport()
     end subroutine gr_gravletReport

     !! Collective.
     subroutine gr_gravletFinalize()
     end subroutine gr_gravletFinalize
  end interface
end module gr_gravletInterface
