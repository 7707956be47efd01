!! SPDX-License-Identifier: Apache-2.0
!! The FLASH unit in a stand-in for its code, which asks what Gravity_potential asks: potentials against a sum over all pairs of
!! cells.
#include "constants.h"
program solve
  use mpi
  use mesh, ONLY : allCells, deal, dens, gpot, ranks
  use cloud
  use parameters, ONLY : setParameter, unreadParameters
  use Gravity_data, ONLY : grav_poisfact
  use Logfile_interface, ONLY : logfileLines
  use Timers_interface, ONLY : timersRunning, timersStarted
  implicit none
  external :: Gravity_init, Gravity_finalize, Grid_beginPoisson, Grid_finalizePoisson

  real, dimension(allCells(1), allCells(2), allCells(3)) :: sum, first, again
  real :: poisfact
  integer :: error, i

  call begin()
  call setParameter("grv_gravletReport", "1")
  call setParameter("grv_gravletTimers", "TRUE")
  call sumOverPairs(sum)

  call Gravity_init()
  call potential(grav_poisfact, first)
  call expect("the sum over all pairs", largest(first - sum) / largest(sum), 2.e-6)
  call potential(3. * grav_poisfact, again)
  call expect("three times the poisfact", largest(again - 3. * first) / largest(first), 1.e-12)
  poisfact = grav_poisfact
  call Grid_beginPoisson(gpot, dens, bcTypes(), noValues, poisfact)
  call Grid_finalizePoisson(gpot, dens, bcTypes(), noValues, poisfact)
  call gather(gpot, again)
  call expect("begun and finished", largest(again - first) / largest(first), 1.e-12)
  !! The grid changes: blocks go to other ranks, and back.
  do i = 1, 2
     call deal(mod(i, 2) * (ranks - 1))
     call putDensity()
     call potential(grav_poisfact, again)
     call expect("blocks on other ranks", largest(again - sum) / largest(sum), 2.e-6)
  end do
  call Gravity_finalize()

  call setParameter("grv_gravletTheta", "0.")
  call Gravity_init()
  call potential(grav_poisfact, first)
  call expect("the direct sum", largest(first - sum) / largest(sum), 1.e-13)
  call Gravity_finalize()

  !! Periodic in x alone: potentials move along with what makes them, in x and in no other direction.
  call setParameter("grv_gravletTheta", "0.8")
  call setParameter("grav_boundary_type", "mixed")
  call setParameter("grav_boundary_type_x", "periodic")
  call Gravity_init()
  call potential(grav_poisfact, first)
  do i = 1, 3
     density = cshift(density, 3, i)
     call putDensity()
     call potential(grav_poisfact, again)
     density = cshift(density, -3, i)
     again = cshift(again, -3, i)
     if (i == 1) call expect("moved along x", largest(again - first) / (maxval(first) - minval(first)), 8.e-7)
     if (i > 1) call expect("not moved along y or z", 0.01, largest(again - first) / (maxval(first) - minval(first)))
  end do
  call Gravity_finalize()

  if (unreadParameters() /= "") then
     print '(2a)', "parameters of Config that the unit does not read: ", unreadParameters()
     error stop 1
  end if
  call expect("timers that run on", real(timersRunning), 0.)
  call expect("no stage has a timer", 30., real(timersStarted))
  call expect("no report in the log file", 30., real(logfileLines))
  call MPI_Finalize(error)

contains

  subroutine sumOverPairs(phi)
    real, intent(OUT) :: phi(:,:,:)
    real :: pull(4)
    integer :: i, j, k

    do k = 1, allCells(3)
       do j = 1, allCells(2)
          do i = 1, allCells(1)
             pull = pullOfCells(centre(i, j, k))
             phi(i, j, k) = pull(1)
          end do
       end do
    end do
  end subroutine sumOverPairs
end program solve
