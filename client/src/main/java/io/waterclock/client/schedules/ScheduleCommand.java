package io.waterclock.client.schedules;

import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.UnskipCommand;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * A command to one schedule, with its options. The scheduler executes each command id once, so a
 * service may repeat a command that was not answered.
 *
 * <pre>{@code
 * schedules.command("reports/daily", ScheduleCommand.pause("deploying 4.2", "ann").expecting(revision));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class ScheduleCommand {
  private static final int MOST_RUNNING = 100;

  private final Command record;

  private ScheduleCommand(Command record) {
    this.record = record;
  }

  private static ScheduleCommand of(SpecificRecordBase action) {
    return new ScheduleCommand(
        Command.newBuilder().setCommandId(UUID.randomUUID().toString()).setAction(action).build());
  }

  /** Pauses the schedule until a resume; a new definition does not end the pause. */
  public static ScheduleCommand pause() {
    return of(PauseCommand.newBuilder().build());
  }

  /**
   * Pauses, with a reason and an author.
   *
   * @param note at most 1,000 characters
   * @param author at most 255 characters
   */
  public static ScheduleCommand pause(String note, String author) {
    return of(PauseCommand.newBuilder().setNote(note).setAuthor(author).build());
  }

  /**
   * Pauses as {@link #pause(String, String)} does, unless a command has paused the schedule
   * already: that pause stays as it is, with its note and author.
   */
  public static ScheduleCommand pauseUnlessPaused(String note, String author) {
    return of(PauseCommand.newBuilder().setNote(note).setAuthor(author).setKeep(true).build());
  }

  /** Ends a pause; the occurrences during the pause are missed. */
  public static ScheduleCommand resume() {
    return of(ResumeCommand.newBuilder().build());
  }

  /**
   * Resumes, with a reason and an author; the limits are those of {@link #pause(String, String)}.
   */
  public static ScheduleCommand resume(String note, String author) {
    return of(ResumeCommand.newBuilder().setNote(note).setAuthor(author).build());
  }

  /**
   * Ends the pause that has this note, and no other one: then the answer is {@link
   * Answer.Conflict}. After a pause of many schedules with a note of its own it resumes exactly
   * those.
   */
  public static ScheduleCommand resumeOf(String note) {
    return of(ResumeCommand.newBuilder().setExpectedNote(note).build());
  }

  /** Ends a pause, and fires once for the occurrences during the pause. */
  public static ScheduleCommand resumeAndFireOnce() {
    return of(ResumeCommand.newBuilder().setOnResume(OnResume.FIRE_ONCE).build());
  }

  /** Fires once now, in addition to the occurrences. */
  public static ScheduleCommand trigger() {
    return of(new TriggerCommand());
  }

  /**
   * Fires once now with an object as its payload, in the JSON of {@link JacksonMapper#standard};
   * the content type stays the schedule's.
   */
  public static ScheduleCommand trigger(Object payload) {
    return trigger(new Payloads(JacksonMapper.standard()).write(payload));
  }

  /** Fires once now with another payload; the content type stays the schedule's. */
  public static ScheduleCommand trigger(byte[] payload) {
    return of(new TriggerCommand(ByteBuffer.wrap(payload.clone())));
  }

  /**
   * Fires the occurrences of a past range again, with the same ids, the oldest first; see {@link
   * #newestFirst} and {@link #maxRunning}.
   *
   * @param from the beginning of the range, inclusive
   * @param to the end of the range, exclusive
   * @throws IllegalArgumentException if the range is empty
   */
  public static ScheduleCommand backfill(Instant from, Instant to) {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "a backfill from " + from + " to " + to + " is empty: to must be after from");
    }
    return of(BackfillCommand.newBuilder().setFrom(from).setTo(to).build());
  }

  /**
   * This backfill with the newest occurrence first.
   *
   * @throws IllegalStateException if it is no backfill
   */
  public ScheduleCommand newestFirst() {
    return with(BackfillCommand.newBuilder(asBackfill()).setNewestFirst(true).build());
  }

  /**
   * This backfill with a bound: no more than so many of its fires run at a time. A run ends with a
   * worker's report, or when its time-out is over.
   *
   * @param most 1 to 100
   * @throws IllegalStateException if it is no backfill
   */
  public ScheduleCommand maxRunning(int most) {
    if (most < 1 || most > MOST_RUNNING) {
      throw new IllegalArgumentException(
          most + " fires at a time: 1 to " + MOST_RUNNING + " are allowed");
    }
    return with(BackfillCommand.newBuilder(asBackfill()).setMaxRunning(most).build());
  }

  private BackfillCommand asBackfill() {
    if (record.getAction() instanceof BackfillCommand backfill) {
      return backfill;
    }
    throw new IllegalStateException(this + " is no backfill");
  }

  private ScheduleCommand with(BackfillCommand backfill) {
    return new ScheduleCommand(Command.newBuilder(record).setAction(backfill).build());
  }

  /**
   * Stops a backfill.
   *
   * @param commandId the id of its command, see {@link Answer.Accepted#commandId}
   */
  public static ScheduleCommand cancelBackfill(String commandId) {
    return of(new CancelBackfillCommand(commandId));
  }

  /** Skips one future occurrence. */
  public static ScheduleCommand skip(Instant occurrence) {
    return of(new SkipCommand(occurrence));
  }

  /** Undoes a {@link #skip}. */
  public static ScheduleCommand unskip(Instant occurrence) {
    return of(new UnskipCommand(occurrence));
  }

  /** Asks for the schedule's next occurrences, later than an instant, and changes nothing. */
  static ScheduleCommand next(int count, Optional<Instant> after) {
    return of(new NextCommand(count, after.orElse(null)));
  }

  /**
   * This command with a condition: if another revision is in force, the answer is {@link
   * Answer.Conflict}.
   */
  public ScheduleCommand expecting(String revision) {
    return new ScheduleCommand(Command.newBuilder(record).setExpectedRevision(revision).build());
  }

  /**
   * This command with a reason and an author, which histories show. Those of {@link #pause(String,
   * String)} and {@link #resume(String, String)} go before them.
   *
   * @param why at most 1,000 characters; empty for none
   * @param who at most 255 characters; empty for none
   */
  public ScheduleCommand saying(String why, String who) {
    return new ScheduleCommand(
        Command.newBuilder(record)
            .setNote(why.isEmpty() ? null : why)
            .setAuthor(who.isEmpty() ? null : who)
            .build());
  }

  /**
   * This command with your own id, for example the id of the event that caused it: the scheduler
   * then executes it once, however often the service processes the event.
   *
   * @throws InvalidIdException unless it has 1 to 255 characters, none of them a control character
   */
  public ScheduleCommand withId(String commandId) {
    FireKey.checkCommandId(commandId);
    return new ScheduleCommand(Command.newBuilder(record).setCommandId(commandId).build());
  }

  /** The command id; random unless {@link #withId} has set it. */
  public String id() {
    return record.getCommandId();
  }

  /** The record that a client writes, for those who send it by other ways; a copy. */
  public Command toRecord() {
    return Command.newBuilder(record).build();
  }

  @Override
  public String toString() {
    return ((SpecificRecordBase) record.getAction()).getSchema().getName() + " " + id();
  }
}
