package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.peer.Durability;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerMain;
import io.waterclock.bench.peer.PeerRuns;
import io.waterclock.bench.peer.PostgresProcess;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.ChildProtocol;
import io.waterclock.bench.rig.Directory;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Closing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A peer in a process of its own, on a new database of its own if it needs one. It records the runs
 * of its schedules. The listener receives them when all schedules have run and had time to run
 * again, or when the deadline is past.
 */
final class PeerContender implements Contender {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final PeerKind kind;
  private final Optional<PostgresProcess> postgres;
  private final Path runs;
  private final Child peer;
  private Optional<CpuTimes> cpuWhenDone = Optional.empty();
  private FireListener listener = (number, dueMs, seenUs) -> {};

  private PeerContender(PeerKind kind, Optional<PostgresProcess> postgres, Path runs, Child peer) {
    this.kind = kind;
    this.postgres = postgres;
    this.runs = runs;
    this.peer = peer;
  }

  /**
   * @param parent where it gets a directory of its own
   */
  static PeerContender start(PeerKind kind, List<String> jvm, Path parent) {
    Path dir = Directory.in(parent, kind.name());
    Optional<PostgresProcess> postgres =
        kind.durability() == Durability.NOTHING
            ? Optional.empty()
            : Optional.of(PostgresProcess.start(dir, kind.durability() == Durability.MACHINE));
    return Closing.onFailure(
        () -> postgres.ifPresent(PostgresProcess::close),
        () ->
            new PeerContender(
                kind,
                postgres,
                dir.resolve("runs"),
                Child.start(
                    PeerMain.class,
                    jvm,
                    List.of(kind.name(), postgres.map(PostgresProcess::url).orElse("none")),
                    dir.resolve("peer.log"))));
  }

  /** The configuration of its database; empty when it has none. */
  Optional<String> database() {
    return postgres.map(PostgresProcess::configuration);
  }

  @Override
  public String name() {
    return kind.title();
  }

  @Override
  public void listen(Work work, FireListener next) {
    listener = next;
  }

  @Override
  public void define(Work work) {
    cpuWhenDone = Optional.empty();
    peer.ask("define " + work.words());
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {
    while (Integer.parseInt(peer.ask("ran")) < fires && Await.now().isBefore(deadline)) {
      Await.pass(PAUSE);
    }
    cpuWhenDone = Optional.of(cpuNow());
    Await.pass(Trial.STRAGGLERS);
    peer.ask("runs " + ChildProtocol.word(runs));
    try {
      for (PeerRuns.Run run : PeerRuns.read(runs)) {
        listener.fired(run.number(), work.due(run.number()).toEpochMilli(), run.atUs());
      }
      Files.delete(runs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tables and indexes grow. */
  @Override
  public double loadMargin() {
    return 2;
  }

  /** After a work: up to its last first run. The wait for second runs does not count. */
  @Override
  public CpuTimes cpu() {
    return cpuWhenDone.orElseGet(this::cpuNow);
  }

  private CpuTimes cpuNow() {
    return CpuTimes.of(postgres.map(PostgresProcess::cpu).orElse(Duration.ZERO), peer.handle());
  }

  @Override
  public void close() {
    peer.close();
    postgres.ifPresent(PostgresProcess::close);
  }
}
