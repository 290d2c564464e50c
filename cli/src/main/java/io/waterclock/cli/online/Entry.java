package io.waterclock.cli.online;

import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * All that the topics say of one schedule.
 *
 * @param revision the newest accepted definition, while its topic retains it
 * @param knownSince when it was first accepted since it was last deleted; empty: longer ago than
 *     the topic of revisions goes back
 */
record Entry(
    String id,
    Optional<Definition> definition,
    Optional<ScheduleStatus> status,
    Optional<Revision> revision,
    Optional<Instant> knownSince) {

  static Entry of(String id) {
    return new Entry(id, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  Entry with(Optional<Definition> newDefinition) {
    return new Entry(id, newDefinition, status, revision, knownSince);
  }

  Entry withStatus(Optional<ScheduleStatus> newStatus) {
    return new Entry(id, definition, newStatus, revision, knownSince);
  }

  Entry withRevision(Revision newRevision) {
    RevisionEnd end = newRevision.getEndedBy();
    Optional<Instant> since =
        end == null
            ? knownSince.or(() -> Optional.of(newRevision.getAcceptedAt()))
            : knownSince.filter(known -> end == RevisionEnd.REPLACED);
    return new Entry(id, definition, status, Optional.of(newRevision), since);
  }

  /** Whether there is anything but traces of a schedule that was deleted. */
  boolean exists() {
    return definition.isPresent() || status.isPresent();
  }

  Optional<State> state() {
    return status.map(ScheduleStatus::getState);
  }

  /** Whether the newest record was refused; an older one may be in force. */
  boolean newestIsRejected() {
    return definition.isPresent()
        && status
            .map(ScheduleStatus::getRejectedRevision)
            .filter(definition.get().revision()::equals)
            .isPresent();
  }

  /** The revision in force, if its topic still has it. */
  Optional<Revision> currentRevision() {
    return revision.filter(
        accepted ->
            status.isPresent()
                && Objects.equals(accepted.getRevision(), status.get().getRevision()));
  }

  /** The definition in force, or the newest one where none is or none is known. */
  Optional<Schedule> schedule() {
    return currentRevision()
        .map(Revision::getSchedule)
        .or(() -> definition.flatMap(Definition::schedule));
  }

  /** The occurrences that the definition or a command leaves out. */
  Set<Instant> skips() {
    Set<Instant> skips = new HashSet<>();
    schedule().map(Schedule::getSkip).ifPresent(skips::addAll);
    status.map(ScheduleStatus::getSkips).ifPresent(skips::addAll);
    return skips;
  }
}
