package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerProcess;
import io.waterclock.bench.peer.PeerRuns;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.Directory;
import io.waterclock.bench.run.Await;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A peer in a process of its own, on a new database of its own if it needs one. It records the runs
 * of its schedules. The listener receives them when all schedules have run and had time to run
 * again, or when the deadline is past.
 */
final class PeerContender implements Contender {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final PeerKind kind;
  private final Path dir;
  private final Child<PeerProcess> peer;
  private Optional<CpuTimes> cpuWhenDone = Optional.empty();
  private FireListener listener = (number, dueMs, seenUs) -> {};

  /**
   * @param parent where it gets a directory of its own
   */
  PeerContender(PeerKind kind, List<String> jvm, Path parent) {
    this(kind, jvm, parent, 0);
  }

  /**
   * @param parent where it gets a directory of its own
   * @param bytes that a message of a peer has at least
   */
  PeerContender(PeerKind kind, List<String> jvm, Path parent, int bytes) {
    this.kind = kind;
    this.dir = Directory.in(parent, kind.name());
    File place = dir.toFile();
    this.peer =
        Child.start(
            () -> PeerProcess.start(kind, place, bytes),
            Stream.concat(jvm.stream(), PeerProcess.classPath(kind).stream()).toList(),
            dir.resolve("peer.log"));
  }

  /** The configuration of its server; empty when it has none. */
  Optional<String> server() {
    return hasServer() ? Optional.of(peer.ask(PeerProcess::configuration)) : Optional.empty();
  }

  private boolean hasServer() {
    return kind.place() != PeerKind.Place.OWN_MEMORY;
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
    peer.tell(it -> it.define(work));
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {
    while (peer.ask(it -> PeerRuns.distinct()) < fires && Await.now().isBefore(deadline)) {
      Await.pass(PAUSE);
    }
    cpuWhenDone = Optional.of(cpuNow());
    Await.pass(Trial.STRAGGLERS);
    for (PeerRuns.Run run : peer.ask(it -> PeerRuns.all())) {
      listener.fired(run.number(), work.due(run.number()).toEpochMilli(), run.atUs());
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
    Optional<ProcessHandle> server =
        hasServer()
            ? ProcessHandle.of(Long.parseLong(peer.ask(PeerProcess::pid)))
            : Optional.empty();
    return CpuTimes.of(server.map(CpuTimes::withDescendants).orElse(Duration.ZERO), peer.handle());
  }

  @Override
  public void close() {
    peer.close();
  }
}
