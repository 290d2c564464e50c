package io.waterclock.client.testing;

import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The first attempt of a fire, without a worker: to call a handler in a test, and to see what it
 * has done with its run.
 *
 * <pre>{@code
 * TestRun run = TestRun.of("reports/daily", at, ScheduleBuilder.cron("0 9 * * *").build());
 * reports.write(run);
 * assertEquals(Optional.of("3 pages"), run.output());
 * }</pre>
 *
 * <p>It has no deadline, and only {@link #cancel} cancels it. Not thread-safe.
 */
public final class TestRun implements Run {
  private final Fire fire;
  private final String fireKey;
  private final List<Runnable> cancelActions = new ArrayList<>();
  private Optional<PayloadMapper> mapper = Optional.empty();
  private Optional<byte[]> checkpoint = Optional.empty();
  private Optional<byte[]> checkpointLeft = Optional.empty();
  private Optional<String> output = Optional.empty();
  private Optional<String> dropReason = Optional.empty();
  private final Map<String, Optional<Schedule>> definitions = new LinkedHashMap<>();
  private BiConsumer<String, Optional<Schedule>> written = (id, definition) -> {};
  private boolean cancelled;

  private TestRun(Fire fire, String fireKey) {
    this.fire = fire;
    this.fireKey = fireKey;
  }

  /** A run of a fire that a scheduler has emitted. */
  public static TestRun of(Fire fire, String fireKey) {
    return new TestRun(fire, fireKey);
  }

  /**
   * A run of a fire as a scheduler with the prefix {@code waterclock} emits it, on time.
   *
   * @param occurrence in whole milliseconds
   */
  public static TestRun of(String scheduleId, Instant occurrence, Schedule definition) {
    FireKey key = FireKey.of(ScheduleId.parse(scheduleId), occurrence);
    return of(
        Fire.newBuilder()
            .setFireId(FireIds.of(Topics.ofDefault().ceSource()).of(key).toString())
            .setScheduleId(scheduleId)
            .setOccurrence(occurrence)
            .setDue(occurrence)
            .setFiredAt(occurrence)
            .setCause(Cause.SCHEDULED)
            .setRevision(Topics.ofDefault().schedules() + "-0@0")
            .setSchedule(definition)
            .build(),
        key.text());
  }

  /** Reads payloads as a worker with this mapper; JSON by Jackson 2 unless set. */
  public TestRun payloads(PayloadMapper other) {
    mapper = Optional.of(other);
    return this;
  }

  /** The checkpoint that an earlier run has left. */
  public TestRun checkpoint(byte[] left) {
    checkpoint = Optional.of(left.clone());
    return this;
  }

  /** Cancels the run, as a worker does at the deadline; actions run on this thread. */
  public void cancel() {
    if (!cancelled) {
      cancelled = true;
      cancelActions.forEach(Runnable::run);
    }
  }

  /** The output that the handler has set. */
  public Optional<String> output() {
    return output;
  }

  /** The reason, if the handler has dropped the fire. */
  public Optional<String> dropReason() {
    return dropReason;
  }

  /** The checkpoint that the handler has left. */
  public Optional<byte[]> checkpointLeft() {
    return checkpointLeft;
  }

  /** What the handler has defined, by schedule id; empty where it has deleted the schedule. */
  public Map<String, Optional<Schedule>> definitions() {
    return Collections.unmodifiableMap(definitions);
  }

  /** Passes on each definition and each delete, too, when the handler makes it. */
  TestRun writingTo(BiConsumer<String, Optional<Schedule>> topic) {
    written = topic;
    return this;
  }

  @Override
  public void put(String id, ScheduleBuilder definition) {
    define(id, Optional.of(definition.build()));
  }

  @Override
  public void delete(String id) {
    define(id, Optional.empty());
  }

  private void define(String id, Optional<Schedule> definition) {
    String valid = ScheduleId.parse(id).value();
    definitions.put(valid, definition);
    written.accept(valid, definition);
  }

  @Override
  public Fire fire() {
    return fire;
  }

  @Override
  public String fireKey() {
    return fireKey;
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public Object payloadAs(Type type) {
    return type == String.class
        ? new String(payload(), StandardCharsets.UTF_8)
        : new Payloads(mapper.orElseGet(JacksonMapper::standard)).read(payload(), type, fireKey);
  }

  @Override
  public Optional<Collapsed> collapsed() {
    return Optional.ofNullable(fire.getCollapsed());
  }

  @Override
  public Optional<Instant> deadline() {
    return Optional.empty();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable action) {
    if (cancelled) {
      action.run();
    } else {
      cancelActions.add(action);
    }
  }

  @Override
  public Optional<byte[]> checkpoint() {
    return checkpoint.map(byte[]::clone);
  }

  @Override
  public void leaveCheckpoint(byte[] left) {
    if (left.length > MAX_CHECKPOINT) {
      throw new IllegalArgumentException(
          "a checkpoint of " + left.length + " bytes is larger than " + MAX_CHECKPOINT);
    }
    checkpointLeft = Optional.of(left.clone());
  }

  @Override
  public void output(String text) {
    output = Optional.of(text);
  }

  @Override
  public void drop(String reason) {
    dropReason = Optional.of(reason);
  }
}
