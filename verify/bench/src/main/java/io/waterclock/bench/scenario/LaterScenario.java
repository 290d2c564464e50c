package io.waterclock.bench.scenario;

import io.waterclock.bench.meter.Loading;
import io.waterclock.bench.meter.Sent;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerProcess;
import io.waterclock.bench.report.Attempt;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Directory;
import io.waterclock.bench.rig.MeasuredScheduler;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.scenario.Trial.Herded;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares records that are delivered later with those of a plain producer, and of peers. */
@Command(
    name = "later",
    description =
        "Records that a producer writes to the topic later, until they wait, and from their instant"
            + " on until a consumer has read them in their target; and both at a time. Beside a"
            + " producer that writes to the target itself, and peers that deliver messages later."
            + " And which records each of them takes in the scheduler's topics.",
    mixinStandardHelpOptions = true)
public final class LaterScenario implements Callable<Integer> {
  private static final List<String> PEER_JVM = Options.words(Options.HEAP);
  private static final int WARM_PARTS = 4;
  private static final double MB = 1e6;

  /** Of each value. */
  private static final int BYTES = 100;

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Option(names = "--records", description = "Default 200000; with --quick 20000.")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--peers",
      split = ",",
      description =
          "ROCKETMQ, PULSAR or both; they want jars that verify/bench/rocketmq/pom.xml and"
              + " verify/bench/pulsar/pom.xml fetch. Default none.")
  private List<PeerKind> peers = List.of();

  @Option(
      names = "--waiting",
      description =
          "How many records of Waterclock wait beside those that are measured; default none.")
  private Optional<Integer> waiting = Optional.empty();

  @Option(names = "--ahead", description = "For how long those wait; default ${DEFAULT-VALUE}.")
  private String ahead = "100d";

  @Option(
      names = "--cancel",
      description =
          "Instead: so many records that wait, half of which are cancelled 45 s before they are due,"
              + " behind 200000 definitions of others. The exit code is 1 if one of those arrives,"
              + " or not all others do.")
  private Optional<Integer> cancel = Optional.empty();

  /** What a contender needed, or why it could not be measured. */
  private record Result(String name, Attempt<Herded> herd, Attempt<Herded> through) {}

  @Override
  public Integer call() {
    int count = options.size("--records", records, 200_000, 20_000);
    waiting.ifPresent(many -> Options.atLeast(1, "--waiting", many));
    Duration wait = ahead();
    if (!peers.stream().allMatch(kind -> kind.place().isFetched())) {
      throw new BadOptionException("--peers " + peers + ": wants ROCKETMQ, PULSAR or both");
    }
    peers.forEach(PeerProcess::classPath);
    if (cancel.isPresent()) {
      return new CancelledRecords(options, Options.atLeast(2, "--cancel", cancel.get())).call();
    }
    Map<String, String> notes = new LinkedHashMap<>();
    List<Result> results = new ArrayList<>();
    try (Rig rig = Rig.start(options, Map.of("targets.allow", LaterContender.TARGET))) {
      Produced produced = new Produced(rig, options.producerSettings(), BYTES);
      Produced.createTargets(rig, LaterContender.TARGET, PlainContender.TARGET);
      try (Trial trial = new Trial(new PlainContender(rig, produced))) {
        results.add(plain(trial, count));
      }
      try (Trial trial = new Trial(new LaterContender(rig, produced))) {
        results.add(0, waterclock(rig, trial, count, wait, notes));
      }
    }
    try (Directory dir = Directory.of(options.dir())) {
      for (PeerKind kind : peers) {
        results.add(
            measured(
                kind.title(),
                () -> {
                  PeerContender peer = new PeerContender(kind, PEER_JVM, dir.path(), BYTES);
                  peer.server().ifPresent(server -> notes.put("server of " + kind.title(), server));
                  return new Trial(peer);
                },
                Math.min(count, kind.largestHerd())));
      }
    }
    Report report =
        new Report(
            "later: " + Report.count(count) + " records",
            options,
            results.stream().map(Result::name).toList());
    report.with("records", BYTES + " bytes of value, keys of 16 bytes, no names");
    report.with("seen", "by a read_committed consumer; of peers: by their consumer");
    report.with(
        "peers", "own processes, " + String.join(" ", PEER_JVM) + "; messages without keys");
    notes.forEach(report::with);
    report(results, report);
    report.publish(System.out, options);
    return results.stream().noneMatch(one -> one.herd().flaw().isPresent()) ? 0 : 1;
  }

  private Duration ahead() {
    try {
      return Durations.parse(ahead);
    } catch (InvalidValueException e) {
      throw new BadOptionException("--ahead: " + e.getMessage());
    }
  }

  /** It has nothing to wait for, so its herd is both. */
  private static Result plain(Trial trial, int count) {
    trial.warmUp(Math.max(1, count / WARM_PARTS));
    Attempt<Herded> herd = Attempt.at("plain producer", () -> trial.herd("herd", count, () -> {}));
    return new Result("plain producer", herd, herd);
  }

  private Result waterclock(
      Rig rig, Trial trial, int count, Duration wait, Map<String, String> notes) {
    trial.warmUp(Math.max(1, count / WARM_PARTS));
    waiting.ifPresent(
        many -> {
          Loading load =
              trial.waiting("wait", many, Await.now().plus(wait).truncatedTo(ChronoUnit.SECONDS));
          notes.put(
              "beside it",
              String.format(
                  "%,d records that wait %s, in at %,.0f/s, CPU %s; heap %.0f MB after a"
                      + " collection, local state %,.0f MB, logs of the broker %,.0f MB",
                  many,
                  ahead,
                  many * 1e3 / load.elapsed().toMillis(),
                  load.cpu(),
                  rig.scheduler().ask(it -> MeasuredScheduler.heapAfterCollection()) / MB,
                  rig.localStateBytes() / MB,
                  rig.sent().values().stream().mapToLong(Sent::bytes).sum() / MB));
          Progress.say(String.valueOf(notes.get("beside it")));
        });
    Map<String, Sent> before = rig.sent();
    Attempt<Herded> herd =
        Attempt.at(
            "Waterclock, herd",
            () -> {
              Herded herded = trial.herd("herd", count, rig::startProfile);
              rig.endProfile();
              return herded;
            });
    contents(before, rig.sent(), count, notes);
    return new Result(
        RigContender.WATERCLOCK,
        herd,
        Attempt.at("Waterclock, through", () -> trial.through("thru", count)));
  }

  /** The broker's logs have everything that was sent before the last record was seen, or nearly. */
  private static void contents(
      Map<String, Sent> before, Map<String, Sent> after, int count, Map<String, String> notes) {
    after.forEach(
        (topic, so) -> {
          Sent more = so.since(before.getOrDefault(topic, Sent.NOTHING));
          if (more.records() >= count / 100) {
            notes.put(
                "each takes in " + topic,
                "%.2f records, %.0f bytes"
                    .formatted(1.0 * more.records() / count, 1.0 * more.bytes() / count));
          }
        });
  }

  private static Result measured(String name, Callable<Trial> start, int count) {
    List<Attempt<Herded>> through = new ArrayList<>();
    Attempt<Herded> herd =
        Attempt.at(
            name,
            () -> {
              try (Trial trial = start.call()) {
                trial.warmUp(Math.max(1, count / WARM_PARTS));
                Herded herded = trial.herd("herd", count, () -> {});
                through.add(Attempt.at(name + ", through", () -> trial.through("thru", count)));
                return herded;
              } catch (RuntimeException e) {
                throw e;
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    return new Result(name, herd, through.isEmpty() ? herd : through.get(0));
  }

  private static void report(List<Result> results, Report report) {
    for (Result result : results) {
      result.herd().flaw().ifPresent(flaw -> report.with(result.name(), flaw));
      result.through().flaw().ifPresent(flaw -> report.with(result.name() + ", both", flaw));
    }
    report.each(
        "in, until they wait",
        results,
        herd(
            herded ->
                herded.load().elapsed().toMillis() < 10
                    ? Report.NONE
                    : herded.load().schedules() * 1e3 / herded.load().elapsed().toMillis()),
        "records/s");
    report.each(
        "out, from the instant on", results, herd(herded -> herded.drain().rate()), "records/s");
    report.each(
        "in and out at a time",
        results,
        result -> result.through().figureOrWord(herded -> herded.drain().rate()),
        "records/s");
    report.each(
        "arrived early", results, herd(herded -> (double) herded.drain().early()), "records");
    report.add(
        "CPU of server + scheduler + bench, in",
        results.stream().map(herd(herded -> herded.load().cpu().toString())).toList());
    report.add(
        "the same, out", results.stream().map(herd(herded -> herded.cpu().toString())).toList());
  }

  private static Function<Result, Object> herd(Function<Herded, ?> figure) {
    return result -> result.herd().figureOrWord(figure);
  }
}
