package io.waterclock.schemas;

import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import org.jspecify.annotations.Nullable;

/**
 * Writes fires by hand, field by field in the order of the schema, because every fire of every
 * schedule passes through this class. The snapshot is the last field of a fire, so its bytes,
 * encoded once when the schedule was accepted, are appended as they are. A test compares the result
 * with the generic encoding. Thread-safe.
 */
final class FireEncoder {
  private FireEncoder() {}

  @SuppressWarnings(
      "EnumOrdinal") // Avro writes the position, and generates constants in that order
  static byte[] encode(byte[] header, Fire fire, byte[] scheduleBody) {
    BodyEncoder to = BodyEncoder.ofThread(header);
    to.writeString(fire.getFireId());
    to.writeString(fire.getScheduleId());
    to.writeLong(fire.getOccurrence().toEpochMilli());
    to.writeLong(fire.getDue().toEpochMilli());
    to.writeLong(fire.getFiredAt().toEpochMilli());
    to.writeEnum(fire.getCause().ordinal());
    to.writeString(fire.getRevision());
    writeCollapsed(fire.getCollapsed(), to);
    to.writeOptional(fire.getPrevious());
    to.writeOptional(fire.getNext());
    to.writeBoolean(fire.getWantsOutcome());
    to.writeFixed(scheduleBody, 0, scheduleBody.length);
    return to.toByteArray();
  }

  private static void writeCollapsed(@Nullable Collapsed collapsed, BodyEncoder to) {
    if (collapsed == null) {
      to.writeIndex(0);
      return;
    }
    to.writeIndex(1);
    to.writeLong(collapsed.getCount());
    to.writeBoolean(collapsed.getCountIsLowerBound());
    to.writeLong(collapsed.getFirst().toEpochMilli());
  }
}
