package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.ReadProgress;
import java.util.Locale;

/** Prints the progress of a long read on standard error, every three seconds. */
public final class ProgressLines implements ReadProgress {
  private static final long INTERVAL_NANOS = 3_000_000_000L;

  private final Terminal terminal;
  private long printedAt = System.nanoTime();

  public ProgressLines(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void read(long read, long all) {
    if (System.nanoTime() - printedAt >= INTERVAL_NANOS) {
      printedAt = System.nanoTime();
      terminal.note(String.format(Locale.ROOT, "read %,d of %,d records", read, all));
      terminal.flush();
    }
  }
}
