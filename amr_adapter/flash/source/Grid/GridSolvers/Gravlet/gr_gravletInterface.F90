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

     !! After a solve: the backend, once, and every grv_gravletReport solves the report, to the log file.
     subroutine gr_gravletReport()
     end subroutine gr_gravletReport

     !! Collective.
     subroutine gr_gravletFinalize()
     end subroutine gr_gravletFinalize
  end interface
end module gr_gravletInterface
