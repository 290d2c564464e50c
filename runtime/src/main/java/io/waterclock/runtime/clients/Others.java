package io.waterclock.runtime.clients;

import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** What a gate waits for beside the inputs of its task. No call waits for a broker. */
@FunctionalInterface
public interface Others {
  /**
   * The partitions of which something is not read that was written before an instant, as far as is
   * known yet.
   *
   * @param partition the number of the task that asks
   * @param sinceNanos monotonic time
   */
  List<TopicPartition> unread(int partition, long sinceNanos);

  /** True when a task waits for any partition. */
  default boolean exist() {
    return true;
  }
}
