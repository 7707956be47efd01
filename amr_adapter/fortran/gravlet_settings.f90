! SPDX-License-Identifier: Apache-2.0
! Options for Fortran, as components and by name. Hosts use the module gravlet, which hands this on.
module gravlet_settings
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int32_t, c_int64_t, c_loc, c_null_char, c_null_ptr, c_size_t
    use gravlet_c, only: c_get_option, c_get_option_info, c_option_count, c_option_info, c_options, c_options_init, &
        c_set_option, finish, message_of, GRAVLET_SUCCESS, to_c, to_text
    implicit none
    private

    public :: gravlet_options, gravlet_default_options, gravlet_option_info, gravlet_option_list
    public :: c_text, path_count ! for the module gravlet

    ! Values of options
    ! [generated: constants] scripts/generate, api/schema
    integer, parameter, public :: GRAVLET_BACKEND_AUTOMATIC = 0, GRAVLET_BACKEND_CPU = 1, GRAVLET_BACKEND_GPU = 2
    integer, parameter, public :: GRAVLET_SHARING_AUTOMATIC = 0, GRAVLET_SHARING_SHARE = 1, GRAVLET_SHARING_GATHER = 2
    integer, parameter, public :: GRAVLET_ISOLATED = 0, GRAVLET_PERIODIC = 1, GRAVLET_MIRROR_LOWER = 2, GRAVLET_MIRROR_UPPER = 3
    integer, parameter, public :: GRAVLET_PERIODIC_IMAGES = 0, GRAVLET_PERIODIC_TABLE = 1
    integer, parameter, public :: GRAVLET_BACKGROUND_AUTOMATIC = 0, GRAVLET_BACKGROUND_KEEP = 1, GRAVLET_BACKGROUND_CONTRAST = 2
    integer, parameter, public :: GRAVLET_SOFTENING_PLUMMER = 0, GRAVLET_SOFTENING_SPLINE = 1
    integer, parameter, public :: GRAVLET_CRITERION_AUTOMATIC = 0, GRAVLET_CRITERION_OPENING = 1, &
        GRAVLET_CRITERION_ACCELERATION = 2, GRAVLET_CRITERION_MULTIPOLE = 3
    integer, parameter, public :: GRAVLET_NEAR_CELLS_POINT = 0, GRAVLET_NEAR_CELLS_CUBOID = 1
    integer, parameter, public :: GRAVLET_UNIFORM_MESH_AUTOMATIC = 0, GRAVLET_UNIFORM_MESH_TREE = 1, &
        GRAVLET_UNIFORM_MESH_CONVOLUTION = 2
    integer, parameter, public :: GRAVLET_ACTIVE_BITS_ANY = 0, GRAVLET_ACTIVE_BITS_SAME = 1
    integer, parameter, public :: GRAVLET_PRECISION_SINGLE = 0, GRAVLET_PRECISION_DOUBLE = 1
    integer, parameter, public :: GRAVLET_ERROR_OF_AUTOMATIC = 0, GRAVLET_ERROR_OF_POTENTIAL = 1, &
        GRAVLET_ERROR_OF_ACCELERATION = 2
    integer, parameter, public :: GRAVLET_ERROR_P99 = 0, GRAVLET_ERROR_P999 = 1, GRAVLET_ERROR_P9999 = 2, GRAVLET_ERROR_RMS = 3
    integer, parameter, public :: GRAVLET_AUTOMATIC = -1
    ! [/generated]

    ! Options (options.hpp says what each does), equal on every rank. As they are declared they are the library's defaults.
    type :: gravlet_options
        ! [generated: options] scripts/generate, api/schema
        ! What solves; auto: the GPU where every rank has one that can be used, else the CPU. GRAVLET_BACKEND_...
        integer :: backend = GRAVLET_BACKEND_AUTOMATIC
        ! How several ranks use one GPU: each by itself, or one of them for all; auto: gather where ranks outnumber GPUs.
        ! GRAVLET_SHARING_...
        integer :: gpu_sharing = GRAVLET_SHARING_AUTOMATIC
        ! What is beyond the domain, in all directions or in x, y and z: nothing, its repetitions, or its mirror image; but for
        ! nothing it needs a domain. GRAVLET_ISOLATED or GRAVLET_PERIODIC or GRAVLET_MIRROR_LOWER or GRAVLET_MIRROR_UPPER
        integer :: boundary(3) = GRAVLET_ISOLATED
        ! Opening angle; smaller is more accurate and slower. auto: 0.8, with order 4 1.0; few bodies on a GPU: none, all act on
        ! all. GRAVLET_AUTOMATIC: auto.
        real(c_double) :: theta = -1.0_c_double
        ! Multipole order of nodes; above 4 with precision double. auto: 2 for potentials alone, 4 with accelerations.
        ! GRAVLET_AUTOMATIC: auto.
        integer :: order = -1
        ! The precision of a solve's sums. double: 1e-10 and better, at a small theta and a high order, for several times the
        ! time. GRAVLET_PRECISION_...
        integer :: precision = GRAVLET_PRECISION_SINGLE
        ! When a node acts as one; auto: opening, or with a tolerance what is cheaper. GRAVLET_CRITERION_...
        integer :: criterion = GRAVLET_CRITERION_AUTOMATIC
        ! What theta is to opening, to the other criteria: a node's bound over what acts on its targets. GRAVLET_AUTOMATIC: auto.
        real(c_double) :: alpha = -1.0_c_double
        real(c_double) :: tolerance = 0.0_c_double ! Relative error that solves are to have, in place of theta, order and alpha.
        ! The field whose error the tolerance is; auto: the acceleration where it is wanted. GRAVLET_ERROR_OF_...
        integer :: tolerance_of = GRAVLET_ERROR_OF_AUTOMATIC
        integer :: tolerance_at = GRAVLET_ERROR_P99 ! Which error of all targets the tolerance is for. GRAVLET_ERROR_...
        integer :: tolerance_effort = 4 ! The most walks that one solve may take to keep the tolerance.
        real(c_double) :: G = 1.0_c_double ! The gravitational constant, in the caller's units.
        logical :: self_potential = .true. ! Whether a cell adds its own potential, that of a homogeneous cuboid.
        ! What cells are to targets within about a side and a half: points, or homogeneous cuboids. GRAVLET_NEAR_CELLS_...
        integer :: near_cells = GRAVLET_NEAR_CELLS_POINT
        integer :: acting_classes = 255 ! Classes of sources that act: 1 for class 0, 2 for class 1, 4 for class 2, ..., added up.
        integer :: softening_kernel = GRAVLET_SOFTENING_PLUMMER ! What softening makes of 1/r. GRAVLET_SOFTENING_...
        real(c_double) :: softening = 0.0_c_double ! Softening length of points that bring none of their own.
        ! .false.: none. The box in which all cells must lie, its lower and upper corner; none: what the cells cover.
        logical :: has_domain = .false.
        real(c_double) :: domain_lower(3) = 0.0_c_double
        real(c_double) :: domain_upper(3) = 0.0_c_double
        ! What cells that fill a box, periodic in all directions, do without; auto: nearly their least density, which the report
        ! has; keep: nothing; contrast: the same as auto, and densities may be negative. GRAVLET_BACKGROUND_...
        integer :: background = GRAVLET_BACKGROUND_AUTOMATIC
        ! Whether points beyond a periodic box act from, and feel, where they are in it; false: they are an error.
        logical :: wrap = .false.
        ! Displacement in y of the box's image one period up in x: a sheared box, periodic in x and y.
        real(c_double) :: shear = 0.0_c_double
        ! How a box's images are added: nearest ones by the tree and the rest as one smooth function, or, to check by, pair by
        ! pair from a table. GRAVLET_PERIODIC_...
        integer :: periodic_method = GRAVLET_PERIODIC_IMAGES
        ! Nodes of the Ewald table (periodic_method: table) along half of the box's shortest periodic side.
        integer :: ewald_nodes = 24
        integer :: ewald_order = 5 ! Degree of the Ewald table's polynomials.
        ! Path of an HDF5 file in which the Ewald table is kept between runs, or not allocated or blank: none. Read by create()
        ! only.
        character(len=:), allocatable :: ewald_cache
        logical :: keep_tree = .true. ! A rank whose bodies are where they were keeps its order and tree.
        logical :: keep_moved = .false. ! A rank whose points have moved keeps its order and tree as long as that is cheaper.
        ! For bodies in no order of space: each rank solves for a stretch of the space-filling curve.
        logical :: redistribute = .false.
        integer :: group_size = 0 ! Targets that walk the tree together (GPU: 32 or 64). 0: auto.
        integer :: leaf_size = 12 ! A node of so many sources or fewer is not divided.
        integer :: virtual_root_boxes = 64 ! Boxes by which a rank tells the others where its targets are.
        ! OpenMP threads a rank, on GPUs at most 8, and 16 of all ranks of a machine; auto: the cores that it may run on. 0: auto.
        integer :: threads = 0
        ! So many random targets are compared with the direct sum after each solve.
        integer(c_int64_t) :: error_samples = 0_c_int64_t
        integer(c_int64_t) :: error_seed = 1_c_int64_t ! Which random targets error_samples takes.
        ! What bits active targets get: any, for the least time, or the same as in a solve for all. GRAVLET_ACTIVE_BITS_...
        integer :: active_bits = GRAVLET_ACTIVE_BITS_ANY
        ! What a host says to have changed since the last solve is compared with what has, as debug builds do.
        logical :: check_changed = .false.
        ! How a mesh of cells of one size is summed: by a convolution, exactly, or by a tree; auto: the former, unless theta and
        ! the like are given. GRAVLET_UNIFORM_MESH_...
        integer :: uniform_mesh = GRAVLET_UNIFORM_MESH_AUTOMATIC
        ! [/generated]
    contains
        procedure :: set => set_option
        procedure :: get => get_option
        procedure :: to_c => options_to_c ! these two for the module gravlet, and tests
        procedure :: from_c
    end type

    ! Paths for C.
    ! [generated: paths] scripts/generate, api/schema
    integer, parameter :: path_count = 1
    ! [/generated]
    type :: c_text
        character(kind=c_char), allocatable :: text(:)
    end type

    ! What is to be known of an option; all but the help is as set() takes it.
    type :: gravlet_option_info
        character(len=:), allocatable :: name
        character(len=:), allocatable :: type  ! number, integer, boolean, word, words (one or three), box or path
        character(len=:), allocatable :: range ! text such as '0.1 to 1, 0 (direct sum), auto', or all words; '' if there is none
        character(len=:), allocatable :: default_value
        character(len=:), allocatable :: help  ! one sentence
    end type

