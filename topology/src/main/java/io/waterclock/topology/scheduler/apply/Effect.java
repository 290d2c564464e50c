package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.store.CalendarStore;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ExecutedCommand;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A change that admission asks for. Only {@link Applier#apply(Effect)} carries it out. */
public sealed interface Effect {
  record Send(Outgoing record) implements Effect {}

  /**
   * Sends the records of a decision, and stores the state after it.
   *
   * @param before empty when the schedule did not exist
   */
  record Decided(Optional<ScheduleState> before, EncodedDecision decision) implements Effect {}

  /**
   * Remembers the timestamp and the offset of a removed schedule's last write; an earlier write
   * changes nothing.
   *
   * @param through the offset of the tombstone, or of the definition where there is none
   * @param decided the progress of the ended life
   */
  record RememberRemoved(
      ScheduleId id, Instant writtenAt, long through, EarlierLives decided, Instant now)
      implements Effect {}

  /**
   * Forgets removed schedules.
   *
   * @param bounds for these and all forgotten before
   */
  record ForgetRemoved(List<StrayStore.Row> rows, StrayStore.Forgotten bounds) implements Effect {}

  record RememberCommand(ScheduleId id, String commandId, ExecutedCommand command)
      implements Effect {}

  /**
   * Forgets executed commands.
   *
   * @param writtenThrough inclusive: no forgotten command was written later
   */
  record ForgetCommands(List<CommandStore.Row> rows, Instant writtenThrough) implements Effect {}

  /** Stores a record that cannot be admitted yet. */
  record Hold(HeldRecordStore.Until until, HeldRecordStore.Row record) implements Effect {}

  /** Deletes a held record of a size in bytes. */
  record Release(HeldRecordStore.Until until, long seq, int size) implements Effect {}

  /** Stores how far the records of a topic are taken. */
  record Taken(String topic, StrayStore.Taken taken) implements Effect {}

  record PutCalendar(String name, CalendarStore.Row row) implements Effect {}

  /** Forgets a version of a calendar. */
  record DeleteCalendar(String name, long seq) implements Effect {}
}
