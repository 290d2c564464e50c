package io.waterclock.console.model;

import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Schedule;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What the read model keeps of a payload: how long it is, and the first eight bytes of its SHA-256,
 * by which it is found again in its topic. In a definition of the read model it stands in the place
 * of the payload, in sixteen bytes. Immutable.
 */
public record KeptPayload(long bytes, long digest) {

  /**
   * Replaces the payload of a definition, if it has one, and leaves out a record for its target.
   */
  public static Schedule instead(Schedule schedule) {
    ByteBuffer payload = schedule.getPayload();
    if (payload != null) {
      KeptPayload kept = of(payload);
      ByteBuffer both = ByteBuffer.allocate(2 * Long.BYTES);
      schedule.setPayload(both.putLong(kept.bytes()).putLong(kept.digest()).flip());
    }
    schedule.setTarget(ScheduleSnapshot.withoutRecord(schedule.getTarget()));
    return schedule;
  }

  /** Of a definition of the read model; empty if it has no payload. */
  public static Optional<KeptPayload> in(Schedule kept) {
    return Optional.ofNullable(kept.getPayload())
        .map(ByteBuffer::duplicate)
        .map(both -> new KeptPayload(both.getLong(), both.getLong()));
  }

  private static KeptPayload of(ByteBuffer payload) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(payload.duplicate());
      return new KeptPayload(payload.remaining(), ByteBuffer.wrap(sha256.digest()).getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether this was kept of it. */
  public boolean isOf(ByteBuffer payload) {
    return equals(of(payload));
  }

  @Override
  public String toString() {
    return "%d bytes, SHA-256 %s...".formatted(bytes, HexFormat.of().toHexDigits(digest));
  }
}
