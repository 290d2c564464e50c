package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.meter.ReplayMeter;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.report.Targets;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.scenario.LiveLoad.Span;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One schedule replays what it missed: what that does to the lateness of the others. */
@Command(
    name = "catchup",
    description =
        "One schedule replays what it missed while others fire every second: how late those are,"
            + " before and meanwhile.",
    mixinStandardHelpOptions = true)
public final class CatchUpScenario implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofMinutes(15);
  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final int WARM_PART = 10;
  private static final int OTHERS = 500;

  /** A definition may not replay more. */
  private static final int MOST_REPLAYED = 1_000_000;

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Mixin private LiveOptions live = new LiveOptions();

  @Override
  public Integer call() {
    int count = options.quick() ? 100_000 : MOST_REPLAYED;
    Duration warm = live.warm(options);
    Duration counted = live.counted(options);
    Report report =
        new Report(
            "catchup: " + count + " missed occurrences of one schedule, " + OTHERS + " others",
            options);
    report.with("others", OTHERS + " schedules, each every second, evenly spread");
    report.with("baseline", "the same " + OTHERS + " in the " + counted.toSeconds() + " s before");
    report.with(Targets.MISSED, Report.count(count));
    report.with("warm-up", warm.toSeconds() + " s, and a replay of a tenth");
    try (Rig rig = Rig.start(options);
        Loader loader = rig.loader();
        LiveLoad load = LiveLoad.begin(rig, loader, OTHERS)) {
      Await.instant(load.start().plus(warm));
      replay(load, loader, "warm", count / WARM_PART);
      Span quiet = Span.next(counted);
      Progress.say("lateness before is measured; the replay begins");
      rig.startProfile();
      Span replay = replay(load, loader, "play", count);
      rig.endProfile();
      add(report, load.lateness(quiet), load.lateness(replay), replay.seconds(), count);
    }
    report.publish(System.out, options);
    return 0;
  }

  private static void add(
      Report report, Histogram before, Histogram during, double seconds, int count) {
    LiveLoad.add(report, "", during, before, Percentile.values());
    report.add("replay, written to last visible", List.of(seconds, Report.NONE), "s");
    report.add("replay", List.of(count / seconds, Report.NONE), "fires/s");
  }

  /**
   * Writes a definition with an old timestamp, which the scheduler reads only now.
   *
   * @return from when the definition was written until its last missed occurrence was visible
   */
  private static Span replay(LiveLoad load, Loader loader, String phase, int missed) {
    Instant from = Await.now();
    Instant written = from.minus(GRACE).minusSeconds(missed).truncatedTo(ChronoUnit.SECONDS);
    ReplayMeter meter = new ReplayMeter(phase, written, missed);
    load.also(meter);
    long most = Math.min(MOST_REPLAYED, missed + GRACE.toSeconds() * 2);
    loader.writeAt(phase, 0, written, Definitions.replayed(written, most));
    meter.await(BOUND);
    return new Span(from, Await.now());
  }
}
