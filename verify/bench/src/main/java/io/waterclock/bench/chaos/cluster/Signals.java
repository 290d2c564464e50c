package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.run.BenchException;
import java.io.IOException;
import java.util.List;

/** What the operating system does to processes and files. */
final class Signals {
  private Signals() {}

  /** Holds a process up. */
  static void stall(ProcessHandle process) {
    run(List.of("kill", "-STOP", Long.toString(process.pid())));
  }

  /** Lets it go on where it was. */
  static void goOn(ProcessHandle process) {
    run(List.of("kill", "-CONT", Long.toString(process.pid())));
  }

  /** Returns whether the command succeeded. */
  static boolean tries(List<String> command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
  }

  private static void run(List<String> command) {
    if (!tries(command)) {
      throw new BenchException(String.join(" ", command) + " failed");
    }
  }
}
