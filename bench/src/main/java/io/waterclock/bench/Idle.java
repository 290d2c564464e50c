package io.waterclock.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Schedules that wait for a far instant: what waiting costs. */
@Command(
    name = "idle",
    description = "Schedules that are due in a year: what CPU and heap they cost while they wait.",
    mixinStandardHelpOptions = true)
final class Idle implements Callable<Integer> {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration FAR = Duration.ofDays(365);
  private static final Duration SETTLE = Duration.ofSeconds(20);

  @Mixin private Options options = new Options();

  @Option(names = "--schedules", description = "Default 1000000; with --quick 100000.")
  private Optional<Integer> schedules = Optional.empty();

  @Option(names = "--seconds", description = "Default 60; with --quick 20.")
  private Optional<Integer> seconds = Optional.empty();

  @Override
  public Integer call() {
    int count = options.size(schedules, 1_000_000, 100_000);
    Duration watched = Duration.ofSeconds(options.size(seconds, 60, 20));
    Report report = new Report("idle: " + count + " schedules due in a year", options);
    report.with("watched", watched.toSeconds() + " s, " + SETTLE.toSeconds() + " s after loading");
    report.with("baseline", "the same scheduler before it has a schedule");
    try (Rig rig = Rig.start(options)) {
      Figures empty = observe(rig, watched);
      Instant begin = CLOCK.instant();
      try (Loader loader = rig.loader()) {
        Instant due = begin.plus(FAR);
        loader.write("idle", count, number -> Definitions.once(due.plusMillis(number), number));
        loader.awaitAccepted();
      }
      Duration load = Duration.between(begin, CLOCK.instant());
      rig.startProfile();
      Figures full = observe(rig, watched);
      rig.endProfile().ifPresent(profile -> profile.print(System.out));
      report.add("CPU", full.percentOfCore(), empty.percentOfCore(), "% of a core");
      report.add("heap after collection", full.heapBytes() / 1e6, empty.heapBytes() / 1e6, "MB");
      report.add(
          "heap for each schedule",
          (full.heapBytes() - empty.heapBytes()) / (double) count,
          0,
          "bytes");
      report.add("time to load", load.toMillis() / 1e3, 0, "s");
    }
    report.print(System.out);
    report.writeJson(options.json());
    return 0;
  }

  private record Figures(double percentOfCore, long heapBytes) {}

  private static Figures observe(Rig rig, Duration watched) {
    Await.instant(CLOCK.instant().plus(SETTLE));
    Duration before = rig.cpu(rig.scheduler()).writer();
    Await.instant(CLOCK.instant().plus(watched));
    Duration used = rig.cpu(rig.scheduler()).writer().minus(before);
    long heapBytes = Long.parseLong(rig.scheduler().ask("heap"));
    return new Figures(100.0 * used.toNanos() / watched.toNanos(), heapBytes);
  }
}
