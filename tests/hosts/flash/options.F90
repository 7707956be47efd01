!! SPDX-License-Identifier: Apache-2.0
!! options CONFIG [PARAMETER=VALUE...]: gravlet's options as the unit makes them of runtime parameters, by name.
program options_of_parameters
  use gravlet, ONLY : gravlet_option_info, gravlet_option_list
  use gr_gravletData, ONLY : options => gr_gravletOptions
  use gr_gravletInterface, ONLY : gr_gravletInit
  use parameters, ONLY : readCommandLine
  implicit none

  type(gravlet_option_info), allocatable :: list(:)
  integer :: i

  call readCommandLine()
  call gr_gravletInit()
  list = gravlet_option_list()
  do i = 1, size(list)
     print '(4a)', "option ", list(i)%name, " ", options%get(list(i)%name)
  end do
end program options_of_parameters
