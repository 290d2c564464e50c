package io.waterclock.bench.scenario;

import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.load.ScheduleKind;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.Drain;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.meter.HerdMeter;
import io.waterclock.bench.meter.LatenessMeter;
import io.waterclock.bench.meter.Loading;
import io.waterclock.bench.meter.Traffic;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Puts a contender to work and measures it: the same for all. How long it takes to define
 * schedules, and so how far ahead of their due instant one has to begin, is learned from herds that
 * come before and are not counted.
 */
final class Trial implements AutoCloseable {
  private static final Duration SLACK = Duration.ofSeconds(8);
  private static final Duration MARGIN = Duration.ofMillis(500);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration HERD_BOUND = Duration.ofMinutes(5);
  private static final Duration LATE_BOUND = Duration.ofSeconds(60);

  /** For how long a fire may come again. */
  static final Duration STRAGGLERS = Duration.ofSeconds(2);

  private static final int STEP = 4;
  private static final int SLOWEST_PER_SECOND = 2_000;

  /**
   * The figures of a herd.
   *
   * @param load of the schedules
   * @param traffic of the fires, if it writes to Kafka
   */
  record Herded(Drain drain, CpuTimes cpu, Loading load, Optional<Traffic> traffic) {}

  /**
   * The lateness of fires.
   *
   * @param histogram in microseconds; one that came early counts by how early it was
   * @param early how many came before they were due
   */
  record Late(Histogram histogram, int early, CpuTimes cpu) {}

  /** The figures of Waterclock and of the baseline. */
  record Both<T>(T waterclock, T baseline) {}

  /** A work, after its warm-up. The last argument runs when the work is ready. */
  @FunctionalInterface
  interface Measurement<T> {
    T of(Trial trial, String phase, Runnable whenReady);
  }

  private final Contender contender;
  private double loadNanosEach = 1e9 / SLOWEST_PER_SECOND;

  Trial(Contender contender) {
    this.contender = contender;
  }

  /** Measures the scheduler of a rig, with a profile if one is wanted, then ends it for another. */
  static <T> Both<T> both(
      Rig rig, Supplier<Contender> baseline, String phase, Measurement<T> measurement) {
    T waterclock;
    try (Trial trial = new Trial(RigContender.scheduler(rig, () -> {}))) {
      waterclock = measurement.of(trial, phase, rig::startProfile);
    }
    rig.endProfile();
    rig.scheduler().close();
    try (Trial trial = new Trial(baseline.get())) {
      return new Both<>(waterclock, measurement.of(trial, "base", () -> {}));
    }
  }

  /**
   * Herds that warm up code, each four times the one before; the last one measures how fast the
   * warm contender defines schedules. Those of the others are due at once: how long a JVM that
   * still compiles needs says too little about the next herd to wait for that.
   */
  void warmUp(int count) {
    warmUp("wrma", Math.max(1, count / (STEP * STEP)), true);
    warmUp("wrmb", Math.max(1, count / STEP), true);
    warmUp("wrmc", count, false);
  }

  private void warmUp(String phase, int count, boolean isDueAtOnce) {
    Instant due = isDueAtOnce ? Await.now().truncatedTo(ChronoUnit.SECONDS) : ahead(count);
    Work work = Work.herd(phase, count, due);
    HerdMeter meter = new HerdMeter(work);
    Duration load = define(work, meter).elapsed();
    Instant now = Await.now();
    Instant deadline = (now.isAfter(due) ? now : due).plus(HERD_BOUND);
    contender.perform(work, count, deadline);
    Progress.say(
        String.format(
            "%s, %s: %,d schedules defined in %.1f s, %s",
            contender.name(), phase, count, load.toMillis() / 1e3, meter.await(deadline)));
  }

