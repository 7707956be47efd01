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
end module Gravity_data
