package io.waterclock.runtime.state;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** A store with changes of a transaction that has not ended. */
interface Uncommitted {
  /**
   * Writes the changes.
   *
   * @param ends the last offsets of the transaction, by changelog
   */
  void transactionCommitted(Map<TopicPartition, Long> ends);

  /** Forgets the changes. */
  void transactionAborted();
}
