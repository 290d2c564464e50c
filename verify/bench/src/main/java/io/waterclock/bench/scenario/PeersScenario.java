package io.waterclock.bench.scenario;

import io.waterclock.bench.load.EvenLoad;
import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.load.ScheduleKind;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerKind.Durability;
import io.waterclock.bench.peer.PeerProcess;
import io.waterclock.bench.report.Attempt;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.report.Targets;
import io.waterclock.bench.rig.Directory;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.scenario.Trial.Herded;
import io.waterclock.bench.scenario.Trial.Late;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Waterclock beside the schedulers that one would pick instead, put to the same work: fires that
 * are due evenly, then, in new processes, a herd. All schedules are due once.
 */
@Command(
    name = "peers",
    description =
        "Waterclock, db-scheduler, Quartz, JobRunr, RocketMQ and Pulsar, one after the other, put to the"
            + " same work: schedules that are due once, evenly or all at one instant.",
    mixinStandardHelpOptions = true)
public final class PeersScenario implements Callable<Integer> {
  private static final List<String> PEER_JVM = Options.words(Options.HEAP);
  private static final int WARM_HERD = 2_000;
  private static final int HERD_PARTS = 4;

  @Mixin private Options options = new Options();

  @Option(
      names = "--peers",
      split = ",",
      description =
          "Which of ${COMPLETION-CANDIDATES}; default all but ROCKETMQ and PULSAR, which want"
              + " jars that verify/bench/rocketmq/pom.xml and verify/bench/pulsar/pom.xml fetch.")
  private List<PeerKind> peers =
      Arrays.stream(PeerKind.values()).filter(kind -> !kind.place().isFetched()).toList();

  @Mixin private EvenLoad load = new EvenLoad();

  @Option(
      names = "--herd",
      description =
          "Size of the herds; default 1000000, with --quick 20000. Those of peers that would not"
              + " drain it in bearable time are smaller.")
  private Optional<Integer> herd = Optional.empty();

  /**
   * The result of a contender.
   *
   * @param herd how many schedules were due at one instant
   */
  private record Result(Entrant entrant, int herd, Attempt<Late> late, Attempt<Herded> herded) {

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
  private record Entrant(
      String name, String configuration, Durability durability, Supplier<Contender> start) {

    private String survives(Durability what) {
      return durability.compareTo(what) >= 0 ? "yes" : "no";
    }
  }

  @Override
  public Integer call() {
    OpenLoop loop = load.loop(options, ScheduleKind.ONCE);
    peers.forEach(PeerProcess::classPath);
    options.partitions();
    int size = options.size("--herd", herd, 1_000_000, 20_000);
    List<Result> results = new ArrayList<>();
    Map<PeerKind, String> servers = new EnumMap<>(PeerKind.class);
    try (Directory dir = Directory.of(options.dir())) {
      results.add(
          hold(
              new Entrant(
                  RigContender.WATERCLOCK,
                  "its defaults, but for what the scheduler above says",
                  Durability.PROCESS,
                  () -> start(options)),
              loop,
              size));
      for (PeerKind kind : peers) {
        Entrant entrant =
            new Entrant(
                kind.title(),
                PeerProcess.configuration(kind),
                kind.durability(),
                () -> start(kind, dir.path(), servers));
        results.add(hold(entrant, loop, Math.min(size, kind.largestHerd())));
      }
    }
    List<String> names = results.stream().map(result -> result.entrant().name()).toList();
    Report report = new Report("peers: the same work for each", options, names);
    report.with(
        "lateness",
        String.format(
            "%,d fires/s for %d s after a warm-up of %d s, open loop",
            loop.rate(), loop.counted().toSeconds(), loop.warmUp().toSeconds()));
    report.with("schedules", "due once, defined beforehand");
    report.with("seen", "Waterclock: by a read_committed consumer; peers: where the job runs");
    report.with("peers", "own processes, " + String.join(" ", PEER_JVM) + "; a job notes the time");
    servers.forEach(
        (kind, server) -> report.with("server of " + kind.title(), server + ", new for each work"));
    add(results, report);
    report.publish(System.out, options);
    return results.get(0).isWhole() && results.stream().noneMatch(Result::hasFailed) ? 0 : 1;
  }

  private static Contender start(Options options) {
    Rig rig = Rig.start(options);
    return Closing.onFailure(rig::close, () -> RigContender.scheduler(rig, rig::close));
  }

  private static Contender start(PeerKind kind, Path dir, Map<PeerKind, String> servers) {
    PeerContender contender = new PeerContender(kind, PEER_JVM, dir);
    return Closing.onFailure(
        contender::close,
        () -> {
          contender.server().ifPresent(one -> servers.put(kind, one));
          return contender;
        });
  }

  private static Result hold(Entrant entrant, OpenLoop loop, int herd) {
    Progress.say(entrant.name() + " begins");
    return new Result(
        entrant,
        herd,
        Attempt.at(entrant.name() + ", lateness", () -> lateness(entrant, loop)),
        Attempt.at(entrant.name() + ", herd", () -> herd(entrant, herd)));
  }

  private static Late lateness(Entrant entrant, OpenLoop loop) {
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
  private static void add(List<Result> results, Report report) {
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
        "herd, ran early", results, herd(herded -> (double) herded.drain().early()), "fires");
    report.add("herd, CPU of server + scheduler + bench", cpu(results, herd(Herded::cpu)));
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
