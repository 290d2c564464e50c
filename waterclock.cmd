@echo off
rem The waterclock command for Windows: runs the jars beside it, as the script "waterclock" does elsewhere.
rem   JAVA_HOME        the Java to run with, 17 or later; else the one on the PATH
rem   JAVA_OPTS        more options for Java
rem   WATERCLOCK_OPTS  the same, for waterclock alone; the last word
setlocal EnableExtensions DisableDelayedExpansion
set "jar=%~dp0waterclock.jar"
if exist "%~dp0pom.xml" set "jar=%~dp0cli\target\quick\waterclock.jar"
if not exist "%jar%" goto nojar
if defined JAVA_HOME goto home
for %%i in (java.exe) do set "java=%%~$PATH:i"
if not defined java goto nojava
goto options
:home
rem whoever has set it with quotation marks around means what is between them
set "java=%JAVA_HOME:"=%\bin\java.exe"
if not exist "%java%" goto nohome
:options
set "options=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
if "%~1"=="run" goto server
if "%~1"=="dev" goto server
goto start
:server
set "options=-XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:MaxRAMPercentage=40 -XX:+ExitOnOutOfMemoryError"
:start
"%java%" -Xshare:auto %options% %JAVA_OPTS% %WATERCLOCK_OPTS% -jar "%jar%" %*
exit /b %ERRORLEVEL%
:nojar
>&2 echo waterclock: "%jar%" is missing; unpack the release again, or in a source checkout build it:
>&2 echo   mvn -q -B -Dmaven.test.skip=true -Pquick -pl cli -am package
exit /b 1
:nohome
>&2 echo waterclock: there is no "%java%"; set JAVA_HOME to where Java 17 or later is.
exit /b 1
:nojava
>&2 echo waterclock: Java 17 or later is needed: install it, or set JAVA_HOME to where it is.
exit /b 1
