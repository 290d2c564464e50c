package io.waterclock.schemas;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * A definition with its Avro body, encoded once for the store and for each fire. Immutable by
 * convention: callers must not change the Avro record or the array. Equal records have equal
 * bodies, so {@code equals} compares the bodies.
 */
public final class ScheduleSnapshot {
  private final Schedule schedule;
  private final byte[] body;

  private ScheduleSnapshot(Schedule schedule, byte[] body) {
    this.schedule = schedule;
    this.body = body;
  }

  /** Encodes a record. */
  public static ScheduleSnapshot of(Schedule schedule) {
    return new ScheduleSnapshot(schedule, RecordCodecs.schedule().encodeBody(schedule));
  }

  /**
   * Reads a body, written with the current schema.
   *
   * @throws UndecodableException if the slice is not exactly one schedule
   */
  public static ScheduleSnapshot ofBody(byte[] bytes, int offset, int length) {
    byte[] body = Arrays.copyOfRange(bytes, offset, offset + length);
    return new ScheduleSnapshot(RecordCodecs.schedule().decodeBody(body, 0, length), body);
  }

  public Schedule schedule() {
    return schedule;
  }

  /**
   * A definition without its payload and its headers, those of a record for its target included.
   * Shares the other values.
   */
  public static Schedule withoutPayload(Schedule schedule) {
    Schedule bare = copied(schedule, new Schedule());
    bare.setPayload(null);
    bare.setHeaders(Map.of());
    bare.setTarget(withoutRecord(schedule.getTarget()));
    return bare;
  }

  /** A target without the key and the headers of its record. */
  public static @Nullable Target withoutRecord(@Nullable Target target) {
    if (target == null || target.getRecord() == null) {
      return target;
    }
    Target bare = copied(target, new Target());
    bare.setRecord(new RawRecord(null, List.of(), target.getRecord().getPartition()));
    return bare;
  }

  /** A revision whose definition has neither payload nor headers. Shares the other values. */
  public static Revision withoutPayload(Revision revision) {
    Revision bare = copied(revision, new Revision());
    bare.setSchedule(withoutPayload(revision.getSchedule()));
    return bare;
  }

  private static <T extends SpecificRecordBase> T copied(T from, T to) {
    for (int i = 0; i < from.getSchema().getFields().size(); i++) {
      to.put(i, from.get(i));
    }
    return to;
  }

  /** The bare Avro body, without a header; not to be changed. */
  public byte[] body() {
    return body;
  }

  /**
   * Writes a fire with this definition: the same bytes as the codec of fires, in Avro at a fraction
   * of the cost.
   *
   * @param fire its own schedule is ignored and may be unset; it may be set afterwards
   */
  public byte[] encode(Fire fire, Encoding encoding) {
    RecordCodec<Fire> codec = RecordCodecs.fire();
    if (encoding.format() == WireFormat.JSON) {
      fire.setSchedule(schedule);
      return codec.encode(fire, encoding);
    }
    return codec.encode(fire, encoding, body);
  }

  /** The revision with this schedule, without decoding it; sets the schedule for JSON. */
  public byte[] encode(Revision revision, Encoding encoding) {
    RecordCodec<Revision> codec = RecordCodecs.revision();
    if (encoding.format() == WireFormat.JSON) {
      revision.setSchedule(schedule);
      return codec.encode(revision, encoding);
    }
    return codec.encode(revision, encoding, body);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScheduleSnapshot that && Arrays.equals(body, that.body);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(body);
  }

  @Override
  public String toString() {
    return schedule.toString();
  }
}
