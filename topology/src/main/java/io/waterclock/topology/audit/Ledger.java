package io.waterclock.topology.audit;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Everything that is written about one schedule. Not thread-safe. */
final class Ledger {
  private final Map<String, Revision> revisions = new LinkedHashMap<>();
  private final Map<String, List<Missed>> missed = new HashMap<>();
  private final Map<String, Instants> fires = new HashMap<>();
  private final Set<String> begunEarlier = new HashSet<>();
  private final List<Hold> holds = new ArrayList<>();
  private Optional<ScheduleStatus> current = Optional.empty();

  /**
   * A time in which nothing is decided.
   *
   * @param until empty while it lasts
   */
  private record Hold(Instant since, Optional<Instant> until) {
    boolean isOpen() {
      return until.isEmpty();
    }
  }

  /** Written when it begins and again when it ends: what is known of the end stays known. */
  void add(Revision revision) {
    revisions.merge(revision.getRevision(), revision, Ledger::merged);
  }

  /** The record of the end tells when that was written, not the acceptance. */
  private static Revision merged(Revision known, Revision written) {
    if (written.getEndedBy() == null) {
      return known;
    }
    return Revision.newBuilder(written).setAcceptedAt(known.getAcceptedAt()).build();
  }

  /** One whose beginning is not known, only that it was before this one says. */
  void addInForce(Revision revision) {
    revisions.put(revision.getRevision(), revision);
    begunEarlier.add(revision.getRevision());
  }

  /** The part of a window in which an outcome that is not a revision's own is wrong. */
  Window known(Revision revision, Window window) {
    return begunEarlier.contains(revision.getRevision())
        ? window.and(new Window(revision.getOwnsAfter(), Instant.MAX))
        : window;
  }

  void add(Missed range) {
    missed.computeIfAbsent(range.getRevision(), name -> new ArrayList<>()).add(range);
  }

  /** What commands ordered is beside the account. */
  void add(Fire fire) {
    if (fire.getCause() != Cause.TRIGGERED && fire.getCause() != Cause.BACKFILL) {
      fires
          .computeIfAbsent(fire.getRevision(), name -> new Instants())
          .add(fire.getOccurrence().toEpochMilli());
    }
  }

  /** A schedule that is held decides nothing until it goes on. */
  void add(ScheduleStatus status) {
    boolean isHeld = status.getState() == State.PAUSED || status.getState() == State.FAULTED;
    boolean wasHeld = !holds.isEmpty() && holds.get(holds.size() - 1).isOpen();
    if (isHeld && wasHeld) {
      Instant since = holds.remove(holds.size() - 1).since();
      Instant earlier = beginning(status); // a pause may have been written before it was read
      holds.add(new Hold(since.isBefore(earlier) ? since : earlier, Optional.empty()));
    } else if (isHeld) {
      holds.add(new Hold(beginning(status), Optional.empty()));
    } else if (wasHeld) {
      Hold last = holds.remove(holds.size() - 1);
      holds.add(new Hold(last.since(), Optional.of(status.getSince())));
    }
    current = Optional.of(status);
  }

  private static Instant beginning(ScheduleStatus status) {
    return Optional.ofNullable(status.getPause())
        .map(CommandedPause::getSince)
        .filter(status.getSince()::isAfter)
        .orElse(status.getSince());
  }

  /** The schedule is no more, and so not held. */
  void statusDeleted() {
    holds.clear();
    current = Optional.empty();
  }

  /**
   * From when on occurrences may be undecided because the schedule was held. What a hold has kept
   * is decided after its end, so that has to lie within the window.
   */
  Optional<Instant> heldSince(Window window) {
    return holds.stream()
        .filter(hold -> hold.until().filter(end -> !end.isAfter(window.through())).isEmpty())
        .map(Hold::since)
        .min(Comparator.naturalOrder());
  }

  /** What is in force, when its own record is gone. */
  Optional<ScheduleStatus> unknownInForce() {
    return current.filter(
        status -> currentRevision().filter(name -> !revisions.containsKey(name)).isPresent());
  }

  private Optional<String> currentRevision() {
    return current.map(ScheduleStatus::getRevision);
  }

  List<Missed> missed(String revision) {
    return missed.getOrDefault(revision, List.of());
  }

  Instants fires(String revision) {
    return fires.getOrDefault(revision, new Instants());
  }

  /** From each definition to the next delete, in the order of their acceptance. */
  List<List<Revision>> lives() {
    List<List<Revision>> lives = new ArrayList<>();
    boolean isOver = true;
    for (Revision revision : revisions.values()) {
      if (isOver) {
        lives.add(new ArrayList<>());
      }
      lives.get(lives.size() - 1).add(revision);
      isOver = revision.getEndedBy() == RevisionEnd.DELETED;
    }
    return lives;
  }

  /** Revisions that are in force or that something became of, but whose own record is gone. */
  List<String> unknown() {
    TreeSet<String> names = new TreeSet<>(missed.keySet());
    names.addAll(fires.keySet());
    currentRevision().ifPresent(names::add);
    names.removeAll(revisions.keySet());
    return List.copyOf(names);
  }
}
