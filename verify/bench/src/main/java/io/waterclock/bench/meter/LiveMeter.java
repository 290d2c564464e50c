package io.waterclock.bench.meter;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Measures schedules that fire every second for as long as it takes, each fire from due to visible;
 * for which stretch of time is asked afterwards. A fire that never comes, or comes twice, makes the
 * measurement void. Written by one thread, read by another.
 */
public final class LiveMeter implements RecordListener {
  private static final Duration LATEST = Duration.ofSeconds(60);
  private static final Duration AGAIN = Duration.ofMillis(100);
  private static final int MAX_SECONDS = 1_800;

  private static final int MAX_STRETCH = 600;

  private static final long MAX_US = TimeUnit.MINUTES.toMicros(10);

  private final String phase;
  private final Instant start;
  private final int schedules;
  private final AtomicLongArray lateUs;
  private final AtomicInteger doubled = new AtomicInteger();

  /**
   * @param start when the first schedule fires first
   */
  public LiveMeter(String phase, Instant start, int schedules) {
    this.phase = phase;
    this.start = start;
    this.schedules = schedules;
    this.lateUs = new AtomicLongArray(MAX_SECONDS * schedules);
  }

  /**
   * A stretch of a measurement; some of them together, and what comes beside, are remembered.
   *
   * @throws BadOptionException if it is longer than ten minutes
   */
  public static Duration seconds(String option, int seconds) {
    return Duration.ofSeconds(Options.atMost(MAX_STRETCH, option, seconds));
  }

  /** When a schedule is due first; it is every second from then on. */
  public Instant firstDue(int number) {
    return start.plusMillis(number * 1_000L / schedules);
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (!Keys.isOf(phase, record.key())) {
      return;
    }
    long dueMs = Keys.occurrenceMs(record.key());
    int number = Keys.number(record.key());
    int second =
        Math.toIntExact(
            Duration.between(firstDue(number), Instant.ofEpochMilli(dueMs)).toSeconds());
    if (second >= MAX_SECONDS) {
      return;
    }
    long late = Math.max(1, Math.min(MAX_US, seenUs - dueMs * 1_000));
    if (!lateUs.compareAndSet(second * schedules + number, 0, late)) {
      doubled.incrementAndGet();
    }
  }

  /**
   * The lateness, in microseconds, of the fires of some schedules that were due in a span of time.
   * Waits up to a minute until all are visible.
   *
   * @param from inclusive
   * @param until exclusive
   * @param wanted by the schedule's number
   * @throws VoidRunException if one is missing or came twice
   */
  public Histogram between(Instant from, Instant until, IntPredicate wanted) {
    Instant deadline = until.plus(LATEST);
    int missing = missing(from, until, wanted);
    while (missing > 0 && Await.now().isBefore(deadline)) {
      LockSupport.parkNanos(AGAIN.toNanos());
      missing = missing(from, until, wanted);
    }
    if (missing > 0 || doubled.get() > 0) {
      throw new VoidRunException(missing + " fires are missing, " + doubled + " came twice");
    }
    Histogram histogram = new Histogram(1, MAX_US, 3);
    forEach(from, until, wanted, histogram::recordValue);
    return histogram;
  }

  private int missing(Instant from, Instant until, IntPredicate wanted) {
    AtomicInteger missing = new AtomicInteger();
    forEach(from, until, wanted, late -> missing.addAndGet(late == 0 ? 1 : 0));
    return missing.get();
  }

  private void forEach(Instant from, Instant until, IntPredicate wanted, LongConsumer lateness) {
    for (int number = 0; number < schedules; number++) {
      if (!wanted.test(number)) {
        continue;
      }
      for (int second = 0; second < MAX_SECONDS; second++) {
        Instant due = firstDue(number).plusSeconds(second);
        if (!due.isBefore(from) && due.isBefore(until)) {
          lateness.accept(lateUs.get(second * schedules + number));
        }
      }
    }
  }
}
