package io.waterclock.client.rules;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/** The time in which a worker owns a partition in a trace, with the model's state. */
final class Tenure {
  private final AssignedPartition source;
  private final List<Downtime> downtimes;
  private final Instant takenOverAt;
  private final TreeSet<Long> unfinished = new TreeSet<>();
  private long position;
  private long lastTaken = -1;
  private Instant startsUntil = Instant.MAX;

  Tenure(AssignedPartition source, long position, List<Downtime> downtimes, Instant takenOverAt) {
    this.source = source;
    this.position = position;
    this.downtimes = downtimes;
    this.takenOverAt = takenOverAt;
  }

  AssignedPartition source() {
    return source;
  }

  List<Downtime> downtimes() {
    return downtimes;
  }

  Instant takenOverAt() {
    return takenOverAt;
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

  /** The backlog rule, written out. */
  Backlog.Fate fate(Entry entry) {
    Fire fire = entry.fire();
    boolean isBacklog =
        downtimes.stream().anyMatch(downtime -> isOf(downtime, entry.offset(), fire));
    if (!isBacklog || fire.getCause() != Cause.SCHEDULED) {
      return Backlog.Fate.RUN;
    }
    CatchUp catchUp = fire.getSchedule().getCatchUp();
    return catchUp == CatchUp.REPLAY
        ? Backlog.Fate.RUN
        : catchUp == CatchUp.SKIP ? Backlog.Fate.SKIP : Backlog.Fate.COLLAPSE;
  }

  private static boolean isOf(Downtime downtime, long offset, Fire fire) {
    return offset < downtime.end()
        && downtime.lastAlive().map(alive -> fire.getFiredAt().isAfter(alive)).orElse(true)
        && fire.getDue()
            .plusMillis(fire.getSchedule().getGraceMs())
            .isBefore(downtime.takenOverAt());
  }
}