contains

    ! The library's defaults, for options that were others before.
    function gravlet_default_options() result(options)
        type(gravlet_options) :: options
        type(c_options) :: c

        call c_options_init(c)
        call from_c(options, c)
    end function

    subroutine from_c(options, c)
        class(gravlet_options), intent(inout) :: options
        type(c_options), intent(in) :: c

        ! [generated: from_c] scripts/generate, api/schema
        options%backend = int(c%backend)
        options%gpu_sharing = int(c%gpu_sharing)
        options%boundary = int(c%boundary)
        options%theta = c%theta
        options%order = int(c%order)
        options%precision = int(c%precision)
        options%criterion = int(c%criterion)
        options%alpha = c%alpha
        options%tolerance = c%tolerance
        options%tolerance_of = int(c%tolerance_of)
        options%tolerance_at = int(c%tolerance_at)
        options%tolerance_effort = int(c%tolerance_effort)
        options%G = c%G
        options%self_potential = c%self_potential /= 0
        options%near_cells = int(c%near_cells)
        options%acting_classes = int(c%acting_classes)
        options%softening_kernel = int(c%softening_kernel)
        options%softening = c%softening
        options%has_domain = c%has_domain /= 0
        options%domain_lower = c%domain_lower
        options%domain_upper = c%domain_upper
        options%background = int(c%background)
        options%wrap = c%wrap /= 0
        options%shear = c%shear
        options%periodic_method = int(c%periodic_method)
        options%ewald_nodes = int(c%ewald_nodes)
        options%ewald_order = int(c%ewald_order)
        options%ewald_cache = to_text(c%ewald_cache)
        options%keep_tree = c%keep_tree /= 0
        options%keep_moved = c%keep_moved /= 0
        options%redistribute = c%redistribute /= 0
        options%group_size = int(c%group_size)
        options%leaf_size = int(c%leaf_size)
        options%virtual_root_boxes = int(c%virtual_root_boxes)
        options%threads = int(c%threads)
        options%error_samples = c%error_samples
        options%error_seed = c%error_seed
        options%active_bits = int(c%active_bits)
        options%check_changed = c%check_changed /= 0
        options%uniform_mesh = int(c%uniform_mesh)
        ! [/generated]
    end subroutine

    ! For C; `paths` hold its paths, as long as c is used.
    subroutine options_to_c(self, c, paths)
        class(gravlet_options), intent(in) :: self
        type(c_options), intent(out) :: c
        type(c_text), target, intent(out) :: paths(path_count)

        call c_options_init(c)
        ! [generated: to_c] scripts/generate, api/schema
        c%backend = int(self%backend, c_int32_t)
        c%gpu_sharing = int(self%gpu_sharing, c_int32_t)
        c%boundary = int(self%boundary, c_int32_t)
        c%theta = self%theta
        c%order = int(self%order, c_int32_t)
        c%precision = int(self%precision, c_int32_t)
        c%criterion = int(self%criterion, c_int32_t)
        c%alpha = self%alpha
        c%tolerance = self%tolerance
        c%tolerance_of = int(self%tolerance_of, c_int32_t)
        c%tolerance_at = int(self%tolerance_at, c_int32_t)
        c%tolerance_effort = int(self%tolerance_effort, c_int32_t)
        c%G = self%G
        c%self_potential = merge(1_c_int32_t, 0_c_int32_t, self%self_potential)
        c%near_cells = int(self%near_cells, c_int32_t)
        c%acting_classes = int(self%acting_classes, c_int32_t)
        c%softening_kernel = int(self%softening_kernel, c_int32_t)
        c%softening = self%softening
        c%has_domain = merge(1_c_int32_t, 0_c_int32_t, self%has_domain)
        c%domain_lower = self%domain_lower
        c%domain_upper = self%domain_upper
        c%background = int(self%background, c_int32_t)
        c%wrap = merge(1_c_int32_t, 0_c_int32_t, self%wrap)
        c%shear = self%shear
        c%periodic_method = int(self%periodic_method, c_int32_t)
        c%ewald_nodes = int(self%ewald_nodes, c_int32_t)
        c%ewald_order = int(self%ewald_order, c_int32_t)
        if (allocated(self%ewald_cache)) then
            paths(1)%text = to_c(self%ewald_cache)
            c%ewald_cache = c_loc(paths(1)%text)
        end if
        c%keep_tree = merge(1_c_int32_t, 0_c_int32_t, self%keep_tree)
        c%keep_moved = merge(1_c_int32_t, 0_c_int32_t, self%keep_moved)
        c%redistribute = merge(1_c_int32_t, 0_c_int32_t, self%redistribute)
        c%group_size = int(self%group_size, c_int32_t)
        c%leaf_size = int(self%leaf_size, c_int32_t)
        c%virtual_root_boxes = int(self%virtual_root_boxes, c_int32_t)
        c%threads = int(self%threads, c_int32_t)
        c%error_samples = self%error_samples
        c%error_seed = self%error_seed
        c%active_bits = int(self%active_bits, c_int32_t)
        c%check_changed = merge(1_c_int32_t, 0_c_int32_t, self%check_changed)
        c%uniform_mesh = int(self%uniform_mesh, c_int32_t)
        ! [/generated]
    end subroutine

    ! Local. Sets the option of this name. value: as in YAML, '0.5' (or '5d-1'), 'true', 'gather', '[periodic, periodic, isolated]',
    ! 'auto' for what can be left to gravlet; blank: no path. GRAVLET_INVALID_OPTION on an unknown name or a value of another type,
    ! with the names or words that there are in the message; the options are then as they were.
    subroutine set_option(self, name, value, status, message)
        class(gravlet_options), intent(inout) :: self
        character(len=*), intent(in) :: name, value
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        type(c_options) :: c
        type(c_text), target :: paths(path_count)
        character(kind=c_char), allocatable, target :: text(:)
        integer(c_int) :: code

        call self%to_c(c, paths)
        text = to_c(value)
        code = c_set_option(c, to_c(name), c_loc(text))
        if (code == GRAVLET_SUCCESS) call from_c(self, c)
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end subroutine

    ! Local. The option's value, as set() takes it; '' if there is no option of this name.
    function get_option(self, name, status, message) result(value)
        class(gravlet_options), intent(in) :: self
        character(len=*), intent(in) :: name
        integer, intent(out), optional :: status
        character(len=:), allocatable, intent(out), optional :: message
        character(len=:), allocatable :: value
        type(c_options) :: c
        type(c_text), target :: paths(path_count)
        character(kind=c_char), target :: text(4096) ! as long as a path may be
        integer(c_int) :: code

        call self%to_c(c, paths)
        text(1) = c_null_char
        code = c_get_option(c, to_c(name), text, size(text, kind=c_size_t))
        value = to_text(c_loc(text))
        if (present(message)) message = message_of(code)
        call finish(code, status)
    end function

    ! Local. All options.
    function gravlet_option_list() result(list)
        type(gravlet_option_info), allocatable :: list(:)
        type(c_option_info) :: info
        integer :: i
        integer(c_int) :: code

        allocate (list(c_option_count()))
        do i = 1, size(list)
            code = c_get_option_info(int(i - 1, c_int32_t), info)
            list(i)%name = to_text(info%name)
            list(i)%type = to_text(info%type)
            list(i)%range = to_text(info%range)
            list(i)%default_value = to_text(info%default_value)
            list(i)%help = to_text(info%help)
        end do
    end function
end module gravlet_settings
