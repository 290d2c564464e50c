package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.ReadProgress;
import java.util.Locale;

/** Tells how far a long reading is: lines on standard error, every three seconds. */
public final class ProgressLines implements ReadProgress {
  private static final long INTERVAL_NANOS = 3_000_000_000L;

  private final Terminal terminal;
  private long saidAt = System.nanoTime();

  private ProgressLines(Terminal terminal) {
    this.terminal = terminal;
  }

  public static ReadProgress on(Terminal terminal) {
    return new ProgressLines(terminal);
  }

  @Override
  public void read(long read, long all) {
    if (System.nanoTime() - saidAt >= INTERVAL_NANOS) {
      saidAt = System.nanoTime();
      terminal
          .err()
          .println(String.format(Locale.ROOT, "waterclock: read %,d of %,d records", read, all));
      terminal.flush();
    }
  }
}
