@echo off
rem The waterclock command for Windows. Like the script "waterclock" of other systems, it runs the jars in its directory.
rem   JAVA_HOME        the Java to use, 17 or later (default: the one on the PATH)
rem   JAVA_OPTS        more options for Java
rem   WATERCLOCK_OPTS  more options for the Java of waterclock only; they override JAVA_OPTS. A garbage collector in either
rem                    replaces the one that is chosen here
rem   WATERCLOCK_CLASSPATH  more jars, as java -cp takes them, such as the login of a cloud; so are those in lib\ext
rem                    beside waterclock.jar
setlocal EnableExtensions DisableDelayedExpansion
set "jar=%~dp0waterclock.jar"
if exist "%~dp0pom.xml" set "jar=%~dp0cli\target\quick\waterclock.jar"
if not exist "%jar%" goto nojar
for %%i in ("%jar%") do set "ext=%%~dpilib\ext\"
set "jars=%jar%"
if exist "%ext%*.jar" set "jars=%jars%;%ext%*"
if defined WATERCLOCK_CLASSPATH set "jars=%jars%;%WATERCLOCK_CLASSPATH%"
if defined JAVA_HOME goto home
for %%i in (java.exe) do set "java=%%~$PATH:i"
if not defined java goto nojava
goto options
:home
rem removes quotation marks around the value
set "java=%JAVA_HOME:"=%\bin\java.exe"
if not exist "%java%" goto nohome
:options
set "gc=-XX:+UseSerialGC"
set "options=-XX:TieredStopAtLevel=1"
if "%~1"=="run" goto server
if "%~1"=="dev" goto server
if "%~1"=="console" goto console
goto start
:server
set "gc=-XX:+UseG1GC -XX:MaxGCPauseMillis=20"
set "options=-XX:MaxRAMPercentage=40 -XX:+ExitOnOutOfMemoryError"
if "%~1"=="dev" set "options=%options% -XX:TieredStopAtLevel=1 -XX:PerfDataSamplingInterval=1000"
goto start
:console
set "options=-XX:MaxRAMPercentage=40 -XX:+ExitOnOutOfMemoryError"
:start
rem Java takes one collector only
(set JAVA_OPTS & set WATERCLOCK_OPTS) 2>nul | findstr /r /c:"-XX:+Use[A-Za-z0-9]*GC" >nul && set "gc="
"%java%" -Xshare:auto %gc% %options% %JAVA_OPTS% %WATERCLOCK_OPTS% -cp "%jars%" io.waterclock.cli.Main %*
exit /b %ERRORLEVEL%
:nojar
>&2 echo waterclock: "%jar%" is missing; unpack the release again, or in a source checkout build it:
>&2 echo   mvn -q -B -Dmaven.test.skip=true -Pquick -pl cli -am package
exit /b 1
:nohome
>&2 echo waterclock: there is no "%java%"; set JAVA_HOME to the directory of Java 17 or later.
exit /b 1
:nojava
>&2 echo waterclock: Java 17 or later is required: install it, or set JAVA_HOME to its directory.
exit /b 1
