!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletInit()
  use gravlet
  use gr_gravletData, ONLY : options => gr_gravletOptions, gr_gravletReady, gr_gravletReportEvery
  use gr_gravletHost, ONLY : gr_gravletAbort, gr_gravletNdim
  use gr_gravletInterface, ONLY : gr_gravletAliases
  use Grid_interface, ONLY : Grid_getGeometry
  use RuntimeParameters_interface, ONLY : RuntimeParameters_get
  implicit none
#include "constants.h"

  integer :: geometry
  character(len=MAX_STRING_LENGTH) :: cache
  integer :: samples

  if (gr_gravletReady) return

  call Grid_getGeometry(geometry)
  if (gr_gravletNdim /= 3 .or. geometry /= CARTESIAN) &
       call gr_gravletAbort("[gr_gravletInit] gravlet needs a 3-D Cartesian grid (setup -3d, geometry = cartesian)")

  options = gravlet_default_options()
  call RuntimeParameters_get("grv_gravletTheta", options%theta)
  call RuntimeParameters_get("grv_gravletOrder", options%order)
  options%criterion = choice("grv_gravletCriterion", ["opening     ", "acceleration", "multipole   "], &
       [GRAVLET_CRITERION_OPENING, GRAVLET_CRITERION_ACCELERATION, GRAVLET_CRITERION_MULTIPOLE])
  call RuntimeParameters_get("grv_gravletAlpha", options%alpha)
  call RuntimeParameters_get("grv_gravletTolerance", options%tolerance)
  if (options%tolerance /= 0.) then  ! decides on them
     options%theta = GRAVLET_AUTOMATIC
     options%order = GRAVLET_AUTOMATIC
     options%alpha = GRAVLET_AUTOMATIC
  end if
  options%backend = choice("grv_gravletBackend", ["auto", "cpu ", "gpu "], &
       [GRAVLET_BACKEND_AUTOMATIC, GRAVLET_BACKEND_CPU, GRAVLET_BACKEND_GPU])
  options%gpu_sharing = choice("grv_gravletGpuSharing", ["auto  ", "share ", "gather"], &
       [GRAVLET_SHARING_AUTOMATIC, GRAVLET_SHARING_SHARE, GRAVLET_SHARING_GATHER])
  options%periodic_method = choice("grv_gravletPeriodicMethod", ["images", "table "], &
       [GRAVLET_PERIODIC_IMAGES, GRAVLET_PERIODIC_TABLE])
  call RuntimeParameters_get("grv_gravletEwaldNodes", options%ewald_nodes)
  call RuntimeParameters_get("grv_gravletEwaldOrder", options%ewald_order)
  call RuntimeParameters_get("grv_gravletEwaldCache", cache)
  if (cache /= "none") options%ewald_cache = trim(cache)
  call RuntimeParameters_get("grv_gravletGroupSize", options%group_size)
  call RuntimeParameters_get("grv_gravletThreads", options%threads)
  call RuntimeParameters_get("grv_gravletErrorSamples", samples)
  options%error_samples = samples
  call RuntimeParameters_get("grv_gravletSelfPotential", options%self_potential)
  options%softening_kernel = choice("grv_gravletSofteningKernel", ["plummer", "spline "], &
       [GRAVLET_SOFTENING_PLUMMER, GRAVLET_SOFTENING_SPLINE])
  call RuntimeParameters_get("grv_gravletSoftening", options%softening)
  call RuntimeParameters_get("grv_gravletReport", gr_gravletReportEvery)
  call gr_gravletAliases(options)
  gr_gravletReady = .TRUE.

contains

  !! The code that belongs to a parameter's word.
  integer function choice(name, words, codes)
    character(len=*), intent(IN) :: name, words(:)
    integer, intent(IN) :: codes(:)
    character(len=MAX_STRING_LENGTH) :: word
    character(len=:), allocatable :: list
    integer :: i

    call RuntimeParameters_get(name, word)
    choice = codes(1)
    list = trim(words(1))
    do i = 1, size(words)
       if (word == words(i)) then
          choice = codes(i)
          return
       end if
       if (i > 1) list = list // ", " // trim(words(i))
    end do
    call gr_gravletAbort("[gr_gravletInit] " // name // " is '" // trim(word) // "', not one of " // list)
  end function choice
end subroutine gr_gravletInit
