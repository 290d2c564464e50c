package io.waterclock.client.rules;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;

/** A partition in a worker's hands in a trace, and what the model knows of it. */
final class Tenure {
  private final Source<Entry> source;
  private final long backlogEnd;
  private final Optional<Instant> aliveBefore;
  private final Instant takenOverAt;
  private final TreeSet<Long> unfinished = new TreeSet<>();
  private long position;
  private long lastTaken = -1;
  private Instant startsUntil = Instant.MAX;

  Tenure(
      Source<Entry> source,
      long position,
      long backlogEnd,
      Optional<Instant> aliveBefore,
      Instant takenOverAt) {
    this.source = source;
    this.position = position;
    this.backlogEnd = backlogEnd;
    this.aliveBefore = aliveBefore;
    this.takenOverAt = takenOverAt;
  }

  Source<Entry> source() {
    return source;
  }

  Optional<Instant> aliveBefore() {
    return aliveBefore;
  }

  long position() {
    return position;
  }

  void passed(long offset) {
    position = offset + 1;
  }

  void read(long offset) {
    unfinished.add(offset);
    passed(offset);
  }

  void settled(long offset) {
    unfinished.remove(offset);
  }

  long committable() {
    return unfinished.isEmpty() ? position : unfinished.first();
  }

  void took(long offset) {
    lastTaken = Math.max(lastTaken, offset);
  }

  long lastTaken() {
    return lastTaken;
  }

  void startUntil(Instant end) {
    startsUntil = end;
  }

  boolean startsAt(Instant at) {
    return at.isBefore(startsUntil);
  }

  /** The backlog rule, word for word. */
  Downtime.Fate fate(Entry entry) {
    Fire fire = entry.fire();
    boolean isBacklog =
        entry.offset() < backlogEnd
            && aliveBefore.map(alive -> fire.getFiredAt().isAfter(alive)).orElse(true)
            && fire.getDue().plusMillis(fire.getSchedule().getGraceMs()).isBefore(takenOverAt);
    if (!isBacklog || fire.getCause() != Cause.SCHEDULED) {
      return Downtime.Fate.RUN;
    }
    CatchUp catchUp = fire.getSchedule().getCatchUp();
    return catchUp == CatchUp.REPLAY
        ? Downtime.Fate.RUN
        : catchUp == CatchUp.SKIP ? Downtime.Fate.SKIP : Downtime.Fate.COLLAPSE;
  }
}
