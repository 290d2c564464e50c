package io.waterclock.topology.intake;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names records of the topic later that have no id of their own, such as {@code
 * later/3@000000000000042/mgx1k2p0.7}: partition, offset and timestamp, so that a record that is
 * read twice has one name, and a record of a topic that was created again has another one.
 *
 * <p>Idea: occurrences of one partition that are due at the same instant fire in the order of their
 * ids. The names of one partition of the topic later ascend with the offset. The digits after the
 * dot are the first ones that bring the name to the partition of {@code schedules} that the
 * record's key would have there. So records with one key stay in one partition all the way, and
 * those for one instant arrive in the order in which they were sent.
 *
 * <p>Cost: on average as many hashes of the name as there are partitions. Thread-safe.
 *
 * @param partitions of the topic schedules
 */
record LaterIds(int partitions) {
  static final String PREFIX = HomePartition.UNNAMED;

  /** With random hashes, more tries than this are needed once in e to the power of 64 records. */
  private static final int MOST_TRIES = 64;

  /** So many digits keep the order of offsets: 30 years of a million records a second. */
  private static final int OFFSET_DIGITS = 15;

  ScheduleId of(Inbound record) {
    int wanted =
        record
            .key()
            .map(key -> HomePartition.of(key, partitions))
            .orElseGet(() -> (int) (record.offset() % partitions));
    String offset = Long.toString(record.offset());
    String place =
        PREFIX
            + record.partition()
            + "@"
            + "0".repeat(Math.max(0, OFFSET_DIGITS - offset.length()));
    String written = Long.toString(record.timestamp().toEpochMilli(), Character.MAX_RADIX);
    byte[] name = (place + offset + "/" + written + ".").getBytes(StandardCharsets.US_ASCII);
    byte[] id = with(name, 0);
    for (int tries = 1; HomePartition.of(id, partitions) != wanted; tries++) {
      if (tries > MOST_TRIES * partitions) {
        break; // any other name is right, too, but for the order
      }
      id = with(name, tries);
    }
    return ScheduleId.ofUtf8(id);
  }

  private static byte[] with(byte[] name, int suffix) {
    byte[] digits =
        Integer.toString(suffix, Character.MAX_RADIX).getBytes(StandardCharsets.US_ASCII);
    byte[] id = Arrays.copyOf(name, name.length + digits.length);
    System.arraycopy(digits, 0, id, name.length, digits.length);
    return id;
  }
}
