package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class HangingTransactionTest {
  private static final TopicPartition FIRES = new TopicPartition("waterclock.fires", 3);
  private static final int EPOCH = 334;

  @Test
  void a_producer_without_an_open_transaction_is_no_problem() {
    assertThat(HangingTransaction.of(FIRES, producer(OptionalLong.empty()), Optional.empty()))
        .isEmpty();
  }

  @Test
  void a_transaction_that_its_coordinator_will_end_does_not_hang() {
    assertThat(judge(TransactionState.ONGOING, EPOCH, Set.of(FIRES))).isEmpty();
    assertThat(judge(TransactionState.PREPARE_ABORT, EPOCH + 1, Set.of(FIRES))).isEmpty();
  }

  @Test
  void only_the_next_epoch_proves_that_it_was_aborted() {
    assertThat(judge(TransactionState.COMPLETE_ABORT, EPOCH + 1, Set.of()).orElseThrow())
        .matches(HangingTransaction::isAborted);
    assertThat(judge(TransactionState.COMPLETE_ABORT, EPOCH, Set.of()).orElseThrow())
        .matches(hanging -> !hanging.isAborted());
    assertThat(judge(TransactionState.COMPLETE_ABORT, EPOCH + 2, Set.of()).orElseThrow())
        .matches(hanging -> !hanging.isAborted());
    assertThat(judge(TransactionState.COMPLETE_COMMIT, EPOCH + 1, Set.of()).orElseThrow())
        .matches(hanging -> !hanging.isAborted());
    assertThat(judge(TransactionState.EMPTY, EPOCH + 1, Set.of()).orElseThrow())
        .matches(hanging -> !hanging.isAborted());
    assertThat(
            judge(
                    TransactionState.ONGOING,
                    EPOCH + 1,
                    Set.of(new TopicPartition("waterclock.fires", 4)))
                .orElseThrow())
        .matches(hanging -> !hanging.isAborted());
  }

  @Test
  void it_says_where_whose_and_what_to_do() {
    HangingTransaction aborted =
        judge(TransactionState.COMPLETE_ABORT, EPOCH + 1, Set.of()).orElseThrow();
    assertThat(aborted)
        .hasToString(
            "a transaction hangs in waterclock.fires-3 (producer id 1, epoch 334, from offset"
                + " 11569; its coordinator has aborted it)");
    assertThat(aborted.command("broker:9092"))
        .isEqualTo(
            "kafka-transactions.sh --bootstrap-server broker:9092 abort --topic waterclock.fires"
                + " --partition 3 --start-offset 11569");
    assertThat(judge(TransactionState.COMPLETE_COMMIT, EPOCH + 1, Set.of()).orElseThrow())
        .asString()
        .endsWith("; its coordinator has committed it)");
    assertThat(
            HangingTransaction.of(FIRES, producer(OptionalLong.of(11_569)), Optional.empty())
                .orElseThrow())
        .asString()
        .endsWith("; its coordinator has no record of how it ended)");
  }

  private static Optional<HangingTransaction> judge(
      TransactionState state, int epoch, Set<TopicPartition> partitions) {
    return HangingTransaction.of(
        FIRES,
        producer(OptionalLong.of(11_569)),
        Optional.of(
            new HangingTransaction.Known(
                "waterclock-scheduler-1",
                new TransactionDescription(
                    1, state, 1, epoch, 10_000, OptionalLong.empty(), partitions))));
  }

  private static ProducerState producer(OptionalLong openSince) {
    return new ProducerState(1, EPOCH, 0, 1_795_258_860_914L, OptionalInt.of(12), openSince);
  }
}
