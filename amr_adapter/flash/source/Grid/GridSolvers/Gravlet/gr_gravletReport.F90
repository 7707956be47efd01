!! SPDX-License-Identifier: Apache-2.0
subroutine gr_gravletReport()
  use gravlet, ONLY : gravlet_report
  use gr_gravletData, ONLY : solver => gr_gravletSolver, gr_gravletActive, gr_gravletReportEvery, gr_gravletSolves, &
       gr_gravletTimeStep, gr_gravletTimeStepShare
  use Logfile_interface, ONLY : Logfile_stampMessage
  implicit none

  type(gravlet_report) :: report
  character(len=60) :: line

  gr_gravletSolves = gr_gravletSolves + 1
  call solver%get_report(report)
  if (gr_gravletSolves == 1) call Logfile_stampMessage("[gravlet] backend " // report%backend)
  if (report%time_step > 0.) gr_gravletTimeStep = gr_gravletTimeStepShare * report%time_step
  if (gr_gravletReportEvery > 0) then
     if (mod(gr_gravletSolves, gr_gravletReportEvery) == 0) then
        call stampLines(solver%report_text())
        write (line, '(2(a,i0),a)') "[gravlet] ", gr_gravletActive(1), " of ", gr_gravletActive(2), " blocks active"
        if (gr_gravletActive(2) > 0) call Logfile_stampMessage(trim(line))
     end if
  end if

contains

  !! The log file's messages are single lines.
  subroutine stampLines(text)
    character(len=*), intent(IN) :: text
    integer :: first, length

    first = 1
    do while (first <= len(text))
       length = index(text(first:), new_line('a')) - 1
       if (length < 0) length = len(text) - first + 1
       call Logfile_stampMessage("[gravlet] " // text(first:first + length - 1))
       first = first + length + 1
    end do
  end subroutine stampLines
end subroutine gr_gravletReport
