!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletInit()
  use gravlet
  use gr_gravletData, ONLY : options => gr_gravletOptions, gr_gravletGuards, gr_gravletHears, &
       gr_gravletLazy, gr_gravletReady, gr_gravletReportEvery, gr_gravletTimeStepShare
  use gr_gravletHost, ONLY : gr_gravletAbort, gr_gravletNdim
  use gr_gravletInterface, ONLY : gr_gravletAliases, gr_gravletPointsInit
  use gr_gravletVariables, ONLY : gr_gravletMayRest, gr_gravletMostGuards
  use Grid_interface, ONLY : Grid_getGeometry
  use RuntimeParameters_interface, ONLY : RuntimeParameters_get
  implicit none
#include "constants.h"

  integer :: geometry
  character(len=MAX_STRING_LENGTH) :: path
  character(len=80) :: line
  integer :: number
  real, parameter :: laziest = 0.1

  if (gr_gravletReady) return

  call Grid_getGeometry(geometry)
  if (gr_gravletNdim /= 3 .or. geometry /= CARTESIAN) &
       call gr_gravletAbort("[gr_gravletInit] gravlet needs a 3-D Cartesian grid (setup -3d, geometry = cartesian)")

  options = gravlet_default_options()
  ! [generated: options] scripts/generate, api/schema
  call setWord("backend", "grv_gravletBackend")
  call setWord("gpu_sharing", "grv_gravletGpuSharing")
  call RuntimeParameters_get("grv_gravletTheta", options%theta)
  call RuntimeParameters_get("grv_gravletOrder", options%order)
  call setWord("precision", "grv_gravletPrecision")
  call setWord("criterion", "grv_gravletCriterion")
  call RuntimeParameters_get("grv_gravletAlpha", options%alpha)
  call RuntimeParameters_get("grv_gravletTolerance", options%tolerance)
  call RuntimeParameters_get("grv_gravletSelfPotential", options%self_potential)
  call setWord("near_cells", "grv_gravletNearCells")
  call setWord("softening_kernel", "grv_gravletSofteningKernel")
  call RuntimeParameters_get("grv_gravletSoftening", options%softening)
  call setWord("background", "grv_gravletBackground")
  call RuntimeParameters_get("grv_gravletShear", options%shear)
  call setWord("periodic_method", "grv_gravletPeriodicMethod")
  call RuntimeParameters_get("grv_gravletEwaldNodes", options%ewald_nodes)
  call RuntimeParameters_get("grv_gravletEwaldOrder", options%ewald_order)
  call RuntimeParameters_get("grv_gravletEwaldCache", path)
  if (path /= "none") options%ewald_cache = trim(path)
  call RuntimeParameters_get("grv_gravletGroupSize", options%group_size)
  call RuntimeParameters_get("grv_gravletThreads", options%threads)
  call RuntimeParameters_get("grv_gravletErrorSamples", number)
  options%error_samples = number
  call setWord("active_bits", "grv_gravletActiveBits")
  call setWord("uniform_mesh", "grv_gravletUniformMesh")
  ! [/generated]
  if (options%tolerance /= 0.) then  ! decides on them
     options%theta = GRAVLET_AUTOMATIC
     options%order = GRAVLET_AUTOMATIC
     options%alpha = GRAVLET_AUTOMATIC
  end if
  call RuntimeParameters_get("grv_gravletReport", gr_gravletReportEvery)
  call RuntimeParameters_get("grv_gravletTimers", gr_gravletHears%timers)
  call RuntimeParameters_get("grv_gravletGuards", gr_gravletGuards)
  if (gr_gravletGuards < 0 .or. gr_gravletGuards > gr_gravletMostGuards) then
     write (line, '(a,i0,a,i0)') "[gr_gravletInit] grv_gravletGuards is ", gr_gravletGuards, ", not 0 to ", gr_gravletMostGuards
     call gr_gravletAbort(trim(line))
  end if
  call RuntimeParameters_get("grv_gravletLazy", gr_gravletLazy)
  if (.not. (gr_gravletLazy >= 0. .and. gr_gravletLazy <= laziest)) then
     write (line, '(2(a,g0.6))') "[gr_gravletInit] grv_gravletLazy is ", gr_gravletLazy, ", not 0 to ", laziest
     call gr_gravletAbort(trim(line))
  end if
  if (gr_gravletLazy > 0. .and. .not. gr_gravletMayRest) &
       call gr_gravletAbort("[gr_gravletInit] grv_gravletLazy wants the variable gdns: put gravletLazy=True on the setup line")
  call RuntimeParameters_get("grv_gravletTimeStep", gr_gravletTimeStepShare)
  if (.not. gr_gravletTimeStepShare > 0.) call gr_gravletAbort("[gr_gravletInit] grv_gravletTimeStep is not above 0")
  call gr_gravletAliases(options)
  call gr_gravletPointsInit(options)
  gr_gravletReady = .TRUE.

contains

  !! Sets the option of this name to the word of a runtime parameter.
  subroutine setWord(name, parameter)
    character(len=*), intent(IN) :: name, parameter
    character(len=MAX_STRING_LENGTH) :: word
    character(len=:), allocatable :: message
    integer :: status

    call RuntimeParameters_get(parameter, word)
    call options%set(name, word, status, message)
    if (status /= GRAVLET_SUCCESS) call gr_gravletAbort("[gr_gravletInit] " // parameter // ": " // message)
  end subroutine setWord
end subroutine gr_gravletInit
