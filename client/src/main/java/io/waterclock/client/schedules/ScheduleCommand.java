package io.waterclock.client.schedules;

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
 * A command to one schedule, with what may go with it. Executed once per id: an order that is sent
 * twice is done once, so one that was not answered can be sent again as it is.
 *
 * <pre>{@code
 * schedules.command("reports/daily", Order.pause("deploying 4.2", "ann").expecting(revision));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class ScheduleCommand {
  private final String id;
  private final SpecificRecordBase action;
  private final Optional<String> expectedRevision;

  private ScheduleCommand(String id, SpecificRecordBase action, Optional<String> expectedRevision) {
    this.id = id;
    this.action = action;
    this.expectedRevision = expectedRevision;
  }

  private static ScheduleCommand of(SpecificRecordBase action) {
    return new ScheduleCommand(UUID.randomUUID().toString(), action, Optional.empty());
  }

  /** Holds the schedule until it is resumed; definitions that come meanwhile are held, too. */
  public static ScheduleCommand pause() {
    return of(new PauseCommand());
  }

  /**
   * The same, saying why and who.
   *
   * @param note at most 1,000 characters
   * @param author at most 255 characters
   */
  public static ScheduleCommand pause(String note, String author) {
    return of(new PauseCommand(note, author));
  }

  /** Ends a pause; what occurred in it is missed. */
  public static ScheduleCommand resume() {
    return of(ResumeCommand.newBuilder().build());
  }

  /** The same, saying why and who; bounds as of {@link #pause(String, String)}. */
  public static ScheduleCommand resume(String note, String author) {
    return of(ResumeCommand.newBuilder().setNote(note).setAuthor(author).build());
  }

  /** Ends a pause, and fires once for what occurred in it. */
  public static ScheduleCommand resumeAndFireOnce() {
    return of(ResumeCommand.newBuilder().setOnResume(OnResume.FIRE_ONCE).build());
  }

  /** Fires once now, beside the occurrences. */
  public static ScheduleCommand trigger() {
    return of(new TriggerCommand());
  }

  /** The same with another payload than the schedule's; its media type stays the schedule's. */
  public static ScheduleCommand trigger(byte[] payload) {
    return of(new TriggerCommand(ByteBuffer.wrap(payload.clone())));
  }

  /**
   * Fires the occurrences of a past range once more, with the ids that they have.
   *
   * @param from inclusive
   * @param to exclusive
   * @throws IllegalArgumentException if the range is empty
   */
  public static ScheduleCommand backfill(Instant from, Instant to) {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "a backfill from " + from + " to " + to + " is empty: to must be after from");
    }
    return of(new BackfillCommand(from, to));
  }

  /**
   * Stops a backfill.
   *
   * @param commandId of the order for it, as {@link Answer.Accepted#commandId} tells it
   */
  public static ScheduleCommand cancelBackfill(String commandId) {
    return of(new CancelBackfillCommand(commandId));
  }

  /** Leaves out one occurrence to come. */
  public static ScheduleCommand skip(Instant occurrence) {
    return of(new SkipCommand(occurrence));
  }

  /** Takes a {@link #skip} back. */
  public static ScheduleCommand unskip(Instant occurrence) {
    return of(new UnskipCommand(occurrence));
  }

  /** Asks for the next so many occurrences of the schedule, and does nothing. */
  static ScheduleCommand next(int count) {
    return of(new NextCommand(count));
  }

  /** The same, but only if this revision is in force; {@link Answer.Conflict} if it is not. */
  public ScheduleCommand expecting(String revision) {
    return new ScheduleCommand(id, action, Optional.of(revision));
  }

  /**
   * The same under an id of your own, such as that of the event which has led to it: then it is
   * done once, however often that event is processed.
   *
   * @throws InvalidIdException unless it has 1 to 255 characters, none of them a control character
   */
  public ScheduleCommand withId(String commandId) {
    FireKey.checkCommandId(commandId);
    return new ScheduleCommand(commandId, action, expectedRevision);
  }

  /** The command id; a random one unless {@link #withId} has set it. */
  public String id() {
    return id;
  }

  Command command() {
    return new Command(id, action, expectedRevision.orElse(null));
  }

  @Override
  public String toString() {
    return action.getSchema().getName() + " " + id;
  }
}
