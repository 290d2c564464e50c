package io.waterclock.testkit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic of one partition, written in transactions and read back with read_committed. */
record Ledger(String bootstrapServers, String topic) {

  Ledger create() throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
    return this;
  }

  void commit(String value) throws ExecutionException, InterruptedException {
    transact(value, true);
  }

  void abort(String value) throws ExecutionException, InterruptedException {
    transact(value, false);
  }

  private void transact(String value, boolean commit)
      throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "ledger");
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "key", value)).get();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
    awaitMarker();
  }

  /** The coordinator answers before it has written the end of the transaction into the topic. */
  private void awaitMarker() throws ExecutionException, InterruptedException {
    while (stableEnd() < end()) {
      Thread.sleep(20);
    }
  }

  /** Writes, and has the broker killed before the transaction has ended. It times out at once. */
  void leaveOpen(String value, Runnable kill) throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "transactional.id",
            "ledger",
            "transaction.timeout.ms",
            500);
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    try {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "key", value)).get();
      kill.run();
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  /** Where the log ends. */
  long end() throws ExecutionException, InterruptedException {
    return end(IsolationLevel.READ_UNCOMMITTED);
  }

  /** How far a reader of what is committed can get. */
  long stableEnd() throws ExecutionException, InterruptedException {
    return end(IsolationLevel.READ_COMMITTED);
  }

  private long end(IsolationLevel isolation) throws ExecutionException, InterruptedException {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
          .partitionResult(partition)
          .get()
          .offset();
    }
  }

  /** Everything committed, in order: reads to the end as it is now. */
  List<String> committed() {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      List<String> values = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }
}
