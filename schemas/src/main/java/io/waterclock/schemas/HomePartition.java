package io.waterclock.schemas;

import org.apache.kafka.common.utils.Utils;

/** The home partition of a key: the one to which Kafka's own clients send its records. */
public final class HomePartition {
  private HomePartition() {}

  /** The murmur2 hash of the key, modulo the number of partitions. */
  public static int of(byte[] key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key)) % partitions;
  }
}