  /**
   * Schedules that are all due at one instant.
   *
   * @param whenDefined runs before they are due
   * @throws VoidRunException if one never fired, or one fired twice
   */
  Herded herd(String phase, int count, Runnable whenDefined) {
    Work work = Work.herd(phase, count, ahead(count));
    HerdMeter meter = new HerdMeter(work);
    Loading load = define(work, meter);
    checkAhead(work);
    whenDefined.run();
    Optional<Traffic> sent = contender.traffic();
    Await.instant(work.start().minus(MARGIN));
    CpuTimes before = contender.cpu();
    Instant deadline = work.start().plus(HERD_BOUND);
    contender.perform(work, count, deadline);
    Drain drain = meter.await(deadline);
    CpuTimes cpu = contender.cpu().since(before);
    Optional<Traffic> traffic = sent.flatMap(so -> contender.traffic().map(all -> all.since(so)));
    meter.requireNoDoubles(STRAGGLERS);
    Progress.say(contender.name() + ", " + phase + ": " + drain + ", CPU " + cpu);
    return new Herded(drain, cpu, load, traffic);
  }

  /**
   * Schedules that come in as fast as the contender accepted them in the last herd, each due two
   * seconds after it is sent: in and out at a time.
   *
   * @throws VoidRunException if one never fired, or one fired twice
   */
  Herded through(String phase, int count) {
    Duration spread = Duration.ofNanos((long) (loadNanosEach * count)).plusMillis(1);
    Work work = new Work(phase, count, Await.now().plus(SOON), spread, ScheduleKind.ONCE);
    HerdMeter meter = new HerdMeter(work);
    contender.listen(work, meter);
    CpuTimes before = contender.cpu();
    Loading load = Loading.of(count, contender::cpu, () -> contender.define(work));
    Instant deadline = work.start().plus(spread).plus(HERD_BOUND);
    contender.perform(work, count, deadline);
    Drain drain = meter.await(deadline);
    CpuTimes cpu = contender.cpu().since(before);
    meter.requireNoDoubles(STRAGGLERS);
    Progress.say(contender.name() + ", " + phase + ": " + drain + ", CPU " + cpu);
    return new Herded(drain, cpu, load, Optional.empty());
  }

  /** Schedules that wait beside what is measured after them, and are due long after that. */
  Loading waiting(String phase, int count, Instant due) {
    Work work = Work.herd(phase, count, due);
    contender.listen(work, (number, dueMs, seenUs) -> {});
    return Loading.of(count, contender::cpu, () -> contender.define(work));
  }

  /**
   * Fires that are due evenly.
   *
   * @param plan begins at any instant
   * @param whenWarm runs when the first counted fire is due, if the contender fires by itself
   * @throws VoidRunException if one never fired, or one fired twice
   */
  Late lateness(String phase, OpenLoop plan, Runnable whenWarm) {
    int schedules = plan.schedules();
    OpenLoop loop = plan.from(ahead(schedules));
    Work work = loop.work(phase);
    LatenessMeter meter = new LatenessMeter(loop);
    Duration load = define(work, meter).elapsed();
    checkAhead(work);
    Progress.say(
        String.format(
            "%s: %,d schedules defined in %.1f s, the first is due at %s",
            contender.name(), schedules, load.toMillis() / 1e3, loop.start()));
    Instant deadline = loop.end().plus(LATE_BOUND);
    Await.instant(loop.start().minus(MARGIN));
    CpuTimes before = contender.cpu();
    contender.perform(work, loop.allFires(), deadline);
    Await.instant(loop.start().plus(loop.warmUp()));
    whenWarm.run();
    Histogram histogram = meter.await(deadline);
    CpuTimes cpu = contender.cpu().since(before);
    meter.requireNoDoubles(STRAGGLERS);
    return new Late(histogram, meter.early(), cpu);
  }

  private Instant ahead(int schedules) {
    Duration load = Duration.ofNanos((long) (contender.loadMargin() * loadNanosEach * schedules));
    return Await.now().plus(load).plus(SLACK).truncatedTo(ChronoUnit.SECONDS);
  }

  private Loading define(Work work, FireListener meter) {
    contender.listen(work, meter);
    Loading load = Loading.of(work.count(), contender::cpu, () -> contender.define(work));
    loadNanosEach = (double) load.elapsed().toNanos() / work.count();
    return load;
  }

  private static void checkAhead(Work work) {
    if (Await.now().isAfter(work.start().minus(MARGIN))) {
      throw new BenchException(
          work.count() + " schedules were defined too late for the first of them to be on time");
    }
  }

  @Override
  public void close() {
    contender.close();
  }
}
