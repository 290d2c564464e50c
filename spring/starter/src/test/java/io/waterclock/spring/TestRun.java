package io.waterclock.spring;

import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run without a worker. */
final class TestRun implements Run {
  private static final Instant AT = Instant.parse("2026-11-24T09:00:00Z");

  private final Fire fire;
  private Optional<String> output = Optional.empty();
  private Optional<String> dropped = Optional.empty();

  private TestRun(Fire fire) {
    this.fire = fire;
  }

  /** A run of a schedule with this payload; null: without one. */
  static TestRun of(@Nullable String payload) {
    return of(payload, Map.of());
  }

  /** As above, of a schedule with headers. */
  static TestRun of(@Nullable String payload, Map<String, String> headers) {
    return new TestRun(
        Fire.newBuilder()
            .setFireId(UUID.randomUUID().toString())
            .setScheduleId("orders/1")
            .setOccurrence(AT)
            .setDue(AT)
            .setFiredAt(AT)
            .setCause(Cause.SCHEDULED)
            .setRevision("waterclock.schedules-0@0")
            .setSchedule(
                Schedule.newBuilder()
                    .setTrigger(new OnceTrigger(AT, null))
                    .setHeaders(headers)
                    .setPayload(
                        payload == null
                            ? null
                            : ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8)))
                    .build())
            .build());
  }

  Optional<String> output() {
    return output;
  }

  Optional<String> dropped() {
    return dropped;
  }

  @Override
  public Fire fire() {
    return fire;
  }

  @Override
  public String fireKey() {
    return "orders/1|2026-11-24T09:00:00.000Z";
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public byte[] payload() {
    ByteBuffer payload = fire.getSchedule().getPayload();
    byte[] bytes = new byte[payload == null ? 0 : payload.remaining()];
    if (payload != null) {
      payload.duplicate().get(bytes);
    }
    return bytes;
  }

  @Override
  public Object payloadAs(Type type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Collapsed> collapsed() {
    return Optional.empty();
  }

  @Override
  public Optional<Instant> deadline() {
    return Optional.empty();
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void onCancel(Runnable action) {}

  @Override
  public Optional<byte[]> checkpoint() {
    return Optional.empty();
  }

  @Override
  public void leaveCheckpoint(byte[] checkpoint) {}

  @Override
  public void output(String text) {
    output = Optional.of(text);
  }

  @Override
  public void drop(String reason) {
    dropped = Optional.of(reason);
  }
}
