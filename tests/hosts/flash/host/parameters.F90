!! SPDX-License-Identifier: Apache-2.0
!! Runtime parameters with the names, types and defaults of the unit's own Config, Gravity's and sinks': the unit reads none that its
!! Config has not, nor as another type.
module parameters
  implicit none
  private
  public :: readCommandLine, setParameter, textOf, unreadParameters

  type :: parameter_t
     character(len=80) :: name, type, text
     logical :: wasRead = .FALSE.
  end type parameter_t

  type(parameter_t), allocatable :: list(:)

contains

  !! PROGRAM CONFIG [PARAMETER=VALUE...]: the unit's Config, and parameters that are not as there.
  subroutine readCommandLine()
    character(len=400) :: word
    integer :: i

    call get_command_argument(1, word)
    call readConfig(trim(word))
    do i = 2, command_argument_count()
       call get_command_argument(i, word)
       call setParameter(word(:index(word, "=") - 1), trim(word(index(word, "=") + 1:)))
    end do
  end subroutine readCommandLine

  subroutine readConfig(path)
    character(len=*), intent(IN) :: path
    character(len=400) :: line
    integer :: unit, status

    list = [parameter_t("useGravity", "BOOLEAN", "TRUE"), parameter_t("updateGravity", "BOOLEAN", "TRUE"), &
         parameter_t("grav_unjunkPden", "BOOLEAN", "TRUE"), parameter_t("grav_boundary_type", "STRING", "isolated"), &
         parameter_t("sink_softening_radius", "REAL", "1.", .TRUE.), &
         parameter_t("sink_softening_type_gas", "STRING", "linear", .TRUE.)]   ! which sinks alone read
    !! With an end: to the address sanitizer libgfortran reads a character behind names.
    open(newunit=unit, file=path // achar(0), status='old', action='read')
    do
       read(unit, '(a)', iostat=status) line
       if (status /= 0) exit
       if (index(line, "PARAMETER ") == 1) call add(line(11:))
    end do
    close(unit)
  end subroutine readConfig

  !! NAME TYPE DEFAULT
  subroutine add(words)
    character(len=*), intent(IN) :: words
    character(len=80) :: name, type, text

    read(words, *) name, type, text   ! which takes quotation marks off
    list = [list, parameter_t(name, type, text)]
  end subroutine add

  integer function place(name)
    character(len=*), intent(IN) :: name

    do place = 1, size(list)
       if (list(place)%name == name) return
    end do
    print '(2a)', "no runtime parameter ", name
    error stop 2
  end function place

  subroutine setParameter(name, text)
    character(len=*), intent(IN) :: name, text

    list(place(name))%text = text
  end subroutine setParameter

  function textOf(name, type) result(text)
    character(len=*), intent(IN) :: name, type
    character(len=:), allocatable :: text
    integer :: i

    i = place(name)
    if (list(i)%type /= type) then
       print '(6a)', "runtime parameter ", name, " is ", trim(list(i)%type), ", not ", type
       error stop 2
    end if
    list(i)%wasRead = .TRUE.
    text = trim(list(i)%text)
  end function textOf

  !! Whose value nothing depends on; all with a space behind.
  function unreadParameters() result(names)
    character(len=:), allocatable :: names
    integer :: i

    names = ""
    do i = 1, size(list)
       if (.not. list(i)%wasRead) names = names // trim(list(i)%name) // " "
    end do
  end function unreadParameters
end module parameters

module RuntimeParameters_interface
  use parameters, ONLY : textOf
  implicit none
  private
  public :: RuntimeParameters_get

  interface RuntimeParameters_get
     module procedure RuntimeParameters_getReal, RuntimeParameters_getInt, RuntimeParameters_getStr, RuntimeParameters_getLog
  end interface RuntimeParameters_get

contains

  subroutine RuntimeParameters_getReal(name, value)
    character(len=*), intent(in) :: name
    real, intent(out) :: value
    character(len=:), allocatable :: text

    text = textOf(name, "REAL")
    read(text, *) value
  end subroutine RuntimeParameters_getReal

  subroutine RuntimeParameters_getInt(name, value)
    character(len=*), intent(in) :: name
    integer, intent(out) :: value
    character(len=:), allocatable :: text

    text = textOf(name, "INTEGER")
    read(text, *) value
  end subroutine RuntimeParameters_getInt

  subroutine RuntimeParameters_getStr(name, value)
    character(len=*), intent(in) :: name
    character(len=*), intent(out) :: value

    value = textOf(name, "STRING")
  end subroutine RuntimeParameters_getStr

  subroutine RuntimeParameters_getLog(name, value)
    character(len=*), intent(in) :: name
    logical, intent(out) :: value

    value = textOf(name, "BOOLEAN") == "TRUE"
  end subroutine RuntimeParameters_getLog
end module RuntimeParameters_interface
