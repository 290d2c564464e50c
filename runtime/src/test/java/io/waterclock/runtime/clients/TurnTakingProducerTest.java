package io.waterclock.runtime.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TurnTakingProducerTest {
  private final MockProducer<byte[], byte[]> first = mock();
  private final MockProducer<byte[], byte[]> second = mock();
  private boolean isEmpty;
  private final TurnTakingProducer<MockProducer<byte[], byte[]>> both =
      new TurnTakingProducer<>(first, second, producer -> isEmpty);

  @Test
  void transactions_alternate_between_the_producers() {
    both.initTransactions();
    for (int n = 0; n < 3; n++) {
      transaction(n);
    }
    assertThat(partitions(first)).containsExactly(0, 2);
    assertThat(partitions(second)).containsExactly(1);
  }

  @Test
  void both_end_what_an_earlier_run_left_open_before_the_first_record() {
    both.initTransactions();
    assertThat(first.transactionInitialized()).isTrue();
    assertThat(second.transactionInitialized()).isTrue();
  }

  @Test
  void what_an_earlier_run_left_open_may_end_ahead() {
    both.beginOn(Runnable::run);
    assertThat(first.transactionInitialized()).isTrue();
    assertThat(second.transactionInitialized()).isTrue();

    both.initTransactions();
    transaction(0);
    assertThat(partitions(first)).containsExactly(0);
  }

  @Test
  void an_attempt_ahead_that_failed_is_made_again() {
    second.initTransactionException = new TimeoutException("no broker answered");
    both.beginOn(Runnable::run);

    second.initTransactionException = null;
    both.initTransactions();
    transaction(0);
    transaction(1);
    assertThat(partitions(second)).containsExactly(1);
  }

  @Test
  void a_second_attempt_to_initialize_goes_on_where_the_first_timed_out() {
    second.initTransactionException = new TimeoutException("no broker answered");
    assertThatThrownBy(both::initTransactions).isInstanceOf(TimeoutException.class);

    second.initTransactionException = null;
    both.initTransactions();
    transaction(0);
    transaction(1);
    assertThat(partitions(second)).containsExactly(1);
  }

  @Test
  void a_commit_that_timed_out_is_repeated_by_the_same_producer() {
    both.initTransactions();
    both.beginTransaction();
    send(0);
    first.commitTransactionException = new TimeoutException("no broker answered");
    assertThatThrownBy(both::commitTransaction).isInstanceOf(TimeoutException.class);

    first.commitTransactionException = null;
    both.commitTransaction();
    assertThat(partitions(first)).containsExactly(0);
    transaction(1);
    assertThat(partitions(second)).containsExactly(1);
  }

  @Test
  void an_aborted_transaction_is_the_same_producers_again() {
    both.initTransactions();
    both.beginTransaction();
    send(0);
    both.abortTransaction();
    transaction(1);
    assertThat(partitions(first)).containsExactly(1);
    assertThat(second.history()).isEmpty();
  }

  @Test
  void an_empty_transaction_does_not_pass_the_turn_on() {
    both.initTransactions();
    isEmpty = true;
    both.beginTransaction();
    both.commitTransaction();
    isEmpty = false;
    transaction(0);
    isEmpty = true;
    both.beginTransaction();
    both.commitTransaction();
    isEmpty = false;
    transaction(1);
    assertThat(partitions(first)).containsExactly(0);
    assertThat(partitions(second)).containsExactly(1);
  }

  @Test
  void times_that_kafka_streams_looks_up_by_name_are_there_once_as_their_sum() {
    add(first, "flush-time-ns-total", "1", 3.0);
    add(second, "flush-time-ns-total", "2", 4.0);
    add(first, "record-send-total", "1", 5.0);
    add(second, "record-send-total", "2", 6.0);

    assertThat(both.metrics().values().stream().map(Metric::metricValue))
        .containsExactlyInAnyOrder(7.0, 5.0, 6.0);
  }

  @Test
  void closes_both() {
    both.close();
    assertThat(first.closed()).isTrue();
    assertThat(second.closed()).isTrue();
  }

  private void transaction(int partition) {
    both.beginTransaction();
    send(partition);
    both.commitTransaction();
  }

  private void send(int partition) {
    assertThat(both.send(new ProducerRecord<>("fires", partition, null, new byte[0])))
        .isNotCancelled();
  }

  private static List<Integer> partitions(MockProducer<byte[], byte[]> producer) {
    return producer.history().stream().map(ProducerRecord::partition).toList();
  }

  private static void add(
      MockProducer<byte[], byte[]> producer, String name, String clientId, double value) {
    MetricName of = new MetricName(name, "producer-metrics", "", Map.of("client-id", clientId));
    producer.setMockMetrics(
        of,
        new Metric() {
          @Override
          public MetricName metricName() {
            return of;
          }

          @Override
          public Object metricValue() {
            return value;
          }
        });
  }

  private static MockProducer<byte[], byte[]> mock() {
    return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
