package io.waterclock.bench.run;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Reports the progress of a measurement on standard error. */
public final class Progress {
  private Progress() {}

  public static void say(String what) {
    System.err.println(
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS) + " " + what);
  }
}
