package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Progress;
import io.waterclock.client.schedules.Later;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waterclock by its topic later: a schedule is a record that a producer writes there, and its fire
 * is the record in the target, seen by a read_committed consumer.
 */
final class LaterContender implements Contender {
  static final String TARGET = "delivered";

  private static final Duration STALL_BOUND = Duration.ofMinutes(5);
  private static final Duration BETWEEN_WORDS = Duration.ofSeconds(10);

  private final Rig rig;
  private final Produced records;
  private final Arrivals arrivals;
  private final Arrivals statuses;
  private final AtomicLong accepted = new AtomicLong();

  LaterContender(Rig rig, Produced records) {
    this.rig = rig;
    this.records = records;
    this.arrivals = rig.arrivals(TARGET);
    this.statuses = rig.arrivals(rig.topics().status());
    statuses.to(
        (record, seenUs) -> {
          if (record.value() != null) {
            accepted.incrementAndGet();
          }
        });
  }

  @Override
  public String name() {
    return RigContender.WATERCLOCK;
  }

  @Override
  public void listen(Work work, FireListener listener) {
    arrivals.to(work, listener);
  }

  /** Returns when the scheduler has accepted them; if they are due evenly, when they are sent. */
  @Override
  public void define(Work work) {
    long before = accepted.get();
    records.send(work, TARGET, (record, due) -> Later.at(due).record(record));
    if (work.isHerd()) {
      awaitAccepted(before, work.count());
    }
  }

  private void awaitAccepted(long before, int count) {
    Instant nextWord = Await.now().plus(BETWEEN_WORDS);
    for (long now = accepted.get(); now < before + count; now = accepted.get()) {
      long so = now;
      Await.until("more records wait", STALL_BOUND, () -> accepted.get() > so);
      if (Await.now().isAfter(nextWord)) {
        Progress.say("%,d of %,d records wait".formatted(accepted.get() - before, count));
        nextWord = Await.now().plus(BETWEEN_WORDS);
      }
    }
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {}

  @Override
  public CpuTimes cpu() {
    return rig.cpu(rig.scheduler());
  }

  @Override
  public void close() {
    arrivals.close();
    statuses.close();
  }
}
