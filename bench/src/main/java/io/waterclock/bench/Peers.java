package io.waterclock.bench;

import io.waterclock.bench.Contest.Entrant;
import io.waterclock.bench.Contest.Result;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerMain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Waterclock beside the schedulers that one would pick instead. */
@Command(
    name = "peers",
    description =
        "Waterclock, db-scheduler, Quartz and JobRunr, one after the other, put to the same work:"
            + " schedules that are due once, evenly or all at one instant.",
    mixinStandardHelpOptions = true)
final class Peers implements Callable<Integer> {
  private static final List<String> PEER_JVM = List.of("-Xmx1g");

  @Mixin private PlotOptions options = new PlotOptions();

  @Option(
      names = "--peers",
      split = ",",
      description = "Which of ${COMPLETION-CANDIDATES}; default all.")
  private List<PeerKind> peers = Arrays.asList(PeerKind.values());

  @Mixin private EvenLoad load = new EvenLoad();

  @Option(
      names = "--herd",
      description =
          "Size of Waterclock's herd; default 200000, with --quick 20000. Those of the peers are"
              + " smaller, so that they drain in bearable time, with --quick a quarter of that.")
  private Optional<Integer> herd = Optional.empty();

  @Override
  public Integer call() {
    Contest contest = new Contest(load.rate(), load.warm(options), load.counted(options));
    List<Result> results = new ArrayList<>();
    String database;
    try (Directory dir = Directory.of(options.dir());
        Postgres postgres = Postgres.start(dir.path())) {
      database = postgres.configuration();
      results.add(
          contest.hold(
              new Entrant(
                  WaterclockContender.NAME,
                  "its defaults, but for what the scheduler above says",
                  true,
                  () -> WaterclockContender.start(options)),
              options.size(herd, 200_000, 20_000)));
      for (PeerKind kind : peers) {
        Entrant entrant =
            new Entrant(
                kind.title(),
                PeerMain.configuration(kind),
                kind.isDurable(),
                () -> PeerContender.start(kind, postgres, PEER_JVM, dir.path()));
        results.add(contest.hold(entrant, options.quick() ? kind.herd() / 4 : kind.herd()));
      }
    }
    List<String> names = results.stream().map(result -> result.entrant().name()).toList();
    Report report = new Report("peers: the same work for each", options, names);
    report.with(
        "lateness",
        String.format(
            "%,d fires/s for %d s after a warm-up of %d s, open loop",
            load.rate(), contest.counted().toSeconds(), contest.warm().toSeconds()));
    report.with("schedules", "due once, defined beforehand");
    report.with("seen", "Waterclock: by a read_committed consumer; peers: where the job runs");
    report.with("peers", "own processes, " + String.join(" ", PEER_JVM) + "; a job notes the time");
    report.with("database", database);
    contest.tell(results, report);
    report.publish(System.out, options);
    return results.get(0).isWhole() ? 0 : 1;
  }
}
