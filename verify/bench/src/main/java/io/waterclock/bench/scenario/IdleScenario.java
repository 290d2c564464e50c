package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.Ticks;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.CompactedTopics;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.MeasuredScheduler;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Schedules that wait for a far instant: what waiting costs, the more of them there are. */
@Command(
    name = "idle",
    description =
        "Schedules that are due in a year: what CPU, heap and disk they cost while they wait, and"
            + " what a tick costs that finds nothing due.",
    mixinStandardHelpOptions = true)
public final class IdleScenario implements Callable<Integer> {
  private static final Duration FAR = Duration.ofDays(365);
  private static final Duration SETTLE = Duration.ofSeconds(30);
  private static final String PHASE = "idle";
  private static final String WARM = "warm";
  private static final int WARM_RATE = 500;
  private static final Duration WARMING = Duration.ofSeconds(30);

  /**
   * The watchdog looks at more schedules a second the more there are, which is no part of a tick.
   */
  private static final Map<String, String> NO_WATCHDOG = Map.of("watchdog.interval", "1d");

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Option(
      names = "--schedules",
      split = ",",
      description =
          "Sizes, ascending, each reached from the one before; default 10000,100000,1000000, with"
              + " --full also 10000000, which wants --scheduler-jvm -Xmx4g; with --quick"
              + " 10000,100000.")
  private List<Integer> schedules = List.of();

  @Option(names = "--seconds", description = "Watched at each size; default 60; with --quick 20.")
  private Optional<Integer> seconds = Optional.empty();

  @Override
  public Integer call() {
    List<Integer> sizes = sizes();
    Duration watched = Duration.ofSeconds(options.size("--seconds", seconds, 60, 20));
    List<Held> held = new ArrayList<>();
    try (Rig rig = Rig.start(options);
        Loader loader = rig.loader()) {
      Instant due = Await.now().plus(FAR);
      int loaded = 0;
      held.add(observe(rig, loader, 0, watched, false));
      for (int size : sizes) {
        for (int number = loaded; number < size; number++) {
          loader.send(PHASE, number, Definitions.once(due.plusMillis(number), number));
        }
        loader.awaitAccepted();
        Progress.say(size + " schedules are there");
        boolean isLast = size == sizes.get(sizes.size() - 1);
        held.add(observe(rig, loader, size, watched, isLast));
        loaded = size;
      }
    }
    report(held, watched).publish(System.out, options);
    return 0;
  }

  private List<Integer> sizes() {
    List<Integer> sizes =
        schedules.isEmpty()
            ? Stream.of(10_000, 100_000, 1_000_000, 10_000_000)
                .limit(options.quick() ? 2 : options.full() ? 4 : 3)
                .toList()
            : schedules;
    if (sizes.get(0) < 1 || !sizes.stream().sorted().distinct().toList().equals(sizes)) {
      throw new BadOptionException(
          "--schedules " + sizes + ": wants sizes that ascend, as in 10000,1000000");
    }
    return sizes;
  }

  private Report report(List<Held> held, Duration watched) {
    List<String> columns = held.stream().map(each -> Report.count(each.schedules())).toList();
    Report report = new Report("idle: schedules due in a year", options, columns);
    report.with(
        "watched",
        String.format(
            "%s s, after %s others have fired every second for %s s"
                + " and were deleted, and %s s of rest",
            watched.toSeconds(), WARM_RATE, WARMING.toSeconds(), SETTLE.toSeconds()));
    report.with(
        "a tick",
        "CPU of the stream thread for a tick of all partitions, with its poll, of a scheduler that is"
            + " started again with "
            + NO_WATCHDOG);
    report.with("CPU", "of the scheduler, unless it says otherwise");
    report.with("columns", "how many schedules; the first is the baseline");
    report.each("CPU", held, Held::percentOfCore, "% of a core");
    report.each("CPU of the broker", held, Held::brokerPercentOfCore, "% of a core");
    report.each("heap after collection", held, Held::heapMegabytes, "MB");
    report.each("disk of the scheduler", held, each -> each.localBytes() / 1e6, "MB");
    report.each("disk of compacted topics", held, each -> each.topicBytes() / 1e6, "MB");
    report.each("a tick with nothing due", held, Held::tickMicros, "us");
    return report;
  }

  /**
   * The cost of waiting schedules.
   *
   * @param ticks of a scheduler without a watchdog
   */
  private record Held(
      int schedules,
      Duration watched,
      CpuTimes cpu,
      Ticks ticks,
      long heapBytes,
      long localBytes,
      long topicBytes) {
    /** Of the scheduler. */
    double percentOfCore() {
      return 100.0 * cpu.writer().toNanos() / watched.toNanos();
    }

    double heapMegabytes() {
      return heapBytes / 1e6;
    }

    double brokerPercentOfCore() {
      return 100.0 * cpu.broker().toNanos() / watched.toNanos();
    }

    double tickMicros() {
      return ticks.count() == 0 ? 0 : ticks.threadNanos() / 1e3 / ticks.count();
    }
  }

  private static Held observe(
      Rig rig, Loader loader, int schedules, Duration watched, boolean isProfiled) {
    warmUp(loader);
    if (isProfiled) {
      rig.startProfile();
    }
    CpuTimes cpuBefore = rig.cpu(rig.scheduler());
    Await.pass(watched);
    CpuTimes cpu = rig.cpu(rig.scheduler()).since(cpuBefore);
    if (isProfiled) {
      rig.endProfile();
    }
    long heapBytes = rig.scheduler().ask(it -> MeasuredScheduler.heapAfterCollection());
    Ticks ticks = withoutWatchdog(rig, loader, watched);
    try (CompactedTopics topics = CompactedTopics.of(rig)) {
      long local = rig.localStateBytes();
      Held held = new Held(schedules, watched, cpu, ticks, heapBytes, local, topics.bytes());
      Progress.say(
          String.format(
              "%,d schedules: %.2f %% of a core, %.1f MB of heap, %.1f us a tick",
              schedules, held.percentOfCore(), heapBytes / 1e6, held.tickMicros()));
      return held;
    }
  }

  private static Ticks withoutWatchdog(Rig rig, Loader loader, Duration watched) {
    rig.relaunch(NO_WATCHDOG);
    warmUp(loader);
    Ticks before = rig.scheduler().ask(MeasuredScheduler::ticks);
    Await.pass(watched);
    Ticks ticks = rig.scheduler().ask(MeasuredScheduler::ticks).since(before);
    rig.relaunch(Map.of());
    return ticks;
  }

  /** Has some schedules come, fire for a while, and go, and then nothing happen for a while. */
  private static void warmUp(Loader loader) {
    Instant start = Await.now();
    loader.write(
        WARM,
        WARM_RATE,
        number -> Definitions.every(start.plusMillis(number * 1_000L / WARM_RATE), 1, number));
    loader.awaitAccepted();
    Await.pass(WARMING);
    loader.delete(WARM, WARM_RATE);
    loader.awaitAccepted();
    Await.pass(SETTLE);
  }
}
