!! SPDX-License-Identifier: Apache-2.0
!! What else both codes have for the unit: timers that must be stopped in the order in which they were started, a log file on
!! standard output, a constant, Gravity's data.
module Timers_interface
  implicit none
  private
  public :: Timers_start, Timers_stop, timersRunning, timersStarted

  integer :: timersRunning = 0, timersStarted = 0
  character(len=80) :: running(100)

  interface Timers_start
     module procedure Timers_startString
  end interface Timers_start
  interface Timers_stop
     module procedure Timers_stopString
  end interface Timers_stop

contains

  subroutine Timers_startString(name)
    character(len=*), intent(in) :: name

    timersStarted = timersStarted + 1
    timersRunning = timersRunning + 1
    running(timersRunning) = name
  end subroutine Timers_startString

  subroutine Timers_stopString(name)
    character(len=*), intent(in) :: name

    if (timersRunning == 0) error stop "a timer was stopped, and none runs"
    if (running(timersRunning) /= name) error stop "another timer was stopped than was started"
    timersRunning = timersRunning - 1
  end subroutine Timers_stopString
end module Timers_interface

module Logfile_interface
  implicit none

  integer :: logfileLines = 0

contains

  subroutine Logfile_stampMessage(string, force)
    character(len=*), intent(in) :: string
    logical, intent(in), optional :: force

    if (present(force)) error stop "Logfile_stampMessage: the unit forces nothing"
    if (index(string, new_line('a')) > 0) error stop "Logfile_stampMessage: more than a line"
    logfileLines = logfileLines + 1
    print '(a)', string
  end subroutine Logfile_stampMessage
end module Logfile_interface

module PhysicalConstants_interface
  implicit none

contains

  subroutine PhysicalConstants_get(name, value, unitLength, unitTime, unitMass, unitTemp, unitCharge, unitSubstAmount)
    character(len=*), intent(in) :: name
    real, intent(out) :: value
    character(len=*), optional, intent(in) :: unitLength, unitTime, unitMass, unitTemp, unitCharge, unitSubstAmount

    if (name /= "Newton") error stop "PhysicalConstants_get: not Newton"
    if (present(unitLength) .or. present(unitTime) .or. present(unitMass) .or. present(unitTemp) .or. present(unitCharge) .or. &
         present(unitSubstAmount)) error stop "PhysicalConstants_get: the unit has the units of the run"
    value = 0.25
  end subroutine PhysicalConstants_get
end module PhysicalConstants_interface

module Gravity_data
#include "constants.h"
  implicit none
  character(len=MAX_STRING_LENGTH), save :: grav_boundary_type
  integer, save :: grav_boundary, grav_geometry, grv_meshMe, grv_meshNumProcs, grv_meshComm
  logical, save :: useGravity, updateGravity, grav_temporal_extrp, grav_unjunkPden
  real, save :: grav_poisfact
  integer, save :: grv_defaultGpotVar = 0
end module Gravity_data

!! A checkpoint's scalars: those of the run, and what a run that goes on finds of the one before.
module IO_interface
  implicit none
  private
  public :: IO_getPrevScalar, IO_setScalar, startRun, writeCheckpoint

  type :: scalar_t
     character(len=80) :: name
     real :: value
  end type scalar_t

  type(scalar_t), allocatable :: scalars(:), written(:), before(:)

  interface IO_setScalar
     module procedure IO_setScalarReal
  end interface IO_setScalar
  interface IO_getPrevScalar
     module procedure IO_getPrevScalarReal
  end interface IO_getPrevScalar

contains

  subroutine writeCheckpoint()
    written = scalars
  end subroutine writeCheckpoint

  !! From the checkpoint, or from the beginning.
  subroutine startRun(restart)
    logical, intent(in) :: restart

    if (allocated(before)) deallocate(before)
    if (restart) before = written
    if (allocated(scalars)) deallocate(scalars)
  end subroutine startRun

  subroutine IO_setScalarReal(name, value)
    character(len=*), intent(in) :: name
    real, intent(in) :: value
    integer :: i

    if (.not. allocated(scalars)) allocate(scalars(0))
    do i = 1, size(scalars)
       if (scalars(i)%name == name) exit
    end do
    if (i > size(scalars)) scalars = [scalars, scalar_t(name, value)]
    scalars(i)%value = value
  end subroutine IO_setScalarReal

  subroutine IO_getPrevScalarReal(name, value, error)
    character(len=*), intent(in) :: name
    real, intent(out) :: value
    integer, intent(out), optional :: error
    integer :: i

    if (.not. present(error)) error stop "IO_getPrevScalar: would end a run without it"
    error = 1
    value = huge(value)
    if (.not. allocated(before)) return
    do i = 1, size(before)
       if (before(i)%name /= name) cycle
       value = before(i)%value
       error = 0
    end do
  end subroutine IO_getPrevScalarReal
end module IO_interface
