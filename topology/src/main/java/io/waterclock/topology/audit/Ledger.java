package io.waterclock.topology.audit;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Everything that is written about one schedule. Not thread-safe. */
final class Ledger {
  private final Map<String, Revision> revisions = new LinkedHashMap<>();
  private final Map<String, List<Missed>> missed = new HashMap<>();
  private final Map<String, Instants> fires = new HashMap<>();
  private Optional<Instant> heldSince = Optional.empty();
  private Optional<String> current = Optional.empty();

  /** Written when it begins and again when it ends: what is known of the end stays known. */
  void add(Revision revision) {
    revisions.merge(
        revision.getRevision(),
        revision,
        (known, written) -> written.getEndedBy() == null ? known : written);
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

  /** The newest one counts. A schedule that is held decides nothing until it goes on. */
  void add(ScheduleStatus status) {
    boolean isHeld = status.getState() == State.PAUSED || status.getState() == State.FAULTED;
    heldSince = isHeld ? Optional.of(status.getSince()) : Optional.empty();
    current = Optional.ofNullable(status.getRevision());
  }

  /** The schedule is no more, and so not held. */
  void statusDeleted() {
    heldSince = Optional.empty();
    current = Optional.empty();
  }

  Optional<Instant> heldSince() {
    return heldSince;
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
    current.ifPresent(names::add);
    names.removeAll(revisions.keySet());
    return List.copyOf(names);
  }
}
