package io.waterclock.client.schedules;

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
 * All that the topics schedules, status and revisions say of one schedule. Changes that are not
 * taken up yet are not in it, but for the definition.
 *
 * @param definition the newest record of it, accepted or not
 * @param status empty while no scheduler has taken it up
 * @param revision the newest accepted definition, while its topic retains it
 * @param knownSince when it was first accepted since it was last deleted; empty: longer ago than
 *     the topic of revisions goes back
 */
public record KnownSchedule(
    String id,
    Optional<WrittenDefinition> definition,
    Optional<ScheduleStatus> status,
    Optional<Revision> revision,
    Optional<Instant> knownSince) {

  /** One of which nothing is known. */
  public static KnownSchedule of(String id) {
    return new KnownSchedule(
        id, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The same with another newest record. */
  public KnownSchedule with(Optional<WrittenDefinition> newDefinition) {
    return new KnownSchedule(id, newDefinition, status, revision, knownSince);
  }

  /** The same with another status. */
  public KnownSchedule withStatus(Optional<ScheduleStatus> newStatus) {
    return new KnownSchedule(id, definition, newStatus, revision, knownSince);
  }

  /** The same after what the revisions topic says next. */
  public KnownSchedule withRevision(Revision newRevision) {
    RevisionEnd end = newRevision.getEndedBy();
    Optional<Instant> since =
        end == null
            ? knownSince.or(() -> Optional.of(newRevision.getAcceptedAt()))
            : knownSince.filter(known -> end == RevisionEnd.REPLACED);
    return new KnownSchedule(id, definition, status, Optional.of(newRevision), since);
  }

  /** Whether there is anything but traces of a schedule that was deleted. */
  public boolean exists() {
    return definition.isPresent() || status.isPresent();
  }

  /** Its state of life; empty while no scheduler has taken it up. */
  public Optional<State> state() {
    return status.map(ScheduleStatus::getState);
  }

  /** Whether the newest record was refused; an older one may be in force. */
  public boolean newestIsRejected() {
    return definition.isPresent()
        && status
            .map(ScheduleStatus::getRejectedRevision)
            .filter(definition.get().revision()::equals)
            .isPresent();
  }

  /** The revision in force, if its topic still has it. */
  public Optional<Revision> currentRevision() {
    return revision.filter(
        accepted ->
            status.isPresent()
                && Objects.equals(accepted.getRevision(), status.get().getRevision()));
  }

  /** The definition in force, or the newest one where none is or none is known. */
  public Optional<Schedule> schedule() {
    return currentRevision()
        .map(Revision::getSchedule)
        .or(() -> definition.flatMap(WrittenDefinition::schedule));
  }

  /** The occurrences that the definition or a command leaves out. */
  public Set<Instant> skips() {
    Set<Instant> skips = new HashSet<>();
    schedule().map(Schedule::getSkip).ifPresent(skips::addAll);
    status.map(ScheduleStatus::getSkips).ifPresent(skips::addAll);
    return skips;
  }
}
