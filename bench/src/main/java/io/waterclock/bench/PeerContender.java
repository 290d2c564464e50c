package io.waterclock.bench;

import io.waterclock.bench.peer.Durability;
import io.waterclock.bench.peer.PeerKind;
import io.waterclock.bench.peer.PeerMain;
import io.waterclock.bench.peer.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A peer in a process of its own, on a new database of its own if it needs one. It remembers when
 * its schedules ran, and the listener hears of them when all have and there was time for some to
 * run again, or when the deadline is past.
 */
final class PeerContender implements Contender {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final PeerKind kind;
  private final Optional<Postgres> postgres;
  private final Path runs;
  private final Child peer;
  private Optional<CpuTimes> cpuWhenDone = Optional.empty();
  private FireListener listener = (number, dueMs, seenUs) -> {};

  private PeerContender(PeerKind kind, Optional<Postgres> postgres, Path runs, Child peer) {
    this.kind = kind;
    this.postgres = postgres;
    this.runs = runs;
    this.peer = peer;
  }

  /**
   * @param parent where it gets a directory of its own
   */
  static PeerContender start(PeerKind kind, List<String> jvm, Path parent) {
    Path dir;
    try {
      dir = Files.createTempDirectory(parent, kind.name());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Optional<Postgres> postgres =
        kind.durability() == Durability.NOTHING
            ? Optional.empty()
            : Optional.of(Postgres.start(dir, kind.durability() == Durability.MACHINE));
    try {
      Child peer =
          Child.start(
              PeerMain.class,
              jvm,
              List.of(kind.name(), postgres.map(Postgres::url).orElse("none")),
              dir.resolve("peer.log"));
      return new PeerContender(kind, postgres, dir.resolve("runs"), peer);
    } catch (RuntimeException e) {
      postgres.ifPresent(Postgres::close);
      throw e;
    }
  }

  /** How its database is configured; empty when it has none. */
  Optional<String> database() {
    return postgres.map(Postgres::configuration);
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
    while (Integer.parseInt(peer.ask("ran")) < fires && CLOCK.instant().isBefore(deadline)) {
      Await.instant(CLOCK.instant().plus(PAUSE));
    }
    cpuWhenDone = Optional.of(cpuNow());
    Await.instant(CLOCK.instant().plus(Trial.STRAGGLERS));
    peer.ask("runs " + Commands.word(runs));
    try {
      for (Runs.Run run : Runs.read(runs)) {
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

  /** As it was when all had run, once they have: nobody else waits for some to run again. */
  @Override
  public CpuTimes cpu() {
    return cpuWhenDone.orElseGet(this::cpuNow);
  }

  private CpuTimes cpuNow() {
    return CpuTimes.of(postgres.map(Postgres::cpu).orElse(Duration.ZERO), peer.handle());
  }

  @Override
  public void close() {
    peer.close();
    postgres.ifPresent(Postgres::close);
  }
}
