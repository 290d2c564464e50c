package io.waterclock.bench.load;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Schedules to measure with, as Avro records: a payload of 200 bytes, and defaults for the rest.
 */
public final class Definitions {
  public static final int PAYLOAD_BYTES = 200;

  private Definitions() {}

  public static byte[] of(Work work, int number) {
    return encode(ofWork(work, number));
  }

  /** The same with a limit. */
  public static byte[] limited(Work work, int number, String limit) {
    return encode(ofWork(work, number).setLimit(limit));
  }

  private static Schedule.Builder ofWork(Work work, int number) {
    Instant due = work.due(number);
    return work.interval()
        .map(
            interval ->
                schedule(new EveryTrigger(interval.toSeconds(), Unit.SECOND, due, null), number))
        .orElseGet(() -> schedule(OnceTrigger.newBuilder().setAt(due).build(), number));
  }

  public static byte[] once(Instant at, int number) {
    return encode(schedule(OnceTrigger.newBuilder().setAt(at).build(), number));
  }

  public static byte[] every(Instant anchor, long seconds, int number) {
    return encode(schedule(new EveryTrigger(seconds, Unit.SECOND, anchor, null), number));
  }

  /**
   * So many occurrences, every second from an instant on; what was missed is replayed.
   *
   * @param most how many occurrences
   */
  public static byte[] replayed(Instant anchor, long most) {
    return encode(
        schedule(new EveryTrigger(1L, Unit.SECOND, anchor, null), 0)
            .setCatchUp(CatchUp.REPLAY)
            .setMaxReplay(most)
            .setMaxOccurrences(most));
  }

  private static byte[] encode(Schedule.Builder schedule) {
    return RecordCodecs.schedule().encode(schedule.build(), WireFormat.AVRO);
  }

  public static Schedule.Builder schedule(Object trigger, int seed) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    // bytes that do not compress, so that no compression flatters either side
    new SplittableRandom(seed).nextBytes(payload);
    return Schedule.newBuilder()
        .setTrigger(trigger)
        .setPayload(ByteBuffer.wrap(payload))
        .setContentType("application/octet-stream");
  }
}
