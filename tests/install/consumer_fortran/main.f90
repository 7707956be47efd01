! SPDX-License-Identifier: Apache-2.0
! One point mass a rank, at x = rank: each feels the others' potential, -sum 1/distance.
program consumer
    use gravlet
    use mpi
    use, intrinsic :: iso_c_binding, only: c_double
    implicit none

    integer :: rank, ranks, other, ierr
    real(c_double), target :: x(1), zero(1), mass(1), potential(1)
    real(c_double) :: exact
    logical :: wrong
    type(gravlet_points) :: points
    type(gravlet_solver) :: solver

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)

    x = rank
    zero = 0
    mass = 1
    points%x => x
    points%y => zero
    points%z => zero
    points%mass => mass
    points%potential => potential
    call solver%create(MPI_COMM_WORLD)
    call solver%solve_points(points)
    call solver%destroy()

    exact = 0
    do other = 0, ranks - 1
        if (other /= rank) exact = exact - 1.0_c_double / abs(other - rank)
    end do
    wrong = .not. abs(potential(1) - exact) < 1e-6_c_double
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(4a, i0, a)', 'gravlet ', gravlet_version(), ' in Fortran: ', &
        merge('wrong on ', 'right on ', wrong), ranks, ' ranks'
    call MPI_Finalize(ierr)
    if (wrong) error stop 1
end program
