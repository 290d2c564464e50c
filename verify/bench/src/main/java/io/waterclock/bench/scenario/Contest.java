package io.waterclock.bench.scenario;

import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.peer.PeerKind.Durability;
import io.waterclock.bench.report.Attempt;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.report.Targets;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.scenario.Trial.Herded;
import io.waterclock.bench.scenario.Trial.Late;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The same work for every contender: fires that are due evenly, then, in new processes, a herd. All
 * schedules are due once.
 *
 * @param loop the fires that are due evenly
 */
record Contest(OpenLoop loop) {
  private static final int WARM_HERD = 2_000;
  private static final int HERD_PARTS = 4;

  /**
   * The result of a contender.
   *
   * @param herd how many schedules were due at one instant
   */
  record Result(Entrant entrant, int herd, Attempt<Late> late, Attempt<Herded> herded) {

    /** True when neither run is void. */
    boolean isWhole() {
      return late.flaw().isEmpty() && herded.flaw().isEmpty();
    }

    boolean hasFailed() {
      return late.hasFailed() || herded.hasFailed();
    }
  }

  /**
   * Who takes part.
   *
   * @param configuration how it is set up, beyond what holds for the whole run
   * @param durability what its schedules survive
   * @param start starts it anew
   */
  record Entrant(
      String name, String configuration, Durability durability, Supplier<Contender> start) {

    private String survives(Durability what) {
      return durability.compareTo(what) >= 0 ? "yes" : "no";
    }
  }

  Result hold(Entrant entrant, int herd) {
    Progress.say(entrant.name() + " begins");
    return new Result(
        entrant,
        herd,
        Attempt.at(entrant.name() + ", lateness", () -> lateness(entrant)),
        Attempt.at(entrant.name() + ", herd", () -> herd(entrant, herd)));
  }

  private Late lateness(Entrant entrant) {
    try (Trial trial = new Trial(entrant.start().get())) {
      trial.warmUp(WARM_HERD);
      return trial.lateness("late", loop, () -> {});
    }
  }

  private static Herded herd(Entrant entrant, int size) {
    try (Trial trial = new Trial(entrant.start().get())) {
      trial.warmUp(Math.max(WARM_HERD, size / HERD_PARTS));
      return trial.herd("herd", size, () -> {});
    }
  }

  /** Adds the figures of all to a report that has a column for each. */
  void report(List<Result> results, Report report) {
    for (Result result : results) {
      String name = result.entrant().name();
      report.with(name, result.entrant().configuration());
      result.late().flaw().ifPresent(flaw -> report.with(name + ", lateness", flaw));
      result.herded().flaw().ifPresent(flaw -> report.with(name + ", herd", flaw));
    }
    report.add(
        Targets.SURVIVE_PROCESS,
        results.stream().map(result -> result.entrant().survives(Durability.PROCESS)).toList());
    report.add(
        Targets.SURVIVE_MACHINE,
        results.stream().map(result -> result.entrant().survives(Durability.MACHINE)).toList());
    for (Percentile percentile : Percentile.values()) {
      report.each(
          "lateness, " + percentile.title(),
          results,
          late(late -> percentile.ms(late.histogram())),
          "ms");
    }
    report.each("lateness, ran early", results, late(late -> (double) late.early()), "fires");
    report.add("lateness, CPU of server + scheduler + bench", cpu(results, late(Late::cpu)));
    report.each("herd, size", results, result -> (double) result.herd(), "schedules");
    report.each(
        "herd, rate, due to last", results, herd(herded -> herded.drain().rate()), "fires/s");
    report.each(
        "herd, rate, first to last",
        results,
        herd(herded -> herded.drain().drainRate()),
        "fires/s");
    report.each(
        "herd, ran early", results, herd(herded -> (double) herded.drain().early()), "fires");
    report.each("herd, due to last", results, herd(herded -> herded.drain().lastUs() / 1e6), "s");
    report.add("herd, CPU of server + scheduler + bench", cpu(results, herd(Herded::cpu)));
    report.each(
        "herd, time to define",
        results,
        herd(herded -> herded.load().elapsed().toMillis() / 1e3),
        "s");
  }

  private static Function<Result, Object> late(Function<Late, ?> figure) {
    return result -> result.late().figureOrWord(figure);
  }

  private static Function<Result, Object> herd(Function<Herded, ?> figure) {
    return result -> result.herded().figureOrWord(figure);
  }

  private static List<String> cpu(List<Result> results, Function<Result, Object> times) {
    return results.stream().map(times).map(Object::toString).toList();
  }
}
