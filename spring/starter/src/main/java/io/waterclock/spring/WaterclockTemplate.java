package io.waterclock.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.schedules.BulkResult;
import io.waterclock.client.schedules.CalendarBuilder;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.schedules.Selector;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.spring.observe.Observations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Defines and controls schedules, with objects as payloads.
 *
 * <pre>{@code
 * waterclock.after("reminders/" + order.id(), Duration.ofDays(3), new Reminder(order.id()));
 * }</pre>
 *
 * <p>Inside a transaction of a {@code KafkaTemplate}, whether {@code executeInTransaction} or
 * {@code @Transactional}, the change is a part of it: the scheduler reads it after the commit, and
 * never if the transaction aborts. Without one, it is sent at once. Every method returns when the
 * change is handed to the producer; the first one waits for the brokers.
 *
 * <p>The bean {@link Schedules} has the methods that read. Thread-safe.
 */
public final class WaterclockTemplate {
  private final ChangeSender sender;
  private final PayloadMapper payloads;
  private final ObservationRegistry observations;

  /**
   * @param payloads how objects become payloads
   * @param observations receives an observation of each put
   */
  public WaterclockTemplate(
      ChangeSender sender, PayloadMapper payloads, ObservationRegistry observations) {
    this.sender = sender;
    this.payloads = payloads;
    this.observations = observations;
  }

  /** Defines or redefines a schedule. */
  public ScheduleChange put(String id, ScheduleBuilder definition) {
    return put(id, definition.build());
  }

  /** Defines or redefines a schedule with an object as its payload. */
  public ScheduleChange put(String id, ScheduleBuilder definition, Object payload) {
    return put(id, withPayload(definition, payload));
  }

  /** Fires once after this time; a timer that was put before keeps its instant. */
  public ScheduleChange after(String id, Duration time, Object payload) {
    return put(id, ScheduleBuilder.after(time), payload);
  }

  /** Fires once at this instant, immediately if it is in the past. */
  public ScheduleChange at(String id, Instant instant, Object payload) {
    return put(id, ScheduleBuilder.once(instant), payload);
  }

  /** Deletes a schedule; occurrences that have not fired do not fire. */
  public ScheduleChange delete(String id) {
    return sender.delete(id);
  }

  /**
   * Deletes every schedule that matches now, such as all reminders of an invoice that is paid: at
   * once and in no transaction. Completes with an answer for each of them. It reads the topics of
   * all schedules first, as {@link Schedules#delete(Selector)} says.
   *
   * @throws IllegalArgumentException for a selector of all schedules
   */
  public CompletableFuture<BulkResult> delete(Selector selector) {
    return sender.delete(selector);
  }

  /** Pauses a schedule until a resume; a put does not end the pause. */
  public ScheduleChange pause(String id) {
    return command(id, ScheduleCommand.pause());
  }

  /** Ends a pause. */
  public ScheduleChange resume(String id) {
    return command(id, ScheduleCommand.resume());
  }

  /** Fires once now, in addition to the occurrences. */
  public ScheduleChange trigger(String id) {
    return command(id, ScheduleCommand.trigger());
  }

  /** Fires once now with another payload. */
  public ScheduleChange trigger(String id, Object payload) {
    return command(id, ScheduleCommand.trigger(bytes(payload)));
  }

  /** Skips one future occurrence. */
  public ScheduleChange skip(String id, Instant occurrence) {
    return command(id, ScheduleCommand.skip(occurrence));
  }

  /** Sends a command with all its options. */
  public ScheduleChange command(String id, ScheduleCommand command) {
    return sender.command(id, command);
  }

  /**
   * Defines or redefines a calendar, at once and in no transaction. Completes when the brokers have
   * it; there is no answer of the scheduler.
   */
  public CompletableFuture<Void> putCalendar(String name, CalendarBuilder calendar) {
    return sender.putCalendar(name, calendar);
  }

  /** Deletes a calendar, which has no dates from now on. Completes as {@link #putCalendar} does. */
  public CompletableFuture<Void> deleteCalendar(String name) {
    return sender.deleteCalendar(name);
  }

  private ScheduleBuilder withPayload(ScheduleBuilder definition, Object payload) {
    if (payload instanceof String text) {
      return definition.payloadText(text);
    }
    return payload instanceof byte[] bytes
        ? definition.payload(bytes, "application/octet-stream")
        : definition.payload(payload, payloads);
  }

  private byte[] bytes(Object payload) {
    if (payload instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    return payload instanceof byte[] bytes ? bytes : new Payloads(payloads).write(payload);
  }

  private ScheduleChange put(String id, Schedule definition) {
    Map<String, String> headers = new HashMap<>(definition.getHeaders());
    Observation observation = Observations.put(observations, id, headers);
    return Optional.ofNullable(
            observation.observe(
                () -> sender.put(id, isOnce(definition) ? with(definition, headers) : definition)))
        .orElseThrow();
  }

  /**
   * A recurring schedule does not carry the trace of its put: all its fires would continue one
   * trace, and each put would be another definition.
   */
  private static boolean isOnce(Schedule definition) {
    return definition.getTrigger() instanceof OnceTrigger;
  }

  private static Schedule with(Schedule definition, Map<String, String> headers) {
    return Schedule.newBuilder(definition).setHeaders(headers).build();
  }
}
