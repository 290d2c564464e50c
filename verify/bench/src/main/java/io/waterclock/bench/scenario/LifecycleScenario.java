package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.ExpectedRecords;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.CompactedTopics;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.MeasuredScheduler;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what schedules leave behind that fire once and are removed. */
@Command(
    name = "lifecycle",
    description =
        "Schedules that fire once, complete and are removed: what heap, local state and compacted"
            + " topics hold before, with all of them, and after.",
    mixinStandardHelpOptions = true)
public final class LifecycleScenario implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofMinutes(15);
  private static final Duration LEAD = Duration.ofSeconds(30);

  /** The least number of schedules that a scheduler accepts just after its start. */
  private static final int COLD_PER_SECOND = 1_000;

  /** The same once it has accepted some: on two cores it accepts three times as many. */
  private static final int WARM_PER_SECOND = 4_000;

  private static final Map<String, String> PACE =
      Map.of(
          "completed.retention", "1m",
          "removed.retention", "1m",
          "watchdog.interval", "30s",
          "state.compaction.age", "1m");

  /** After a retention of a minute, two passes through what is gone. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(150);

  @Mixin private Options options = new Options();

  @Option(names = "--schedules", description = "Default 1000000; with --quick 50000.")
  private Optional<Integer> schedules = Optional.empty();

  @Option(
      names = "--warm-up",
      description = "How many come and go before the baseline is taken; default 50000.")
  private Optional<Integer> warmUp = Optional.empty();

  private int loadedPerSecond = COLD_PER_SECOND;

  @Override
  public Integer call() {
    int count = options.size("--schedules", schedules, 1_000_000, 50_000);
    int warm = options.size("--warm-up", warmUp, 50_000, 10_000);
    Report report =
        new Report("lifecycle: " + count + " schedules created, fired and removed", options);
    report.with("pace", PACE.toString());
    report.with("compacted topics", CompactedTopics.SETTINGS.toString());
    report.with("baseline", "after " + warm + " others have come and gone");
    report.with("all gone", "after " + warm + " more: RocksDB compacts when it has written a file");
    try (Rig rig = Rig.start(options, PACE);
        CompactedTopics topics = CompactedTopics.of(rig)) {
      topics.compactSoon();
      report.with(
          "never compacted",
          "the newest segment of each partition, "
              + topics.newestBytes() / 1_000_000
              + " MB at most");
      pass(rig, "warm", warm, () -> {});
      Held before = Held.settled(rig, topics);
      Progress.say("before: " + before);
      Held[] full = new Held[1];
      pass(
          rig,
          "once",
          count,
          () -> {
            full[0] = Held.now(rig, topics);
            Progress.say("with all: " + full[0]);
          });
      Progress.say("right after: " + Held.now(rig, topics));
      pass(rig, "next", warm, () -> {});
      Held after = Held.settled(rig, topics);
      add(report, "heap after collection", Held::heap, before, full[0], after);
      add(report, "local state", Held::local, before, full[0], after);
      add(report, "compacted topics", Held::topics, before, full[0], after);
    }
    report.publish(System.out, options);
    return 0;
  }

  private static void add(
      Report report, String what, ToLongFunction<Held> bytes, Held before, Held full, Held after) {
    double base = bytes.applyAsLong(before) / 1e6;
    report.add(what + ", all waiting", bytes.applyAsLong(full) / 1e6, base, "MB");
    report.add(what + ", all gone", bytes.applyAsLong(after) / 1e6, base, "MB");
  }

  /**
   * The bytes that schedules occupy.
   *
   * @param heap of the scheduler, after a collection
   * @param local the scheduler's files
   * @param topics the broker's files of compacted topics
   */
  private record Held(long heap, long local, long topics) {
    static Held now(Rig rig, CompactedTopics topics) {
      return new Held(
          rig.scheduler().ask(it -> MeasuredScheduler.heapAfterCollection()),
          rig.localStateBytes(),
          topics.bytes());
    }

    /** When compaction has come to rest. */
    static Held settled(Rig rig, CompactedTopics topics) {
      topics.awaitRest();
      return now(rig, topics);
    }

    @Override
    public String toString() {
      return String.format(
          "%s MB of heap, %s MB of local state, %s MB of compacted topics",
          heap / 1_000_000, local / 1_000_000, topics / 1_000_000);
    }
  }

  /** Creates schedules, waits until each has fired, and until each is removed. */
  private void pass(Rig rig, String phase, int count, Runnable whenAllWait) {
    try (Loader loader = rig.loader();
        Arrivals fires = rig.arrivals(rig.topics().fires());
        Arrivals statuses = rig.arrivals(rig.topics().status())) {
      ExpectedRecords fired = new ExpectedRecords(phase, count, record -> true);
      ExpectedRecords removed = new ExpectedRecords(phase, count, record -> record.value() == null);
      fires.to(fired);
      statuses.to(removed);
      Instant due =
          Await.now()
              .plus(LEAD)
              .plusSeconds(count / loadedPerSecond)
              .truncatedTo(ChronoUnit.SECONDS);
      loader.write(phase, count, number -> Definitions.once(due, number));
      loader.awaitAccepted();
      loadedPerSecond = WARM_PER_SECOND;
      whenAllWait.run();
      if (Await.now().isAfter(due)) {
        throw new VoidRunException("the schedules were accepted only after they were due");
      }
      Progress.say(count + " schedules accepted, due at " + due);
      fired.await("fired", BOUND);
      Progress.say("all have fired");
      removed.await("removed", BOUND);
      Progress.say("all are removed");
      Await.pass(FORGOTTEN);
    }
  }
}
