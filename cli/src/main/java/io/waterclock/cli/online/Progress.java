package io.waterclock.cli.online;

import io.waterclock.cli.Terminal;
import java.util.Locale;

/** Is told how far a long reading is. */
@FunctionalInterface
interface Progress {
  /** Tells nobody. */
  Progress UNSEEN = (read, all) -> {};

  /**
   * @param read offsets so far
   * @param all offsets in total
   */
  void read(long read, long all);

  /** Lines on standard error, every three seconds. */
  static Progress on(Terminal terminal) {
    return new Progress() {
      private static final long INTERVAL_NANOS = 3_000_000_000L;
      private long saidAt = System.nanoTime();

      @Override
      public void read(long read, long all) {
        if (System.nanoTime() - saidAt >= INTERVAL_NANOS) {
          saidAt = System.nanoTime();
          terminal
              .err()
              .println(
                  String.format(Locale.ROOT, "waterclock: read %,d of %,d records", read, all));
          terminal.flush();
        }
      }
    };
  }
}
