package io.waterclock.schemas.log;

import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Logs the records that a reader rejects: a line for each of the first {@value #BURST}, then a line
 * a minute with the number of those without one. Each quiet minute gives a line back. A line has at
 * most {@value #LONGEST} characters of the reason, however large the record is. Thread-safe.
 */
public final class RejectionLog {
  static final int BURST = 10;
  static final int LONGEST = 1_000;

  private static final Duration EACH = Duration.ofMinutes(1);
  private static final Logger LOG = SafeLogger.of(RejectionLog.class);

  private final Supplier<Instant> clock;
  private final String rest;
  private final Consumer<String> lines;
  private final int burst;

  /** When all lines are given back; each line that is written moves it by a minute. */
  private Instant fullAt = Instant.MIN;

  private volatile long leftOut;

  /**
   * @param rest what to say of the records that got no line, after their number
   */
  public RejectionLog(Supplier<Instant> clock, String rest) {
    this(clock, rest, LOG::warn);
  }

  /**
   * @param lines receives each line, but stack traces
   */
  public RejectionLog(Supplier<Instant> clock, String rest, Consumer<String> lines) {
    this(clock, rest, lines, BURST);
  }

  private RejectionLog(Supplier<Instant> clock, String rest, Consumer<String> lines, int burst) {
    this.clock = clock;
    this.rest = rest;
    this.lines = lines;
    this.burst = burst;
  }

  /** The same for what is no rejected record: a line a minute from the first on. */
  public static RejectionLog oneEachMinute(
      Supplier<Instant> clock, String rest, Consumer<String> lines) {
    return new RejectionLog(clock, rest, lines, 1);
  }

  /**
   * Logs a record, or counts it.
   *
   * @param record what became of it, and where it is
   * @param why the reason, of any length
   */
  public synchronized void rejected(String record, String why) {
    if (mayWrite()) {
      lines.accept(record + ": " + SafeText.cut(why, LONGEST));
    } else {
      leftOut++;
    }
  }

  /**
   * Logs the stack trace of the defect that rejects a record, while records have a line each. The
   * caller also logs the rejection.
   */
  public synchronized void failed(String record, Throwable defect) {
    if (mayWrite()) {
      LOG.warn(record, defect);
    }
  }

  /** Logs the number of the records that got no line, once it may. */
  public void logCount() {
    if (leftOut > 0) {
      logLeftOut();
    }
  }

  private synchronized void logLeftOut() {
    if (leftOut > 0 && mayWrite()) {
      lines.accept(leftOut + rest);
      leftOut = 0;
    }
  }

  private boolean mayWrite() {
    Instant now = clock.get();
    Duration spent = EACH.multipliedBy(burst - 1L);
    if (fullAt.isAfter(now.plus(EACH.multipliedBy(burst)))) {
      fullAt = now.plus(spent); // the clock was set back
    }
    if (fullAt.isAfter(now.plus(spent))) {
      return false;
    }
    fullAt = (fullAt.isAfter(now) ? fullAt : now).plus(EACH);
    return true;
  }
}
