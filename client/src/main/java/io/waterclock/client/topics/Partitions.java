package io.waterclock.client.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.HomePartition;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** The partitions that contain the records of a schedule. */
public final class Partitions {
  private Partitions() {}

  /** The partition to which the Java client's partitioner sends this id. */
  public static TopicPartition home(String id, List<TopicPartition> partitions) {
    int number = HomePartition.of(id.getBytes(UTF_8), partitions.size());
    return partitions.stream()
        .filter(partition -> partition.partition() == number)
        .findFirst()
        .orElseThrow();
  }
}
