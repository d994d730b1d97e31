@echo off
rem Ends the bridge and no longer starts it with Windows. Run it as administrator.
schtasks /end /tn "Tambayan bridge"
schtasks /delete /f /tn "Tambayan bridge" || exit /b 1
powershell -NoProfile -Command "Get-CimInstance Win32_Process -Filter \"Name='node.exe'\" | Where-Object CommandLine -Like '*bridge.mjs*--config*' | ForEach-Object { Stop-Process -Id $_.ProcessId }"
del "%~dp0run.cmd" 2>nul
echo The bridge no longer runs. Its files are still here.
