package io.waterclock.schemas;

import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;

/**
 * Writes revisions by hand, field by field in the order of the schema, because each definition of a
 * load passes through this class. The definition is inserted as it was encoded for the store. A
 * test compares the result with the generic encoding. Thread-safe.
 */
final class RevisionEncoder {
  private RevisionEncoder() {}

  @SuppressWarnings(
      "EnumOrdinal") // Avro writes the position, and generates constants in that order
  static byte[] encode(byte[] header, Revision revision, byte[] scheduleBody) {
    BodyEncoder to = BodyEncoder.ofThread(header);
    to.writeString(revision.getScheduleId());
    to.writeString(revision.getRevision());
    to.writeFixed(scheduleBody, 0, scheduleBody.length);
    to.writeLong(revision.getOwnsAfter().toEpochMilli());
    to.writeLong(revision.getEffectiveAt().toEpochMilli());
    to.writeLong(revision.getAcceptedAt().toEpochMilli());
    to.writeOptional(revision.getResolvedAt());
    to.writeOptional(revision.getBoundedBy());
    to.writeOptional(revision.getEndedAt());
    RevisionEnd end = revision.getEndedBy();
    to.writeIndex(end == null ? 0 : 1);
    if (end != null) {
      to.writeEnum(end.ordinal());
    }
    to.writeString(revision.getTzdb());
    to.writeOptional(revision.getAuthor());
    to.writeOptional(revision.getNote());
    return to.toByteArray();
  }
}
