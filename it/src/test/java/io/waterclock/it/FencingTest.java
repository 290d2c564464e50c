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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A stream thread that has read nothing since its start is stopped in a transaction, and goes on
 * when another instance has its partitions: a host that was suspended, with schedules that do not
 * change.
 */
@Timeout(300)
final class FencingTest {
  private static final String TOPIC = "inputs";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);

  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.SHORT_SESSIONS);

  @Test
  void a_transaction_that_has_read_nothing_ends_with_the_membership_of_its_instance()
      throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(new NewTopic(TOPIC, 1, (short) 1), new NewTopic("fires", 1, (short) 1)))
          .all()
          .get();
    }
    WatchedClients clients = new WatchedClients(id -> {}, ends -> {}, Optional.empty());
    String thread = Thread.currentThread().getName();
    try (KafkaConsumer<byte[], byte[]> first =
            clients.getConsumer(consumer(Map.of("client.id", thread + "-consumer")));
        KafkaConsumer<byte[], byte[]> second =
            new KafkaConsumer<>(
                consumer(Map.of()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        Producer<byte[], byte[]> producer =
            clients.getProducer(
                new HashMap<>(
                    Map.of(
                        "bootstrap.servers", kafka.bootstrapServers(),
                        "client.id", "first",
                        "transactional.id", "first")))) {
      first.subscribe(
          List.of(TOPIC),
          new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
          });
      await().until(() -> isAssigned(first));
      assertThat(first.committed(Set.of(PARTITION))).containsEntry(PARTITION, null);
      producer.initTransactions();
      ConsumerGroupMetadata group = first.groupMetadata();
      fire(producer);
      producer.sendOffsetsToTransaction(Map.of(), group);
      producer.commitTransaction();

      fire(producer);
      second.subscribe(List.of(TOPIC));
      await().atMost(Duration.ofMinutes(1)).until(() -> isAssigned(second)); // not the first
      assertThatThrownBy(
              () -> {
                producer.sendOffsetsToTransaction(Map.of(), group);
                producer.commitTransaction();
              })
          .isInstanceOf(CommitFailedException.class);
      producer.abortTransaction();
    }
  }

  private static void fire(Producer<byte[], byte[]> producer) throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("fires", new byte[0])).get();
  }

  private static boolean isAssigned(KafkaConsumer<byte[], byte[]> consumer) {
    consumer.poll(Duration.ofMillis(100));
    return consumer.assignment().contains(PARTITION);
  }

  private static Map<String, Object> consumer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("group.id", "instances");
    settings.put("session.timeout.ms", 1000);
    settings.put("heartbeat.interval.ms", 100);
    settings.put("max.poll.interval.ms", 2000);
    settings.put("enable.auto.commit", false);
    settings.put("isolation.level", "read_committed");
    return settings;
  }
}
