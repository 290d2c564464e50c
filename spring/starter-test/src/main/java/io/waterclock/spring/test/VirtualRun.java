package io.waterclock.spring.test;

import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The only attempt of a fire, on the thread of a test. Nothing cancels it. */
final class VirtualRun implements Run {
  private final Fire fire;
  private final String fireKey;
  private OutcomeState state = OutcomeState.FAILED;
  private @Nullable String output;
  private @Nullable String reason;

  VirtualRun(Fire fire, String fireKey) {
    this.fire = fire;
    this.fireKey = fireKey;
  }

  /** The handler has returned. */
  void succeeded() {
    if (state == OutcomeState.FAILED) {
      state = OutcomeState.SUCCEEDED;
    }
  }

  Outcome outcome() {
    return Outcome.newBuilder()
        .setFireId(fire.getFireId())
        .setFireKey(fireKey)
        .setState(state)
        .setAttempt(1)
        .setOutput(output)
        .setReason(reason)
        .build();
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
    return new Payloads(JacksonMapper.standard()).read(payload(), type, fireKey);
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
    output = text;
  }

  @Override
  public void drop(String why) {
    state = OutcomeState.DROPPED;
    reason = why;
  }
}
