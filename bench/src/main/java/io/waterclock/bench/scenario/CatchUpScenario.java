package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.LiveMeter;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.meter.ReplayMeter;
import io.waterclock.bench.plot.Distribution;
import io.waterclock.bench.report.Plots;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.report.Targets;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.ProfileOptions;
import io.waterclock.bench.run.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One schedule replays what it missed: what that does to the lateness of the others. */
@Command(
    name = "catchup",
    description =
        "One schedule replays what it missed while others fire every second: how late those are,"
            + " before and meanwhile.",
    mixinStandardHelpOptions = true)
public final class CatchUpScenario implements Callable<Integer> {
  private static final InstantSource CLOCK = InstantSource.system();

  private static final Duration BOUND = Duration.ofMinutes(15);
  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final int WARM_PART = 10;
  private static final String LIVE = "live";
  private static final String NONE = "-";
  private static final String REPLAY = "play";

  @Mixin private ProfileOptions options = new ProfileOptions();

  @Option(names = "--missed", description = "Default 1000000; with --quick 100000.")
  private Optional<Integer> missed = Optional.empty();

  @Option(
      names = "--live",
      description = "Schedules that fire every second; default ${DEFAULT-VALUE}.")
  private int live = 500;

  @Option(names = "--seconds", description = "Counted before the replay; default 30, --quick 10.")
  private Optional<Integer> seconds = Optional.empty();

  @Option(names = "--warm-up", description = "Seconds before those; default 30, --quick 10.")
  private Optional<Integer> warmUp = Optional.empty();

  @Override
  public Integer call() {
    Options.atLeast(1, "--live", live);
    Options.atMost(LiveMeter.MAX_SCHEDULES, "--live", live);
    int count =
        Options.atLeast(
            WARM_PART, "--missed", options.size("--missed", missed, 1_000_000, 100_000));
    Duration warm = LiveMeter.seconds("--warm-up", options.size("--warm-up", warmUp, 30, 10));
    Duration counted = LiveMeter.seconds("--seconds", options.size("--seconds", seconds, 30, 10));
    Report report =
        new Report(
            "catchup: " + count + " missed occurrences of one schedule, " + live + " others",
            options);
    report.with("others", live + " schedules, each every second, evenly spread");
    report.with("baseline", "the same " + live + " in the " + counted.toSeconds() + " s before");
    report.with(Targets.MISSED, Report.count(count));
    report.with("warm-up", warm.toSeconds() + " s, and a replay of a tenth");
    try (Rig rig = Rig.start(options);
        Arrivals arrivals = rig.arrivals();
        Loader loader = rig.loader()) {
      measure(rig, arrivals, loader, new Plan(count, warm, counted), report);
    }
    report.publish(System.out, options);
    return 0;
  }

  private record Plan(int missed, Duration warm, Duration counted) {}

  private void measure(Rig rig, Arrivals arrivals, Loader loader, Plan plan, Report report) {
    Instant start = CLOCK.instant().plusSeconds(10).truncatedTo(ChronoUnit.SECONDS);
    LiveMeter others = new LiveMeter(LIVE, start, live);
    arrivals.to(others);
    loader.write(LIVE, live, number -> Definitions.every(others.firstDue(number), 1, number));
    loader.awaitAccepted();
    Await.instant(start.plus(plan.warm()));
    replay(arrivals, loader, others, "warm", plan.missed() / WARM_PART);
    Instant counting = CLOCK.instant();
    Await.instant(counting.plus(plan.counted()));
    Instant until = CLOCK.instant();
    Progress.say("lateness before is measured; the replay begins");
    rig.startProfile();
    Replayed replayed = replay(arrivals, loader, others, REPLAY, plan.missed());
    rig.endProfile().ifPresent(profile -> profile.print(System.out));
    Histogram before = others.between(counting, until);
    Histogram during = others.between(replayed.from(), replayed.through());
    for (Percentile percentile : Percentile.values()) {
      report.add(percentile.title(), percentile.ms(during), percentile.ms(before), "ms");
    }
    report.add(
        "fires of the others",
        (double) during.getTotalCount(),
        (double) before.getTotalCount(),
        "fires");
    double took = Duration.between(replayed.from(), replayed.through()).toMillis() / 1e3;
    report.add("replay, written to last visible", List.of(took, NONE), "s");
    report.add("replay", List.of(plan.missed() / took, NONE), "fires/s");
    report.add(
        Plots.lateness(
            "catchup-" + plan.missed(),
            String.format("Lateness beside a replay of %,d occurrences", plan.missed()),
            List.of(
                Distribution.line("meanwhile", during, 1e3),
                Distribution.line("before", before, 1e3))));
  }

  /**
   * From when the definition was written until its last missed occurrence was visible.
   *
   * @param from inclusive
   * @param through exclusive
   */
  private record Replayed(Instant from, Instant through) {}

  /** A definition that was written long ago, as the record says, and is read only now. */
  private static Replayed replay(
      Arrivals arrivals, Loader loader, LiveMeter others, String phase, int missed) {
    Instant from = CLOCK.instant();
    Instant written = from.minus(GRACE).minusSeconds(missed).truncatedTo(ChronoUnit.SECONDS);
    ReplayMeter meter = new ReplayMeter(phase, written, missed);
    arrivals.to(
        (record, seenUs) -> {
          others.seen(record, seenUs);
          meter.seen(record, seenUs);
        });
    loader.writeAt(phase, written, Definitions.replayed(written, missed + GRACE.toSeconds() * 2));
    meter.await(BOUND);
    return new Replayed(from, CLOCK.instant());
  }
}
