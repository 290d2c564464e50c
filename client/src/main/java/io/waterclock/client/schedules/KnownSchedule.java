package io.waterclock.client.schedules;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OverdueExpectation;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.WalkProgress;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The data of one schedule in the topics schedules, status and revisions. It does not contain
 * changes that the scheduler has not handled yet, except for the definition.
 *
 * @param definition the newest definition, accepted or not
 * @param status the schedule's status; empty until a scheduler has handled the definition
 * @param revision the newest accepted definition, while its topic retains it
 * @param next when it fires next; empty if nothing has computed it
 * @param knownSince when the scheduler first accepted it after its last delete; empty if that is
 *     older than the topic of revisions
 */
public record KnownSchedule(
    String id,
    Optional<WrittenDefinition> definition,
    Optional<ScheduleStatus> status,
    Optional<Revision> revision,
    Optional<Instant> knownSince,
    Optional<NextFire> next) {

  /**
   * When a schedule fires next, as a reader that knows its calendars has computed it.
   *
   * @param at empty: never
   */
  public record NextFire(Optional<Instant> at) {
    public static final NextFire NEVER = new NextFire(Optional.empty());

    public static NextFire at(Instant instant) {
      return new NextFire(Optional.of(instant));
    }
  }

  /** The same without a computed next fire. */
  public KnownSchedule(
      String id,
      Optional<WrittenDefinition> definition,
      Optional<ScheduleStatus> status,
      Optional<Revision> revision,
      Optional<Instant> knownSince) {
    this(id, definition, status, revision, knownSince, Optional.empty());
  }

  /** A copy with its next fire. */
  public KnownSchedule with(NextFire computed) {
    return new KnownSchedule(id, definition, status, revision, knownSince, Optional.of(computed));
  }

  /** A schedule without data. */
  public static KnownSchedule of(String id) {
    return new KnownSchedule(
        id, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** A copy with another newest definition. */
  public KnownSchedule with(Optional<WrittenDefinition> newDefinition) {
    return new KnownSchedule(id, newDefinition, status, revision, knownSince, next);
  }

  /** A copy with another status. */
  public KnownSchedule withStatus(Optional<ScheduleStatus> newStatus) {
    return new KnownSchedule(id, definition, newStatus, revision, knownSince, next);
  }

  /** A copy after the next record of the revisions topic. */
  public KnownSchedule withRevision(Revision newRevision) {
    RevisionEnd end = newRevision.getEndedBy();
    Optional<Instant> since =
        end == null
            ? knownSince.or(() -> Optional.of(newRevision.getAcceptedAt()))
            : knownSince.filter(known -> end == RevisionEnd.REPLACED);
    return new KnownSchedule(id, definition, status, Optional.of(newRevision), since, next);
  }

  /** False if only traces of a deleted schedule are left. */
  public boolean exists() {
    return definition.isPresent() || status.isPresent();
  }

  /**
   * The schedule's state; empty until a scheduler has handled the definition. A record whose key is
   * no valid id is REJECTED: the scheduler keeps no status of it.
   */
  public Optional<State> state() {
    return status
        .map(ScheduleStatus::getState)
        .or(() -> hasValidId() ? Optional.empty() : Optional.of(State.REJECTED));
  }

  /** Present while its fires fail, as the scheduler has counted. */
  public Optional<FailingFires> failing() {
    return status.map(ScheduleStatus::getFailing);
  }

  /** What is expected of its runs and has not come true. */
  public List<OverdueExpectation> overdue() {
    return status.map(ScheduleStatus::getOverdue).orElse(List.of());
  }

  /** False for a record whose key no schedule can have. */
  public boolean hasValidId() {
    try {
      ScheduleId.parse(id);
      return true;
    } catch (InvalidIdException e) {
      return false;
    }
  }

  /** Whether the scheduler has rejected the newest definition; an older one may be in force. */
  public boolean newestIsRejected() {
    return definition.isPresent()
        && status
            .map(ScheduleStatus::getRejectedRevision)
            .filter(definition.get().revision()::equals)
            .isPresent();
  }

  /** The revision in force, if its topic still retains it. */
  public Optional<Revision> currentRevision() {
    return revision.filter(
        accepted ->
            status.isPresent()
                && Objects.equals(accepted.getRevision(), status.get().getRevision()));
  }

  /**
   * The definition in force, or the newest one if none is in force or known. That of a delayed
   * record has its content unless {@link #lacksContent}.
   */
  public Optional<Schedule> schedule() {
    return currentRevision()
        .map(
            accepted ->
                TargetRecord.isDelayed(accepted.getSchedule())
                    ? written(accepted).orElse(accepted.getSchedule())
                    : accepted.getSchedule())
        .or(() -> definition.flatMap(WrittenDefinition::schedule));
  }

  /**
   * True for a delayed record in force whose payload, key and headers are unknown: the revisions do
   * not have them, and the newest record of the topic schedules says something else.
   */
  public boolean lacksContent() {
    return currentRevision()
        .filter(accepted -> TargetRecord.isDelayed(accepted.getSchedule()))
        .filter(accepted -> written(accepted).isEmpty())
        .isPresent();
  }

  /**
   * The definition as it was written, with the time zone that the scheduler has added; or as it was
   * written again, which changes nothing.
   */
  private Optional<Schedule> written(Revision accepted) {
    Optional<Schedule> newest =
        definition
            .flatMap(WrittenDefinition::schedule)
            .map(
                whole ->
                    Schedule.newBuilder(whole)
                        .setTimezone(accepted.getSchedule().getTimezone())
                        .build());
    boolean isItself =
        definition.filter(one -> one.revision().equals(accepted.getRevision())).isPresent();
    return newest.filter(
        whole ->
            isItself
                || (!newestIsRejected()
                    && ScheduleSnapshot.withoutPayload(whole).equals(accepted.getSchedule())));
  }

  /**
   * False if {@link #schedule()} is only the newest record, which may have been rejected: the topic
   * revisions no longer retains the revision in force, and either the newest record is another one,
   * or it cannot be read here.
   */
  public boolean isDefinitionKnown() {
    if (definition.isEmpty() || currentRevision().isPresent()) {
      return true; // deleted, or known
    }
    boolean isReadable = definition.flatMap(WrittenDefinition::schedule).isPresent();
    if (status.isEmpty()) {
      return isReadable; // the scheduler has not read it yet
    }
    Optional<String> inForce = status.map(ScheduleStatus::getRevision);
    return inForce.isEmpty()
        || (isReadable && inForce.equals(definition.map(WrittenDefinition::revision)));
  }

  /** Whether {@link #schedule()} is present but perhaps not the one in force. */
  public boolean isUnsure() {
    return schedule().isPresent() && !isDefinitionKnown();
  }

  /**
   * Whether a fire carries an earlier definition than the one in force. False if none is in force.
   */
  public boolean isEarlierDefinition(Fire fire) {
    return status
        .map(ScheduleStatus::getRevision)
        .filter(inForce -> !inForce.equals(fire.getRevision()))
        .isPresent();
  }

  /**
   * When the watchdog last checked the schedule: the beginning of the last pass that has certainly
   * checked it, between this instant and its own end. The scheduler stores no time for each
   * schedule: the time follows from the position of the pass, which checks ids in ascending order.
   *
   * @param progress the progress of the watchdog in the schedule's partition; empty if none is
   *     known
   * @return empty if no pass has certainly checked it yet
   */
  public Optional<Instant> checkedSince(Optional<WalkProgress> progress) {
    return progress
        .flatMap(this::lastPass)
        .filter(began -> knownSince.filter(began::isBefore).isEmpty());
  }

  private Optional<Instant> lastPass(WalkProgress progress) {
    boolean seen =
        progress.getEndedAt() != null
            || (progress.getReached() != null && id.compareTo(progress.getReached()) <= 0);
    return Optional.ofNullable(seen ? progress.getStartedAt() : progress.getPreviousStartedAt());
  }

  /** The occurrences that the definition or a command skips. */
  public Set<Instant> skips() {
    Set<Instant> skips = new HashSet<>();
    schedule().map(Schedule::getSkip).ifPresent(skips::addAll);
    status.map(ScheduleStatus::getSkips).ifPresent(skips::addAll);
    return skips;
  }
}
