package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import java.time.Instant;
import java.util.Optional;

/**
 * A definition or delete at home, with everything that its admission depends on.
 *
 * @param isAtHome true for a record in the partition of its key
 * @param isStray true for a record that was produced in another partition
 * @param origin the revision that the record corrects; present when its header says that the
 *     scheduler wrote it
 * @param state of its schedule; empty when the schedule does not exist
 * @param removed the memory of a removed schedule
 */
record Arrival(
    Inbound inbound,
    Event event,
    boolean isAtHome,
    boolean isStray,
    Optional<String> origin,
    Optional<ScheduleState> state,
    Optional<RemovedSchedule> removed) {

  /**
   * What follows from the arrival of a record. Last-write-wins by timestamp, with three exceptions
   * that {@link Arrival#consequence} lists.
   */
  sealed interface Consequence {
    /** The task admitted the record before. */
    record Known() implements Consequence {}

    /** The rules decide. */
    record Decide() implements Consequence {}

    /** The scheduler must write the definition in force to the topic again. */
    record RestoreDefinition() implements Consequence {}

    /**
     * The scheduler must write the tombstone to the topic again.
     *
     * @param revision the definition that the tombstone is meant for
     */
    record RestoreRemoval(String revision, Instant removedAt) implements Consequence {}

    /** The schedule is removed, and its state was lost: remember when it was removed. */
    record RememberRemoval() implements Consequence {}

    /**
     * A newer record was admitted while the stray was on its way.
     *
     * @param correction writes that record to the topic again
     */
    record Overtaken(Optional<Consequence> correction) implements Consequence {}
  }

  /**
   * Decides what follows. Pure.
   *
   * <ol>
   *   <li>A record that was read before changes nothing: after an outage in which Kafka forgot the
   *       committed offsets, the whole partition is read again. The start checks that the topic is
   *       still the same, so offsets mean what they meant.
   *   <li>A record that the scheduler wrote itself, such as the tombstone of a completed schedule
   *       or a correction, counts only if nothing changed since. Otherwise the topic is corrected
   *       once more. Where the state was lost it counts like any record. A user may forge the
   *       header: the record is then admitted like one without it, or corrected.
   *   <li>A stray loses against a newer record that was admitted while it was on its way.
   * </ol>
   */
  Consequence consequence() {
    if (isReadAgain()) {
      return new Consequence.Known();
    }
    if (origin.isPresent()) {
      return ownRecord(origin.get());
    }
    return isStray && isOvertaken()
        ? new Consequence.Overtaken(correction())
        : new Consequence.Decide();
  }

  private Optional<Instant> lastWrite() {
    return LastWrites.of(state, removed);
  }

  private boolean isTombstone() {
    return inbound.value().isEmpty();
  }

  private boolean isReadAgain() {
    if (state.isEmpty()) {
      return isAtHome && removed.filter(gone -> inbound.offset() <= gone.through()).isPresent();
    }
    String inForce = state.get().current().revision();
    return inForce.startsWith(inbound.topic() + "-")
        && inbound.offset() <= Inbound.offsetAt(inbound.partition(), inForce);
  }

  private Consequence ownRecord(String revision) {
    if (state.isPresent()) {
      if (!state.get().current().revision().equals(revision)) {
        return new Consequence.RestoreDefinition();
      }
      return isTombstone() || !repeatsDefinition()
          ? new Consequence.Decide()
          : new Consequence.Known();
    }
    if (isTombstone()) {
      return new Consequence.RememberRemoval();
    }
    return lastWrite()
        .filter(at -> !at.isBefore(inbound.timestamp()))
        .<Consequence>map(at -> new Consequence.RestoreRemoval(revision, at))
        .orElseGet(Consequence.Decide::new);
  }

  private boolean repeatsDefinition() {
    return event instanceof Event.Defined defined
        && defined.schedule().equals(state.orElseThrow().current().schedule());
  }

  /**
   * A tie does not overtake the stray: {@link LastWrites#compare} has let it in, and what it tied
   * with since may be the stray itself, said again. But a stray that is as old as the last write of
   * a removed schedule does not bring it back: the last write may be the stray itself.
   */
  private boolean isOvertaken() {
    return lastWrite()
        .filter(
            last ->
                state.isPresent()
                    ? last.isAfter(inbound.timestamp())
                    : !last.isBefore(inbound.timestamp()))
        .isPresent();
  }

  private Optional<Consequence> correction() {
    if (state.isPresent()) {
      return Optional.of(new Consequence.RestoreDefinition());
    }
    return isTombstone()
        ? Optional.empty()
        : lastWrite().map(at -> new Consequence.RestoreRemoval(inbound.revision(), at));
  }
}
