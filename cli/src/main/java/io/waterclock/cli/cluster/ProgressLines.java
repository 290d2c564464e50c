package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.ReadProgress;
import java.util.Locale;

/** Prints the progress of long work on standard error, every three seconds. */
public final class ProgressLines implements ReadProgress {
  private static final long INTERVAL_NANOS = 3_000_000_000L;

  private final Terminal terminal;
  private final String format;
  private long printedAt = System.nanoTime();

  /** For a long read of records. */
  public ProgressLines(Terminal terminal) {
    this(terminal, "read %,d of %,d records");
  }

  /**
   * @param format of what is done and all that is to be done
   */
  public ProgressLines(Terminal terminal, String format) {
    this.terminal = terminal;
    this.format = format;
  }

  @Override
  public void read(long read, long all) {
    if (System.nanoTime() - printedAt >= INTERVAL_NANOS) {
      printedAt = System.nanoTime();
      terminal.note(String.format(Locale.ROOT, format, read, all));
      terminal.flush();
    }
  }
}
