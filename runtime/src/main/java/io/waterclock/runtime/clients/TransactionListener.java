package io.waterclock.runtime.clients;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Hears of the ends of the transactions of Kafka Streams, on the stream thread that ends them. */
public interface TransactionListener {
  /**
   * Kafka has committed a transaction.
   *
   * @param ends the offset of the last record of the transaction in each changelog
   */
  void committed(Map<TopicPartition, Long> ends);

  /** The thread aborts its transaction. */
  default void aborted() {}
}
