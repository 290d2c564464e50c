package io.waterclock.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Utils;

/** The home partition of a key: the one to which Kafka's own clients send its records. */
public final class HomePartition {
  /** Begins the ids of delayed records that have no name of their own. */
  public static final String UNNAMED = "later/";

  private static final byte[] UNNAMED_BYTES = UNNAMED.getBytes(StandardCharsets.US_ASCII);

  private HomePartition() {}

  /** The murmur2 hash of the key, modulo the number of partitions. */
  public static int of(byte[] key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key)) % partitions;
  }

  /**
   * The partition of a schedule's fires, in which they stay in order.
   *
   * <p>Those of delayed records without a name of their own stay together as their schedules do:
   * records with one key arrive in order because all of them have one partition all the way, also
   * if the topic of the fires has got more partitions. No consumer but the router has a use for
   * them.
   *
   * @param id of the schedule
   * @param schedules how many partitions the topic of the schedules has
   * @param fires how many that of the fires has
   */
  public static int ofFires(byte[] id, int schedules, int fires) {
    return isUnnamed(id) ? of(id, schedules) % fires : of(id, fires);
  }

  /** True for the id of a delayed record that has no name of its own. */
  public static boolean isUnnamed(byte[] id) {
    int length = UNNAMED_BYTES.length;
    return id.length > length && Arrays.equals(id, 0, length, UNNAMED_BYTES, 0, length);
  }
}
