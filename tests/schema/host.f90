! SPDX-License-Identifier: Apache-2.0
! What Fortran makes of the schema, as lines that test_schema.py compares with those of the other languages (host.c), and where its
! compiler puts the members of C's structs.
program host
    use gravlet
    use gravlet_c, only: c_cells, c_fields, c_listener, c_option_info, c_options, c_points, c_probes, c_report, c_stage_time
    use mpi
    use, intrinsic :: iso_c_binding
    implicit none

    integer, parameter :: n = 1500, cells = 64
    real(c_double), target :: x(n), y(n), z(n), dx(n), mass(n), results(n, 0:9)
    type(gravlet_options) :: options
    type(gravlet_solver) :: solver
    type(gravlet_points) :: points
    integer :: i, error

    call MPI_Init(error)
    ! [generated: codes] scripts/generate, api/schema
    print '(a,i0)', 'code invalid_option ', GRAVLET_INVALID_OPTION
    print '(a,i0)', 'code invalid_input ', GRAVLET_INVALID_INPUT
    print '(a,i0)', 'code out_of_memory ', GRAVLET_OUT_OF_MEMORY
    print '(a,i0)', 'code not_available ', GRAVLET_NOT_AVAILABLE
    print '(a,i0)', 'code communication ', GRAVLET_COMMUNICATION
    print '(a,i0)', 'code file ', GRAVLET_FILE
    print '(a,i0)', 'code internal ', GRAVLET_INTERNAL
    print '(a,i0)', 'code cancelled ', GRAVLET_CANCELLED
    print '(a,i0)', 'constant GRAVLET_BACKEND_AUTOMATIC ', GRAVLET_BACKEND_AUTOMATIC
    print '(a,i0)', 'constant GRAVLET_BACKEND_CPU ', GRAVLET_BACKEND_CPU
    print '(a,i0)', 'constant GRAVLET_BACKEND_GPU ', GRAVLET_BACKEND_GPU
    print '(a,i0)', 'constant GRAVLET_SHARING_AUTOMATIC ', GRAVLET_SHARING_AUTOMATIC
    print '(a,i0)', 'constant GRAVLET_SHARING_SHARE ', GRAVLET_SHARING_SHARE
    print '(a,i0)', 'constant GRAVLET_SHARING_GATHER ', GRAVLET_SHARING_GATHER
    print '(a,i0)', 'constant GRAVLET_ISOLATED ', GRAVLET_ISOLATED
    print '(a,i0)', 'constant GRAVLET_PERIODIC ', GRAVLET_PERIODIC
    print '(a,i0)', 'constant GRAVLET_MIRROR_LOWER ', GRAVLET_MIRROR_LOWER
    print '(a,i0)', 'constant GRAVLET_MIRROR_UPPER ', GRAVLET_MIRROR_UPPER
    print '(a,i0)', 'constant GRAVLET_PERIODIC_IMAGES ', GRAVLET_PERIODIC_IMAGES
    print '(a,i0)', 'constant GRAVLET_PERIODIC_TABLE ', GRAVLET_PERIODIC_TABLE
    print '(a,i0)', 'constant GRAVLET_BACKGROUND_AUTOMATIC ', GRAVLET_BACKGROUND_AUTOMATIC
    print '(a,i0)', 'constant GRAVLET_BACKGROUND_KEEP ', GRAVLET_BACKGROUND_KEEP
    print '(a,i0)', 'constant GRAVLET_BACKGROUND_CONTRAST ', GRAVLET_BACKGROUND_CONTRAST
    print '(a,i0)', 'constant GRAVLET_SOFTENING_PLUMMER ', GRAVLET_SOFTENING_PLUMMER
    print '(a,i0)', 'constant GRAVLET_SOFTENING_SPLINE ', GRAVLET_SOFTENING_SPLINE
    print '(a,i0)', 'constant GRAVLET_CRITERION_AUTOMATIC ', GRAVLET_CRITERION_AUTOMATIC
    print '(a,i0)', 'constant GRAVLET_CRITERION_OPENING ', GRAVLET_CRITERION_OPENING
    print '(a,i0)', 'constant GRAVLET_CRITERION_ACCELERATION ', GRAVLET_CRITERION_ACCELERATION
    print '(a,i0)', 'constant GRAVLET_CRITERION_MULTIPOLE ', GRAVLET_CRITERION_MULTIPOLE
    print '(a,i0)', 'constant GRAVLET_NEAR_CELLS_POINT ', GRAVLET_NEAR_CELLS_POINT
    print '(a,i0)', 'constant GRAVLET_NEAR_CELLS_CUBOID ', GRAVLET_NEAR_CELLS_CUBOID
    print '(a,i0)', 'constant GRAVLET_UNIFORM_MESH_AUTOMATIC ', GRAVLET_UNIFORM_MESH_AUTOMATIC
    print '(a,i0)', 'constant GRAVLET_UNIFORM_MESH_TREE ', GRAVLET_UNIFORM_MESH_TREE
    print '(a,i0)', 'constant GRAVLET_UNIFORM_MESH_CONVOLUTION ', GRAVLET_UNIFORM_MESH_CONVOLUTION
    print '(a,i0)', 'constant GRAVLET_ACTIVE_BITS_ANY ', GRAVLET_ACTIVE_BITS_ANY
    print '(a,i0)', 'constant GRAVLET_ACTIVE_BITS_SAME ', GRAVLET_ACTIVE_BITS_SAME
    print '(a,i0)', 'constant GRAVLET_PRECISION_SINGLE ', GRAVLET_PRECISION_SINGLE
    print '(a,i0)', 'constant GRAVLET_PRECISION_DOUBLE ', GRAVLET_PRECISION_DOUBLE
    print '(a,i0)', 'constant GRAVLET_ERROR_OF_AUTOMATIC ', GRAVLET_ERROR_OF_AUTOMATIC
    print '(a,i0)', 'constant GRAVLET_ERROR_OF_POTENTIAL ', GRAVLET_ERROR_OF_POTENTIAL
    print '(a,i0)', 'constant GRAVLET_ERROR_OF_ACCELERATION ', GRAVLET_ERROR_OF_ACCELERATION
    print '(a,i0)', 'constant GRAVLET_ERROR_P99 ', GRAVLET_ERROR_P99
    print '(a,i0)', 'constant GRAVLET_ERROR_P999 ', GRAVLET_ERROR_P999
    print '(a,i0)', 'constant GRAVLET_ERROR_P9999 ', GRAVLET_ERROR_P9999
    print '(a,i0)', 'constant GRAVLET_ERROR_RMS ', GRAVLET_ERROR_RMS
    print '(a,i0)', 'constant GRAVLET_AUTOMATIC ', GRAVLET_AUTOMATIC
    ! [/generated]
    call places()

    options = gravlet_default_options()
    call print_values('default')
    ! [generated: options] scripts/generate, api/schema
    options%backend = GRAVLET_BACKEND_CPU
    options%gpu_sharing = GRAVLET_SHARING_GATHER
    options%boundary(1) = GRAVLET_PERIODIC
    options%boundary(2) = GRAVLET_ISOLATED
    options%boundary(3) = GRAVLET_PERIODIC
    options%theta = 0.35_c_double
    options%order = 3
    options%precision = GRAVLET_PRECISION_DOUBLE
    options%criterion = GRAVLET_CRITERION_MULTIPOLE
    options%alpha = 0.015625_c_double
    options%tolerance = 0.0001_c_double
    options%tolerance_of = GRAVLET_ERROR_OF_POTENTIAL
    options%tolerance_at = GRAVLET_ERROR_P9999
    options%tolerance_effort = 7
    options%G = 6.67e-08_c_double
    options%self_potential = .false.
    options%near_cells = GRAVLET_NEAR_CELLS_CUBOID
    options%acting_classes = 6
    options%softening_kernel = GRAVLET_SOFTENING_SPLINE
    options%softening = 0.1_c_double
    options%has_domain = .true.
    options%domain_lower(1) = -1.0_c_double
    options%domain_lower(2) = -2.0_c_double
    options%domain_lower(3) = -3.0_c_double
    options%domain_upper(1) = 1.0_c_double
    options%domain_upper(2) = 2.0_c_double
    options%domain_upper(3) = 3.5_c_double
    options%background = GRAVLET_BACKGROUND_KEEP
    options%wrap = .true.
    options%shear = 0.25_c_double
    options%periodic_method = GRAVLET_PERIODIC_TABLE
    options%ewald_nodes = 8
    options%ewald_order = 3
    options%ewald_cache = 'a table.h5'
    options%keep_tree = .false.
    options%keep_moved = .true.
    options%redistribute = .true.
    options%group_size = 64
    options%leaf_size = 7
    options%virtual_root_boxes = 3
    options%threads = 5
    options%error_samples = 9007199254740993_c_int64_t
    options%error_seed = 9_c_int64_t
    options%active_bits = GRAVLET_ACTIVE_BITS_SAME
    options%check_changed = .true.
    options%uniform_mesh = GRAVLET_UNIFORM_MESH_TREE
    ! [/generated]
    call print_values('option')

    options = gravlet_default_options()
    options%backend = GRAVLET_BACKEND_CPU
    options%threads = 1
    options%tolerance = 1e-3_c_double
    options%error_samples = 1200
    options%criterion = GRAVLET_CRITERION_ACCELERATION
    do i = 1, n
        x(i) = fraction_of(i * 0.7548776662466927_c_double)
        y(i) = fraction_of(i * 0.5698402909980532_c_double)
        z(i) = fraction_of(i * 0.8191725133961645_c_double)
        mass(i) = 1.0_c_double + mod(i - 1, 7)
    end do
    points%x => x
    points%y => y
    points%z => z
    points%mass => mass
    points%potential => results(:, 0)
    points%acceleration_x => results(:, 1)
    points%acceleration_y => results(:, 2)
    points%acceleration_z => results(:, 3)
    points%tidal_xx => results(:, 4)
    points%tidal_xy => results(:, 5)
    points%tidal_xz => results(:, 6)
    points%tidal_yy => results(:, 7)
    points%tidal_yz => results(:, 8)
    points%tidal_zz => results(:, 9)
    call solver%create(MPI_COMM_WORLD, options)
    call solver%solve_points(points)
    call print_report('points')

    options = gravlet_default_options()
    options%backend = GRAVLET_BACKEND_CPU
    options%threads = 1
    options%near_cells = GRAVLET_NEAR_CELLS_CUBOID
    options%boundary = GRAVLET_PERIODIC
    options%has_domain = .true.
    options%domain_upper = 1.0_c_double
    do i = 0, cells - 1
        x(i + 1) = 0.125_c_double + 0.25_c_double * mod(i, 4)
        y(i + 1) = 0.125_c_double + 0.25_c_double * mod(i / 4, 4)
        z(i + 1) = 0.125_c_double + 0.25_c_double * (i / 16)
        dx(i + 1) = 0.25_c_double
        mass(i + 1) = 1.0_c_double + mod(i, 5)
    end do
    call solver%create(MPI_COMM_WORLD, options)
    call solver%solve_cells(x(:cells), y(:cells), z(:cells), dx(:cells), mass(:cells), results(:cells, 0), results(:cells, 1), &
        results(:cells, 2), results(:cells, 3), tidal_xx=results(:cells, 4), tidal_xy=results(:cells, 5), &
        tidal_xz=results(:cells, 6), tidal_yy=results(:cells, 7), tidal_yz=results(:cells, 8), tidal_zz=results(:cells, 9))
    call print_report('cells')
    call solver%destroy()
    call MPI_Finalize(error)

