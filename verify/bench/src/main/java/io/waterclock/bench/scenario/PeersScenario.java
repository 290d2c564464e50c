package io.waterclock.bench.scenario;

import io.waterclock.bench.load.EvenLoad;
import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.load.ScheduleKind;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerKind.Durability;
import io.waterclock.bench.peer.PeerProcess;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Directory;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.scenario.Contest.Entrant;
import io.waterclock.bench.scenario.Contest.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Waterclock beside the schedulers that one would pick instead. */
@Command(
    name = "peers",
    description =
        "Waterclock, db-scheduler, Quartz, JobRunr, RocketMQ and Pulsar, one after the other, put to the"
            + " same work: schedules that are due once, evenly or all at one instant.",
    mixinStandardHelpOptions = true)
public final class PeersScenario implements Callable<Integer> {
  private static final List<String> PEER_JVM = Options.words(Options.HEAP);

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

  @Override
  public Integer call() {
    OpenLoop loop = load.loop(options, ScheduleKind.ONCE);
    peers.forEach(PeerProcess::classPath);
    Contest contest = new Contest(loop);
    options.partitions();
    int size = options.size("--herd", herd, 1_000_000, 20_000);
    List<Result> results = new ArrayList<>();
    Map<PeerKind, String> servers = new EnumMap<>(PeerKind.class);
    try (Directory dir = Directory.of(options.dir())) {
      results.add(
          contest.hold(
              new Entrant(
                  RigContender.WATERCLOCK,
                  "its defaults, but for what the scheduler above says",
                  Durability.PROCESS,
                  () -> start(options)),
              size));
      for (PeerKind kind : peers) {
        Entrant entrant =
            new Entrant(
                kind.title(),
                PeerProcess.configuration(kind),
                kind.durability(),
                () -> start(kind, dir.path(), servers));
        results.add(contest.hold(entrant, Math.min(size, kind.largestHerd())));
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
    contest.report(results, report);
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
}
