package io.waterclock.runtime.brokers;

import java.util.Optional;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;

/**
 * A transaction that is open in a partition's log although its coordinator has ended it. Nothing
 * will end it there, and no read_committed reader passes it.
 *
 * @param startOffset of its first record in the partition
 * @param transactionalId of its producer; empty when no coordinator knows it
 * @param end how the coordinator ended it; empty when the coordinator no longer knows
 */
record HangingTransaction(
    TopicPartition partition,
    long producerId,
    int producerEpoch,
    int coordinatorEpoch,
    long startOffset,
    Optional<String> transactionalId,
    Optional<TransactionState> end) {

  record Known(String transactionalId, TransactionDescription description) {}

  /**
   * Judges an open transaction of a partition.
   *
   * @param coordinator its description of the producer; empty when it does not know the producer
   * @return empty when no transaction is open, or when the coordinator will end it
   */
  static Optional<HangingTransaction> of(
      TopicPartition partition, ProducerState producer, Optional<Known> coordinator) {
    Optional<TransactionDescription> described = coordinator.map(Known::description);
    if (producer.currentTransactionStartOffset().isEmpty()
        || described.filter(known -> known.topicPartitions().contains(partition)).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new HangingTransaction(
            partition,
            producer.producerId(),
            producer.producerEpoch(),
            producer.coordinatorEpoch().orElse(0),
            producer.currentTransactionStartOffset().getAsLong(),
            coordinator.map(Known::transactionalId),
            described
                .filter(known -> known.producerEpoch() == producer.producerEpoch() + 1)
                .map(TransactionDescription::state)
                .filter(
                    state ->
                        state == TransactionState.COMPLETE_ABORT
                            || state == TransactionState.COMPLETE_COMMIT)));
  }

  /**
   * True when the coordinator has decided that this transaction, and no other one, is aborted.
   *
   * <p>Since transactions of version 2 (KIP-890) each end of a transaction raises the epoch by one.
   */
  boolean isAborted() {
    return end.equals(Optional.of(TransactionState.COMPLETE_ABORT));
  }

  /** The command with which an operator ends the transaction. */
  String command(String bootstrapServers) {
    return ("kafka-transactions.sh --bootstrap-server %s abort --topic %s --partition %s"
            + " --start-offset %s")
        .formatted(bootstrapServers, partition.topic(), partition.partition(), startOffset);
  }

  @Override
  public String toString() {
    return ("a transaction hangs in %s (producer id %s, epoch %s, from offset %s; its"
            + " coordinator has %s)")
        .formatted(
            partition,
            producerId,
            producerEpoch,
            startOffset,
            isAborted()
                ? "aborted it"
                : end.isPresent() ? "committed it" : "no record of how it ended");
  }
}