contains

    subroutine print_values(kind)
        character(len=*), intent(in) :: kind
        type(gravlet_option_info), allocatable :: list(:)
        integer :: k

        list = gravlet_option_list()
        do k = 1, size(list)
            print '(5a)', kind, ' ', list(k)%name, ' ', options%get(list(k)%name)
        end do
    end subroutine

    real(c_double) function fraction_of(value)
        real(c_double), intent(in) :: value

        fraction_of = value - aint(value)
    end function

    subroutine number(solve, name, value)
        character(len=*), intent(in) :: solve, name
        real(c_double), intent(in) :: value

        print '(5a,es26.17e3)', 'report ', solve, '.', name, ' ', value
    end subroutine

    subroutine whole(solve, name, value)
        character(len=*), intent(in) :: solve, name
        integer(c_int64_t), intent(in) :: value

        print '(5a,i0)', 'report ', solve, '.', name, ' ', value
    end subroutine

    subroutine print_report(solve)
        character(len=*), intent(in) :: solve
        type(gravlet_report) :: r
        integer :: k

        call solver%get_report(r)
        ! [generated: report] scripts/generate, api/schema
        call whole(solve, 'targets', int(r%targets, c_int64_t))
        call whole(solve, 'sources', int(r%sources, c_int64_t))
        call whole(solve, 'ranks', int(r%ranks, c_int64_t))
        call whole(solve, 'threads', int(r%threads, c_int64_t))
        call whole(solve, 'unchanged_ranks', int(r%unchanged_ranks, c_int64_t))
        call whole(solve, 'moved_ranks', int(r%moved_ranks, c_int64_t))
        call whole(solve, 'predicted_nodes', int(r%predicted_nodes, c_int64_t))
        call number(solve, 'predicted_shift', r%predicted_shift)
        call whole(solve, 'warnings', int(size(r%warnings), c_int64_t))
        call number(solve, 'seconds', r%seconds)
        call whole(solve, 'stages', int(size(r%stages), c_int64_t))
        call whole(solve, 'node_interactions', int(r%node_interactions, c_int64_t))
        call whole(solve, 'cell_interactions', int(r%cell_interactions, c_int64_t))
        call whole(solve, 'far_interactions', int(r%far_interactions, c_int64_t))
        call whole(solve, 'coincident_pairs', int(r%coincident_pairs, c_int64_t))
        call whole(solve, 'bytes_sent', int(r%bytes_sent, c_int64_t))
        call whole(solve, 'nodes_imported', int(r%nodes_imported, c_int64_t))
        call whole(solve, 'cells_imported', int(r%cells_imported, c_int64_t))
        call whole(solve, 'peak_bytes', int(r%peak_bytes, c_int64_t))
        call whole(solve, 'potential_error.samples', int(r%potential_error%samples, c_int64_t))
        call number(solve, 'potential_error.max', r%potential_error%max)
        call number(solve, 'potential_error.p9999', r%potential_error%p9999)
        call number(solve, 'potential_error.p999', r%potential_error%p999)
        call number(solve, 'potential_error.p99', r%potential_error%p99)
        call number(solve, 'potential_error.median', r%potential_error%median)
        call number(solve, 'potential_error.rms', r%potential_error%rms)
        call number(solve, 'potential_error.worst[0]', r%potential_error%worst(1))
        call number(solve, 'potential_error.worst[1]', r%potential_error%worst(2))
        call number(solve, 'potential_error.worst[2]', r%potential_error%worst(3))
        call whole(solve, 'acceleration_error.samples', int(r%acceleration_error%samples, c_int64_t))
        call number(solve, 'acceleration_error.max', r%acceleration_error%max)
        call number(solve, 'acceleration_error.p9999', r%acceleration_error%p9999)
        call number(solve, 'acceleration_error.p999', r%acceleration_error%p999)
        call number(solve, 'acceleration_error.p99', r%acceleration_error%p99)
        call number(solve, 'acceleration_error.median', r%acceleration_error%median)
        call number(solve, 'acceleration_error.rms', r%acceleration_error%rms)
        call number(solve, 'acceleration_error.worst[0]', r%acceleration_error%worst(1))
        call number(solve, 'acceleration_error.worst[1]', r%acceleration_error%worst(2))
        call number(solve, 'acceleration_error.worst[2]', r%acceleration_error%worst(3))
        call whole(solve, 'tidal_error.samples', int(r%tidal_error%samples, c_int64_t))
        call number(solve, 'tidal_error.max', r%tidal_error%max)
        call number(solve, 'tidal_error.p9999', r%tidal_error%p9999)
        call number(solve, 'tidal_error.p999', r%tidal_error%p999)
        call number(solve, 'tidal_error.p99', r%tidal_error%p99)
        call number(solve, 'tidal_error.median', r%tidal_error%median)
        call number(solve, 'tidal_error.rms', r%tidal_error%rms)
        call number(solve, 'tidal_error.worst[0]', r%tidal_error%worst(1))
        call number(solve, 'tidal_error.worst[1]', r%tidal_error%worst(2))
        call number(solve, 'tidal_error.worst[2]', r%tidal_error%worst(3))
        call number(solve, 'tolerance.asked', r%tolerance%asked)
        call number(solve, 'tolerance.reached', r%tolerance%reached)
        call whole(solve, 'tolerance.kept', int(r%tolerance%kept, c_int64_t))
        call number(solve, 'tolerance.floor', r%tolerance%floor)
        call whole(solve, 'tolerance.walks', int(r%tolerance%walks, c_int64_t))
        call whole(solve, 'tolerance.solves_ago', int(r%tolerance%solves_ago, c_int64_t))
        call whole(solve, 'tolerance.criterion', int(r%tolerance%criterion, c_int64_t))
        call number(solve, 'tolerance.theta', r%tolerance%theta)
        call number(solve, 'tolerance.alpha', r%tolerance%alpha)
        call whole(solve, 'tolerance.order', int(r%tolerance%order, c_int64_t))
        call number(solve, 'net_force', r%net_force)
        call number(solve, 'net_torque', r%net_torque)
        call number(solve, 'background', r%background)
        call number(solve, 'time_step', r%time_step)
        ! [/generated]
        print '(4a)', 'report ', solve, '.backend ', r%backend
        do k = 1, size(r%stages)
            print '(4a)', 'stage ', solve, ' ', r%stages(k)%name
        end do
        do k = 0, 9
            print '(3a,i0,es26.17e3)', 'result ', solve, '.', k, results(6, k)
        end do
    end subroutine

    subroutine place(name, start, member, length)
        character(len=*), intent(in) :: name
        type(c_ptr), intent(in) :: start, member
        integer(c_size_t), intent(in) :: length

        print '(3a,2(1x,i0))', 'place ', name, '', transfer(member, 0_c_intptr_t) - transfer(start, 0_c_intptr_t), length
    end subroutine

    ! [generated: abi] scripts/generate, api/schema
    subroutine places()
        type(c_options), target :: options
        type(c_stage_time), target :: stage_time
        type(gravlet_error_statistics), target :: error_statistics
        type(gravlet_tolerance_report), target :: tolerance_report
        type(c_report), target :: report
        type(c_cells), target :: cells
        type(c_points), target :: points
        type(c_fields), target :: fields
        type(c_probes), target :: probes
        type(gravlet_block), target :: block
        type(c_listener), target :: listener
        type(c_option_info), target :: option_info

        call place('gravlet_options size', c_loc(options), c_loc(options%size), c_sizeof(options%size))
        call place('gravlet_options backend', c_loc(options), c_loc(options%backend), c_sizeof(options%backend))
        call place('gravlet_options gpu_sharing', c_loc(options), c_loc(options%gpu_sharing), c_sizeof(options%gpu_sharing))
        call place('gravlet_options boundary', c_loc(options), c_loc(options%boundary), c_sizeof(options%boundary))
        call place('gravlet_options theta', c_loc(options), c_loc(options%theta), c_sizeof(options%theta))
        call place('gravlet_options order', c_loc(options), c_loc(options%order), c_sizeof(options%order))
        call place('gravlet_options G', c_loc(options), c_loc(options%G), c_sizeof(options%G))
        call place('gravlet_options self_potential', c_loc(options), c_loc(options%self_potential), &
            c_sizeof(options%self_potential))
        call place('gravlet_options softening_kernel', c_loc(options), c_loc(options%softening_kernel), &
            c_sizeof(options%softening_kernel))
        call place('gravlet_options softening', c_loc(options), c_loc(options%softening), c_sizeof(options%softening))
        call place('gravlet_options has_domain', c_loc(options), c_loc(options%has_domain), c_sizeof(options%has_domain))
        call place('gravlet_options domain_lower', c_loc(options), c_loc(options%domain_lower), c_sizeof(options%domain_lower))
        call place('gravlet_options domain_upper', c_loc(options), c_loc(options%domain_upper), c_sizeof(options%domain_upper))
        call place('gravlet_options periodic_method', c_loc(options), c_loc(options%periodic_method), &
            c_sizeof(options%periodic_method))
        call place('gravlet_options ewald_nodes', c_loc(options), c_loc(options%ewald_nodes), c_sizeof(options%ewald_nodes))
        call place('gravlet_options ewald_order', c_loc(options), c_loc(options%ewald_order), c_sizeof(options%ewald_order))
        call place('gravlet_options ewald_cache', c_loc(options), c_loc(options%ewald_cache), c_sizeof(options%ewald_cache))
        call place('gravlet_options keep_tree', c_loc(options), c_loc(options%keep_tree), c_sizeof(options%keep_tree))
        call place('gravlet_options keep_moved', c_loc(options), c_loc(options%keep_moved), c_sizeof(options%keep_moved))
        call place('gravlet_options redistribute', c_loc(options), c_loc(options%redistribute), c_sizeof(options%redistribute))
        call place('gravlet_options group_size', c_loc(options), c_loc(options%group_size), c_sizeof(options%group_size))
        call place('gravlet_options leaf_size', c_loc(options), c_loc(options%leaf_size), c_sizeof(options%leaf_size))
        call place('gravlet_options virtual_root_boxes', c_loc(options), c_loc(options%virtual_root_boxes), &
            c_sizeof(options%virtual_root_boxes))
        call place('gravlet_options threads', c_loc(options), c_loc(options%threads), c_sizeof(options%threads))
        call place('gravlet_options error_samples', c_loc(options), c_loc(options%error_samples), &
            c_sizeof(options%error_samples))
        call place('gravlet_options error_seed', c_loc(options), c_loc(options%error_seed), c_sizeof(options%error_seed))
        call place('gravlet_options criterion', c_loc(options), c_loc(options%criterion), c_sizeof(options%criterion))
        call place('gravlet_options alpha', c_loc(options), c_loc(options%alpha), c_sizeof(options%alpha))
        call place('gravlet_options tolerance', c_loc(options), c_loc(options%tolerance), c_sizeof(options%tolerance))
        call place('gravlet_options tolerance_of', c_loc(options), c_loc(options%tolerance_of), c_sizeof(options%tolerance_of))
        call place('gravlet_options tolerance_at', c_loc(options), c_loc(options%tolerance_at), c_sizeof(options%tolerance_at))
        call place('gravlet_options background', c_loc(options), c_loc(options%background), c_sizeof(options%background))
        call place('gravlet_options tolerance_effort', c_loc(options), c_loc(options%tolerance_effort), &
            c_sizeof(options%tolerance_effort))
        call place('gravlet_options near_cells', c_loc(options), c_loc(options%near_cells), c_sizeof(options%near_cells))
        call place('gravlet_options precision', c_loc(options), c_loc(options%precision), c_sizeof(options%precision))
        call place('gravlet_options acting_classes', c_loc(options), c_loc(options%acting_classes), &
            c_sizeof(options%acting_classes))
        call place('gravlet_options active_bits', c_loc(options), c_loc(options%active_bits), c_sizeof(options%active_bits))
        call place('gravlet_options check_changed', c_loc(options), c_loc(options%check_changed), &
            c_sizeof(options%check_changed))
        call place('gravlet_options uniform_mesh', c_loc(options), c_loc(options%uniform_mesh), c_sizeof(options%uniform_mesh))
        call place('gravlet_options wrap', c_loc(options), c_loc(options%wrap), c_sizeof(options%wrap))
        call place('gravlet_options shear', c_loc(options), c_loc(options%shear), c_sizeof(options%shear))
        print '(a,i0)', 'length gravlet_options ', c_sizeof(options)
        call place('gravlet_stage_time name', c_loc(stage_time), c_loc(stage_time%name), c_sizeof(stage_time%name))
        call place('gravlet_stage_time max', c_loc(stage_time), c_loc(stage_time%max), c_sizeof(stage_time%max))
        call place('gravlet_stage_time mean', c_loc(stage_time), c_loc(stage_time%mean), c_sizeof(stage_time%mean))
        print '(a,i0)', 'length gravlet_stage_time ', c_sizeof(stage_time)
        call place('gravlet_error_statistics samples', c_loc(error_statistics), c_loc(error_statistics%samples), &
            c_sizeof(error_statistics%samples))
        call place('gravlet_error_statistics max', c_loc(error_statistics), c_loc(error_statistics%max), &
            c_sizeof(error_statistics%max))
        call place('gravlet_error_statistics p9999', c_loc(error_statistics), c_loc(error_statistics%p9999), &
            c_sizeof(error_statistics%p9999))
        call place('gravlet_error_statistics p999', c_loc(error_statistics), c_loc(error_statistics%p999), &
            c_sizeof(error_statistics%p999))
        call place('gravlet_error_statistics p99', c_loc(error_statistics), c_loc(error_statistics%p99), &
            c_sizeof(error_statistics%p99))
        call place('gravlet_error_statistics median', c_loc(error_statistics), c_loc(error_statistics%median), &
            c_sizeof(error_statistics%median))
        call place('gravlet_error_statistics rms', c_loc(error_statistics), c_loc(error_statistics%rms), &
            c_sizeof(error_statistics%rms))
        call place('gravlet_error_statistics worst', c_loc(error_statistics), c_loc(error_statistics%worst), &
            c_sizeof(error_statistics%worst))
        print '(a,i0)', 'length gravlet_error_statistics ', c_sizeof(error_statistics)
        call place('gravlet_tolerance_report asked', c_loc(tolerance_report), c_loc(tolerance_report%asked), &
            c_sizeof(tolerance_report%asked))
        call place('gravlet_tolerance_report reached', c_loc(tolerance_report), c_loc(tolerance_report%reached), &
            c_sizeof(tolerance_report%reached))
        call place('gravlet_tolerance_report solves_ago', c_loc(tolerance_report), c_loc(tolerance_report%solves_ago), &
            c_sizeof(tolerance_report%solves_ago))
        call place('gravlet_tolerance_report theta', c_loc(tolerance_report), c_loc(tolerance_report%theta), &
            c_sizeof(tolerance_report%theta))
        call place('gravlet_tolerance_report alpha', c_loc(tolerance_report), c_loc(tolerance_report%alpha), &
            c_sizeof(tolerance_report%alpha))
        call place('gravlet_tolerance_report order', c_loc(tolerance_report), c_loc(tolerance_report%order), &
            c_sizeof(tolerance_report%order))
        call place('gravlet_tolerance_report criterion', c_loc(tolerance_report), c_loc(tolerance_report%criterion), &
            c_sizeof(tolerance_report%criterion))
        call place('gravlet_tolerance_report kept', c_loc(tolerance_report), c_loc(tolerance_report%kept), &
            c_sizeof(tolerance_report%kept))
        call place('gravlet_tolerance_report walks', c_loc(tolerance_report), c_loc(tolerance_report%walks), &
            c_sizeof(tolerance_report%walks))
        call place('gravlet_tolerance_report floor', c_loc(tolerance_report), c_loc(tolerance_report%floor), &
            c_sizeof(tolerance_report%floor))
        print '(a,i0)', 'length gravlet_tolerance_report ', c_sizeof(tolerance_report)
        call place('gravlet_report size', c_loc(report), c_loc(report%size), c_sizeof(report%size))
        call place('gravlet_report targets', c_loc(report), c_loc(report%targets), c_sizeof(report%targets))
        call place('gravlet_report sources', c_loc(report), c_loc(report%sources), c_sizeof(report%sources))
        call place('gravlet_report ranks', c_loc(report), c_loc(report%ranks), c_sizeof(report%ranks))
        call place('gravlet_report threads', c_loc(report), c_loc(report%threads), c_sizeof(report%threads))
        call place('gravlet_report unchanged_ranks', c_loc(report), c_loc(report%unchanged_ranks), &
            c_sizeof(report%unchanged_ranks))
        call place('gravlet_report moved_ranks', c_loc(report), c_loc(report%moved_ranks), c_sizeof(report%moved_ranks))
        call place('gravlet_report stages', c_loc(report), c_loc(report%stages), c_sizeof(report%stages))
        call place('gravlet_report warnings', c_loc(report), c_loc(report%warnings), c_sizeof(report%warnings))
        call place('gravlet_report seconds', c_loc(report), c_loc(report%seconds), c_sizeof(report%seconds))
        call place('gravlet_report node_interactions', c_loc(report), c_loc(report%node_interactions), &
            c_sizeof(report%node_interactions))
        call place('gravlet_report cell_interactions', c_loc(report), c_loc(report%cell_interactions), &
            c_sizeof(report%cell_interactions))
        call place('gravlet_report far_interactions', c_loc(report), c_loc(report%far_interactions), &
            c_sizeof(report%far_interactions))
        call place('gravlet_report coincident_pairs', c_loc(report), c_loc(report%coincident_pairs), &
            c_sizeof(report%coincident_pairs))
        call place('gravlet_report bytes_sent', c_loc(report), c_loc(report%bytes_sent), c_sizeof(report%bytes_sent))
        call place('gravlet_report nodes_imported', c_loc(report), c_loc(report%nodes_imported), c_sizeof(report%nodes_imported))
        call place('gravlet_report cells_imported', c_loc(report), c_loc(report%cells_imported), c_sizeof(report%cells_imported))
        call place('gravlet_report peak_bytes', c_loc(report), c_loc(report%peak_bytes), c_sizeof(report%peak_bytes))
        call place('gravlet_report potential_error', c_loc(report), c_loc(report%potential_error), &
            c_sizeof(report%potential_error))
        call place('gravlet_report acceleration_error', c_loc(report), c_loc(report%acceleration_error), &
            c_sizeof(report%acceleration_error))
        call place('gravlet_report tidal_error', c_loc(report), c_loc(report%tidal_error), c_sizeof(report%tidal_error))
        call place('gravlet_report net_force', c_loc(report), c_loc(report%net_force), c_sizeof(report%net_force))
        call place('gravlet_report net_torque', c_loc(report), c_loc(report%net_torque), c_sizeof(report%net_torque))
        call place('gravlet_report tolerance', c_loc(report), c_loc(report%tolerance), c_sizeof(report%tolerance))
        call place('gravlet_report background', c_loc(report), c_loc(report%background), c_sizeof(report%background))
        call place('gravlet_report time_step', c_loc(report), c_loc(report%time_step), c_sizeof(report%time_step))
        call place('gravlet_report predicted_nodes', c_loc(report), c_loc(report%predicted_nodes), &
            c_sizeof(report%predicted_nodes))
        call place('gravlet_report predicted_shift', c_loc(report), c_loc(report%predicted_shift), &
            c_sizeof(report%predicted_shift))
        print '(a,i0)', 'length gravlet_report ', c_sizeof(report)
        call place('gravlet_cells count', c_loc(cells), c_loc(cells%count), c_sizeof(cells%count))
        call place('gravlet_cells x', c_loc(cells), c_loc(cells%x), c_sizeof(cells%x))
        call place('gravlet_cells y', c_loc(cells), c_loc(cells%y), c_sizeof(cells%y))
        call place('gravlet_cells z', c_loc(cells), c_loc(cells%z), c_sizeof(cells%z))
        call place('gravlet_cells dx', c_loc(cells), c_loc(cells%dx), c_sizeof(cells%dx))
        call place('gravlet_cells dy', c_loc(cells), c_loc(cells%dy), c_sizeof(cells%dy))
        call place('gravlet_cells dz', c_loc(cells), c_loc(cells%dz), c_sizeof(cells%dz))
        call place('gravlet_cells mass', c_loc(cells), c_loc(cells%mass), c_sizeof(cells%mass))
        call place('gravlet_cells active', c_loc(cells), c_loc(cells%active), c_sizeof(cells%active))
        call place('gravlet_cells floats', c_loc(cells), c_loc(cells%floats), c_sizeof(cells%floats))
        call place('gravlet_cells source_class', c_loc(cells), c_loc(cells%source_class), c_sizeof(cells%source_class))
        print '(a,i0)', 'length gravlet_cells ', c_sizeof(cells)
        call place('gravlet_points count', c_loc(points), c_loc(points%count), c_sizeof(points%count))
        call place('gravlet_points x', c_loc(points), c_loc(points%x), c_sizeof(points%x))
        call place('gravlet_points y', c_loc(points), c_loc(points%y), c_sizeof(points%y))
        call place('gravlet_points z', c_loc(points), c_loc(points%z), c_sizeof(points%z))
        call place('gravlet_points mass', c_loc(points), c_loc(points%mass), c_sizeof(points%mass))
        call place('gravlet_points active', c_loc(points), c_loc(points%active), c_sizeof(points%active))
        call place('gravlet_points softening', c_loc(points), c_loc(points%softening), c_sizeof(points%softening))
        call place('gravlet_points floats', c_loc(points), c_loc(points%floats), c_sizeof(points%floats))
        call place('gravlet_points source_class', c_loc(points), c_loc(points%source_class), c_sizeof(points%source_class))
        print '(a,i0)', 'length gravlet_points ', c_sizeof(points)
        call place('gravlet_fields potential', c_loc(fields), c_loc(fields%potential), c_sizeof(fields%potential))
        call place('gravlet_fields acceleration', c_loc(fields), c_loc(fields%acceleration), c_sizeof(fields%acceleration))
        call place('gravlet_fields tidal', c_loc(fields), c_loc(fields%tidal), c_sizeof(fields%tidal))
        call place('gravlet_fields floats', c_loc(fields), c_loc(fields%floats), c_sizeof(fields%floats))
        print '(a,i0)', 'length gravlet_fields ', c_sizeof(fields)
        call place('gravlet_probes count', c_loc(probes), c_loc(probes%count), c_sizeof(probes%count))
        call place('gravlet_probes x', c_loc(probes), c_loc(probes%x), c_sizeof(probes%x))
        call place('gravlet_probes y', c_loc(probes), c_loc(probes%y), c_sizeof(probes%y))
        call place('gravlet_probes z', c_loc(probes), c_loc(probes%z), c_sizeof(probes%z))
        call place('gravlet_probes potential', c_loc(probes), c_loc(probes%potential), c_sizeof(probes%potential))
        call place('gravlet_probes acceleration', c_loc(probes), c_loc(probes%acceleration), c_sizeof(probes%acceleration))
        call place('gravlet_probes tidal', c_loc(probes), c_loc(probes%tidal), c_sizeof(probes%tidal))
        call place('gravlet_probes floats', c_loc(probes), c_loc(probes%floats), c_sizeof(probes%floats))
        print '(a,i0)', 'length gravlet_probes ', c_sizeof(probes)
        call place('gravlet_block lower', c_loc(block), c_loc(block%lower), c_sizeof(block%lower))
        call place('gravlet_block cell_size', c_loc(block), c_loc(block%cell_size), c_sizeof(block%cell_size))
        call place('gravlet_block n', c_loc(block), c_loc(block%n), c_sizeof(block%n))
        call place('gravlet_block inactive', c_loc(block), c_loc(block%inactive), c_sizeof(block%inactive))
        call place('gravlet_block stride', c_loc(block), c_loc(block%stride), c_sizeof(block%stride))
        call place('gravlet_block density', c_loc(block), c_loc(block%density), c_sizeof(block%density))
        call place('gravlet_block potential', c_loc(block), c_loc(block%potential), c_sizeof(block%potential))
        call place('gravlet_block acceleration', c_loc(block), c_loc(block%acceleration), c_sizeof(block%acceleration))
        call place('gravlet_block result_stride', c_loc(block), c_loc(block%result_stride), c_sizeof(block%result_stride))
        call place('gravlet_block tidal', c_loc(block), c_loc(block%tidal), c_sizeof(block%tidal))
        call place('gravlet_block result_guards', c_loc(block), c_loc(block%result_guards), c_sizeof(block%result_guards))
        call place('gravlet_block floats', c_loc(block), c_loc(block%floats), c_sizeof(block%floats))
        call place('gravlet_block face_acceleration', c_loc(block), c_loc(block%face_acceleration), &
            c_sizeof(block%face_acceleration))
        call place('gravlet_block face_stride', c_loc(block), c_loc(block%face_stride), c_sizeof(block%face_stride))
        print '(a,i0)', 'length gravlet_block ', c_sizeof(block)
        call place('gravlet_listener context', c_loc(listener), c_loc(listener%context), c_sizeof(listener%context))
        call place('gravlet_listener warning', c_loc(listener), c_loc(listener%warning), c_sizeof(listener%warning))
        call place('gravlet_listener begin_stage', c_loc(listener), c_loc(listener%begin_stage), c_sizeof(listener%begin_stage))
        call place('gravlet_listener end_stage', c_loc(listener), c_loc(listener%end_stage), c_sizeof(listener%end_stage))
        call place('gravlet_listener progress', c_loc(listener), c_loc(listener%progress), c_sizeof(listener%progress))
        call place('gravlet_listener interval', c_loc(listener), c_loc(listener%interval), c_sizeof(listener%interval))
        call place('gravlet_listener cancelled', c_loc(listener), c_loc(listener%cancelled), c_sizeof(listener%cancelled))
        print '(a,i0)', 'length gravlet_listener ', c_sizeof(listener)
        call place('gravlet_option_info name', c_loc(option_info), c_loc(option_info%name), c_sizeof(option_info%name))
        call place('gravlet_option_info type', c_loc(option_info), c_loc(option_info%type), c_sizeof(option_info%type))
        call place('gravlet_option_info range', c_loc(option_info), c_loc(option_info%range), c_sizeof(option_info%range))
        call place('gravlet_option_info default_value', c_loc(option_info), c_loc(option_info%default_value), &
            c_sizeof(option_info%default_value))
        call place('gravlet_option_info help', c_loc(option_info), c_loc(option_info%help), c_sizeof(option_info%help))
        print '(a,i0)', 'length gravlet_option_info ', c_sizeof(option_info)
    end subroutine
    ! [/generated]
end program
