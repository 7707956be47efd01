!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletAliases(options)
  use gravlet
  use gr_gravletHost, ONLY : gr_gravletAbort
  use Logfile_interface, ONLY : Logfile_stampMessage
  use RuntimeParameters_interface, ONLY : RuntimeParameters_get
  implicit none

  type(gravlet_options), intent(INOUT) :: options
  integer, parameter :: leastNodes = 4, mostNodes = 64   ! what gravlet's table can have
  real :: angle
  integer :: concat, n(3), series, nested
  character(len=120) :: line

  call RuntimeParameters_get("grv_bh_gpuLimAngle", angle)
  if (angle >= 0.) then
     options%theta = angle
     write (line, '(a,g0.6)') "grv_bh_gpuLimAngle sets grv_gravletTheta = ", angle
     call note()
  end if

  call RuntimeParameters_get("grv_bh_gpu_concat", concat)
  select case (concat)
  case (-1)
  case (0)
     options%gpu_sharing = GRAVLET_SHARING_SHARE
     line = "grv_bh_gpu_concat = 0 sets grv_gravletGpuSharing = share"
     call note()
  case (1)
     options%gpu_sharing = GRAVLET_SHARING_GATHER
     line = "grv_bh_gpu_concat = 1 sets grv_gravletGpuSharing = gather"
     call note()
  case default
     call gr_gravletAbort("[gr_gravletAliases] grv_bh_gpu_concat must be 0 or 1")
  end select

  call RuntimeParameters_get("gpuEwaldFieldNx", n(1))
  call RuntimeParameters_get("gpuEwaldFieldNy", n(2))
  call RuntimeParameters_get("gpuEwaldFieldNz", n(3))
  if (any(n >= 0)) then
     options%ewald_nodes = min(max(maxval(n), leastNodes), mostNodes)
     write (line, '(a,i0)') "gpuEwaldFieldNx, Ny, Nz set grv_gravletEwaldNodes = ", options%ewald_nodes
     call note()
  end if

  call RuntimeParameters_get("gpuEwaldSeriesN", series)
  call RuntimeParameters_get("gpuEwaldSeriesNref", nested)
  if (series >= 0 .or. nested >= 0) then
     line = "gpuEwaldSeriesN and gpuEwaldSeriesNref have no effect: gravlet sums until it converges"
     call note()
  end if

contains

  subroutine note()
    call Logfile_stampMessage("[gravlet] " // trim(line))
  end subroutine note
end subroutine gr_gravletAliases
