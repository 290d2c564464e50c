package io.waterclock.bench.scenario;

import io.waterclock.bench.meter.LiveMeter;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Attempt;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.TwoInstances;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.scenario.RecoveryStage.Outage;
import io.waterclock.bench.scenario.RecoveryStage.Scene;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One of two instances goes: when fires are visible again, and how late they are. */
@Command(
    name = "recovery",
    description =
        "Two instances with many waiting schedules and some that fire every second; one is killed,"
            + " restarted, or ends in order: when its fires are visible again.",
    mixinStandardHelpOptions = true)
public final class RecoveryScenario implements Callable<Integer> {
  private static final Map<String, String> STANDBY = Map.of("num.standby.replicas", "1");

  /** Schedules that fire every second. */
  private static final int LIVE = 1_000;

  /** So many for each partition, and none will be without, as their hashes fall. */
  private static final int LIVE_EACH = 10;

  /** Half of it, without its last second, is what lateness was before. */
  private static final int LEAST_STEADY = 4;

  /** The interval at which a broker looks for overdue transactions. */
  private static final String CLEANUP =
      "transaction.abort.timed.out.transaction.cleanup.interval.ms";

  /** The kinds of outage of an instance. */
  enum Scenario {
    TAKEOVER,
    SAME_PLACE,
    ARRIVAL,
    STANDBY,
    ROLLING
  }

  @Mixin private Options options = new Options();

  @Option(
      names = "--scenarios",
      split = ",",
      description = "Which of ${COMPLETION-CANDIDATES}; default all.")
  private List<Scenario> scenarios = Arrays.asList(Scenario.values());

  @Option(names = "--schedules", description = "That wait; default 1000000, --quick 100000.")
  private Optional<Integer> schedules = Optional.empty();

  @Option(names = "--seconds", description = "Of steady firing before; default 20, --quick 10.")
  private Optional<Integer> seconds = Optional.empty();

  @Option(
      names = "--crashes",
      description =
          "How often TAKEOVER kills the second, which comes back in between; default"
              + " ${DEFAULT-VALUE}.")
  private int crashes = 1;

  @Override
  public Integer call() {
    Options.atLeast(2, "--partitions", options.partitions());
    Options.atLeast(1, "--crashes", crashes);
    Options.atMost(LIVE / LIVE_EACH, "--partitions", options.partitions());
    Scene scene =
        new Scene(
            options.size("--schedules", schedules, 1_000_000, 100_000),
            LIVE,
            LiveMeter.seconds(
                "--seconds",
                Options.atLeast(
                    LEAST_STEADY, "--seconds", options.size("--seconds", seconds, 20, 10))));
    List<Outage> outages = new ArrayList<>();
    Map<String, String> flaws = new LinkedHashMap<>();
    if (isWanted(Scenario.TAKEOVER) || isWanted(Scenario.SAME_PLACE)) {
      attempt("crashes", flaws, () -> crash(scene, outages));
    }
    if (isWanted(Scenario.ARRIVAL) || isWanted(Scenario.STANDBY)) {
      attempt("standbys", flaws, () -> useStandby(scene, outages));
    }
    if (isWanted(Scenario.ROLLING)) {
      attempt("rolling", flaws, () -> roll(scene, outages));
    }
    Report report = report(outages, scene);
    flaws.forEach((what, flaw) -> report.with(what, flaw));
    report.publish(System.out, options);
    return flaws.isEmpty() ? 0 : 1;
  }

  /** Keeps what was measured before a failure. */
  private static void attempt(String what, Map<String, String> flaws, Runnable measurement) {
    try {
      measurement.run();
    } catch (RuntimeException e) {
      flaws.put(what, Attempt.flaw(e));
    }
  }

  private boolean isWanted(Scenario scenario) {
    return scenarios.contains(scenario);
  }

