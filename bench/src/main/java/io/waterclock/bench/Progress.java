package io.waterclock.bench;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Tells whoever waits how far a measurement is, on standard error. */
final class Progress {
  private Progress() {}

  static void say(String what) {
    System.err.println(
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS) + " " + what);
  }
}
