package io.waterclock.client.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.HomePartition;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Where the records of a schedule are. */
public final class Partitions {
  private Partitions() {}

  /** The one of a topic's partitions to which the Java client's partitioner sends this id. */
  public static TopicPartition home(String id, List<TopicPartition> partitions) {
    int number = HomePartition.of(id.getBytes(UTF_8), partitions.size());
    return partitions.stream()
        .filter(partition -> partition.partition() == number)
        .findFirst()
        .orElseThrow();
  }
}
