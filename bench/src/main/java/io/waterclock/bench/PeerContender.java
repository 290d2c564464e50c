package io.waterclock.bench;

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

/**
 * A peer in a process of its own, on a database that is empty at first. It remembers when its
 * schedules ran, and the listener hears of them once all have, or the deadline is past.
 */
final class PeerContender implements Contender {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final PeerKind kind;
  private final Postgres postgres;
  private final Path runs;
  private final Child peer;
  private FireListener listener = (number, dueMs, seenUs) -> {};

  private PeerContender(PeerKind kind, Postgres postgres, Path runs, Child peer) {
    this.kind = kind;
    this.postgres = postgres;
    this.runs = runs;
    this.peer = peer;
  }

  static PeerContender start(PeerKind kind, Postgres postgres, List<String> jvm, Path dir) {
    postgres.clear();
    Child peer =
        Child.start(
            PeerMain.class,
            jvm,
            List.of(kind.name(), postgres.url()),
            dir.resolve(kind.name() + ".log"));
    return new PeerContender(kind, postgres, dir.resolve(kind.name() + ".runs"), peer);
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
    peer.ask("define " + work.words());
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {
    while (Integer.parseInt(peer.ask("ran")) < fires && CLOCK.instant().isBefore(deadline)) {
      Await.instant(CLOCK.instant().plus(PAUSE));
    }
    peer.ask("runs " + runs);
    try {
      for (Runs.Run run : Runs.read(runs)) {
        listener.fired(run.number(), work.due(run.number()).toEpochMilli(), run.atUs());
      }
      Files.delete(runs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CpuTimes cpu() {
    return CpuTimes.of(kind.isDurable() ? postgres.cpu() : Duration.ZERO, peer.handle());
  }

  @Override
  public void close() {
    peer.close();
  }
}
