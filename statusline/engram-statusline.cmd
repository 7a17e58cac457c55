@echo off
rem Prints engram's status line for Claude Code on Windows, through the launcher beside it.
call "%~dp0engram-hook.cmd" statusline
exit /b 0
