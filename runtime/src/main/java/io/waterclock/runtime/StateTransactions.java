package io.waterclock.runtime;

import io.waterclock.runtime.clients.TransactionListener;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.runtime.state.LocalStores;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** What follows the end of a transaction of the scheduler: the metrics and the disk follow it. */
record StateTransactions(Metrics metrics, LocalStores stores) implements TransactionListener {
  @Override
  public void committed(Map<TopicPartition, Long> ends) {
    metrics.committed();
    stores.committed(ends);
  }

  @Override
  public void aborted() {
    stores.aborted();
  }
}
