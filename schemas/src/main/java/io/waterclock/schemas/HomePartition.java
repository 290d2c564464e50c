package io.waterclock.schemas;

import org.apache.kafka.common.utils.Utils;

/** Where records with a key belong: the partition to which Kafka's own clients send them. */
public final class HomePartition {
  private HomePartition() {}

  /** The murmur2 hash of the key, modulo the number of partitions. */
  public static int of(byte[] key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key)) % partitions;
  }
}
