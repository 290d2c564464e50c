package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.clients.WatchedClients;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A stream thread that has read nothing has no offsets to commit. It repeats one, so that the group
 * compares its generation.
 */
@Timeout(300)
final class FencingTest {
  private static final String OUTPUT = "fires";

  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.SHORT_SESSIONS);

  private final WatchedClients clients = new WatchedClients(id -> {}, ends -> {}, Optional.empty());

  @BeforeAll
  static void createOutput() throws Exception {
    createTopic(OUTPUT, 1);
  }

  /** A host that was suspended, with schedules that do not change. */
  @Test
  void a_transaction_that_has_read_nothing_ends_with_the_membership_of_its_instance()
      throws Exception {
    String topic = "suspended";
    createTopic(topic, 1);
    Map<String, Object> settings =
        Map.of("group.id", topic, "session.timeout.ms", 1000, "max.poll.interval.ms", 2000);
    try (KafkaConsumer<byte[], byte[]> first = ofThisThread(settings);
        KafkaConsumer<byte[], byte[]> second = another(settings);
        Producer<byte[], byte[]> producer = producer(topic)) {
      first.subscribe(List.of(topic), new Committing(false));
      await().until(() -> assigned(first).size() == 1);
      assertThat(first.committed(first.assignment())).containsValue(null);
      ConsumerGroupMetadata group = first.groupMetadata();
      commit(producer, Map.of(), group);

      second.subscribe(List.of(topic));
      await().atMost(Duration.ofMinutes(1)).until(() -> assigned(second).size() == 1); // not first
      assertThatThrownBy(() -> commit(producer, Map.of(), group))
          .isInstanceOf(CommitFailedException.class);
      producer.abortTransaction();
    }
  }

  /** One of two partitions goes to another instance, and the commit before that fails. */
  @Test
  void no_offset_is_repeated_of_a_partition_that_is_gone() throws Exception {
    String topic = "moving";
    createTopic(topic, 2);
    Map<String, Object> settings =
        Map.of(
            "group.id",
            topic,
            "partition.assignment.strategy",
            CooperativeStickyAssignor.class.getName());
    try (KafkaConsumer<byte[], byte[]> first = ofThisThread(settings);
        KafkaConsumer<byte[], byte[]> second = another(settings);
        Producer<byte[], byte[]> producer = producer(topic)) {
      first.subscribe(List.of(topic), new Committing(true));
      await().until(() -> assigned(first).size() == 2);
      first.committed(first.assignment());

      second.subscribe(List.of(topic));
      await().atMost(Duration.ofMinutes(1)).until(() -> pollFails(first) | pollFails(second));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> assigned(first).size() == 1 & assigned(second).size() == 1);
      TopicPartition gone = second.assignment().iterator().next();
      OffsetAndMetadata progress = new OffsetAndMetadata(7);
      second.commitSync(Map.of(gone, progress));
      TopicPartition kept = first.assignment().iterator().next();
      Map<TopicPartition, OffsetAndMetadata> one = Map.of(kept, new OffsetAndMetadata(1));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> isCommitted(producer, one, first, second)); // once all have rejoined
      commit(producer, Map.of(), first.groupMetadata());
      assertThat(second.committed(Set.of(gone))).containsEntry(gone, progress);
    }
  }

  /** Commits when partitions are taken away, as Kafka Streams does; the first may fail. */
  private record Committing(AtomicBoolean fails) implements ConsumerRebalanceListener {
    Committing(boolean fails) {
      this(new AtomicBoolean(fails));
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      if (fails.getAndSet(false)) {
        throw new CommitFailedException();
      }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
  }

  private static boolean pollFails(KafkaConsumer<byte[], byte[]> consumer) {
    try {
      consumer.poll(Duration.ofMillis(100));
      return false;
    } catch (KafkaException e) {
      return true;
    }
  }

  private static Set<TopicPartition> assigned(KafkaConsumer<byte[], byte[]> consumer) {
    consumer.poll(Duration.ofMillis(100));
    return consumer.assignment();
  }

  private static boolean isCommitted(
      Producer<byte[], byte[]> producer,
      Map<TopicPartition, OffsetAndMetadata> offsets,
      KafkaConsumer<byte[], byte[]> first,
      KafkaConsumer<byte[], byte[]> second)
      throws Exception {
    try {
      commit(producer, offsets, first.groupMetadata());
      return true;
    } catch (CommitFailedException e) {
      producer.abortTransaction();
      assigned(first);
      assigned(second);
      return false;
    }
  }

  private static void commit(
      Producer<byte[], byte[]> producer,
      Map<TopicPartition, OffsetAndMetadata> offsets,
      ConsumerGroupMetadata group)
      throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(OUTPUT, new byte[0])).get();
    producer.sendOffsetsToTransaction(offsets, group);
    producer.commitTransaction();
  }

  private static void createTopic(String name, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    }
  }

  private KafkaConsumer<byte[], byte[]> ofThisThread(Map<String, Object> more) {
    Map<String, Object> settings = settings(more);
    settings.put("client.id", Thread.currentThread().getName() + "-consumer");
    return clients.getConsumer(settings);
  }

  private static KafkaConsumer<byte[], byte[]> another(Map<String, Object> more) {
    return new KafkaConsumer<>(
        settings(more), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static Map<String, Object> settings(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("heartbeat.interval.ms", 100);
    settings.put("enable.auto.commit", false);
    settings.put("isolation.level", "read_committed");
    return settings;
  }

  private Producer<byte[], byte[]> producer(String id) {
    Producer<byte[], byte[]> producer =
        clients.getProducer(
            new HashMap<>(
                Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "client.id", id,
                    "transactional.id", id)));
    producer.initTransactions();
    return producer;
  }
}