  private void crash(Scene scene, List<Outage> outages) {
    try (RecoveryStage stage = RecoveryStage.set(options, Map.of(), false, scene)) {
      Outage takeover = stage.kill("killed, no standby", TwoInstances.B, false);
      if (isWanted(Scenario.TAKEOVER)) {
        outages.add(takeover);
        for (int crash = 2; crash <= crashes; crash++) {
          stage.bringBack(TwoInstances.B);
          outages.add(stage.kill("crash " + crash, TwoInstances.B, false));
        }
      }
      if (isWanted(Scenario.SAME_PLACE)) {
        outages.add(stage.kill("killed, restarted alone", TwoInstances.A, true));
      }
    }
  }

  private void useStandby(Scene scene, List<Outage> outages) {
    try (RecoveryStage stage = RecoveryStage.set(options, STANDBY, false, scene)) {
      if (isWanted(Scenario.ARRIVAL)) {
        outages.add(stage.end("ended, standby is busy", TwoInstances.B, false));
        stage.bringBack(TwoInstances.B);
      }
      if (isWanted(Scenario.STANDBY)) {
        outages.add(stage.kill("killed, standby", TwoInstances.B, false));
      }
    }
  }

  private void roll(Scene scene, List<Outage> outages) {
    try (RecoveryStage stage = RecoveryStage.set(options, Map.of(), true, scene)) {
      outages.add(stage.end("rolling, first", TwoInstances.A, true));
      outages.add(stage.end("rolling, second", TwoInstances.B, true));
    }
  }

  private Report report(List<Outage> outages, Scene scene) {
    Report report =
        new Report(
            String.format(
                "recovery: %,d schedules wait, %,d fire every second",
                scene.waiting(), scene.live()),
            options,
            outages.stream().map(Outage::title).toList());
    report.with(Report.SCHEDULES, Report.count(scene.waiting()));
    report.with("instances", "two, with half of the partitions each; the second goes");
    report.with(
        "visible",
        "a read_committed consumer sees a fire that was due after the instance had gone");
    report.with(
        "time-outs",
        "Waterclock's defaults unless the scheduler above says otherwise, as the broker enforced"
            + " them");
    report.with("on the broker", CLEANUP + "=1000");
    report.with("standby", STANDBY + " in both of its scenarios");
    report.with("rolling", "static membership: each has a group.instance.id");
    report.with("on time", "less than a second late in all of its partitions");
    report.each("visible again, first partition", outages, o -> o.since(o.back().first()), "s");
    report.each("visible again, all partitions", outages, o -> o.since(o.back().all()), "s");
    report.each(
        "session timed out", outages, o -> o.release().map(let -> o.since(let.session())), "s");
    report.each(
        "transactions ended",
        outages,
        o -> o.release().map(let -> o.since(let.transactions())),
        "s");
    report.each("later of both", outages, o -> o.release().map(let -> o.since(let.later())), "s");
    report.each("visible again, after the later of both", outages, Outage::afterRelease, "s");
    report.each("on time again", outages, o -> o.since(o.back().onTime()), "s");
    report.each("lateness until then, max", outages, o -> Percentile.MAX.ms(o.its()), "ms");
    report.each(
        "lateness of the other's partitions, max",
        outages,
        o -> o.others().map(Percentile.MAX::ms),
        "ms");
    report.each(
        "lateness of the other's partitions, p99",
        outages,
        o -> o.others().map(Percentile.P99::ms),
        "ms");
    outages.stream()
        .flatMap(outage -> outage.others().stream())
        .mapToDouble(Percentile.MAX::ms)
        .max()
        .ifPresent(
            worst ->
                report.with(
                    "lateness of the other's partitions, worst",
                    String.format(Locale.ROOT, "%.0f ms", worst)));
    report.each("lateness before, p99", outages, o -> Percentile.P99.ms(o.before()), "ms");
    report.each("lateness before, max", outages, o -> Percentile.MAX.ms(o.before()), "ms");
    return report;
  }
}
