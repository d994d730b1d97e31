@echo off
rem Installs the bridge as a task that starts with Windows and restarts when it ends. Run it as administrator.
setlocal
cd /d "%~dp0"
if not exist bridge.key echo Pair the bridge first, see README.txt. & exit /b 1
where node >nul 2>nul || (echo Node.js is missing: https://nodejs.org/en/download & exit /b 1)
if "%GAME_PASSWORD%"=="" set /p GAME_PASSWORD=Password of the database's account: 
rem Only the system and administrators may read the key and the password, or change the program.
icacls "%CD%" /inheritance:r /grant:r "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F" >nul || exit /b 1
for /f "delims=" %%n in ('where node') do set "NODE=%%n" & goto found
:found
> run.cmd echo @echo off
>> run.cmd echo cd /d "%%~dp0"
>> run.cmd echo set "GAME_PASSWORD=%GAME_PASSWORD%"
>> run.cmd echo :again
>> run.cmd echo "%NODE%" bridge.mjs --config bridge.json ^>^> bridge.log 2^>^&1
>> run.cmd echo timeout /t 5 /nobreak ^>nul
>> run.cmd echo goto again
schtasks /create /f /tn "Tambayan bridge" /sc onstart /ru SYSTEM /rl highest /tr "\"%CD%\run.cmd\"" || exit /b 1
rem By default, Windows ends a task after three days.
powershell -NoProfile -Command "$t = Get-ScheduledTask 'Tambayan bridge'; $t.Settings.ExecutionTimeLimit = 'PT0S'; $t.Settings.DisallowStartIfOnBatteries = $false; $t.Settings.StopIfGoingOnBatteries = $false; Set-ScheduledTask -InputObject $t | Out-Null" || exit /b 1
schtasks /run /tn "Tambayan bridge" || exit /b 1
echo The bridge runs. Its log is bridge.log.
