! SPDX-License-Identifier: Apache-2.0
! Options by name, as a Fortran host uses them. Ends with 1 if a call says something else than it should.
program options_by_name
    use gravlet
    use, intrinsic :: iso_c_binding, only: c_double
    implicit none

    type(gravlet_options) :: options, declared
    type(gravlet_option_info), allocatable :: list(:)
    character(len=:), allocatable :: message
    integer :: i, status
    logical :: wrong

    wrong = .false.
    options = gravlet_default_options()
    list = gravlet_option_list()
    call expect(size(list) > 20, 'list')
    do i = 1, size(list)
        call expect(options%get(list(i)%name) == list(i)%default_value, list(i)%name)
        call expect(declared%get(list(i)%name) == list(i)%default_value, list(i)%name // ' as declared')
        call options%set(list(i)%name, list(i)%default_value, status, message)
        call expect(status == GRAVLET_SUCCESS .and. message == '', list(i)%name // ' set')
        call expect(options%get(list(i)%name) == list(i)%default_value, list(i)%name // ' kept')
    end do

    call options%set('theta', '5d-1  ', status)
    call expect(status == GRAVLET_SUCCESS .and. is(options%theta, 0.5_c_double), 'theta')
    call options%set('boundary', 'periodic isolated isolated')
    call expect(all(options%boundary == [GRAVLET_PERIODIC, GRAVLET_ISOLATED, GRAVLET_ISOLATED]), 'boundary')
    call options%set('domain', '0 0 0 1 1 2')
    call expect(options%has_domain .and. is(options%domain_upper(3), 2.0_c_double), 'domain')
    call options%set('ewald_cache', 'table.h5')
    call options%set('keep_tree', '.false.')
    call expect(options%ewald_cache == 'table.h5' .and. .not. options%keep_tree, 'cache')
    call expect(options%get('ewald_cache') == 'table.h5', 'cache by name')

    call options%set('thta', '1', status, message)
    call expect(status == GRAVLET_INVALID_OPTION .and. index(message, 'did you mean theta?') > 0, 'unknown')
    call options%set('theta', 'wide', status, message)
    call expect(message == 'theta is wide: expected a number or auto' .and. is(options%theta, 0.5_c_double), 'wrong value')
    call expect(options%get('thta', status) == '' .and. status == GRAVLET_INVALID_OPTION, 'unknown to get')
    if (wrong) error stop 1

contains

    pure logical function is(value, expected)
        real(c_double), intent(in) :: value, expected

        is = .not. (value < expected .or. value > expected)
    end function

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what

        if (.not. good) print '(2a)', 'not as expected: ', what
        wrong = wrong .or. .not. good
    end subroutine
end program
