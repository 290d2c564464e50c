package io.waterclock.client.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a topology without a broker cannot show: that the ids come back from their changelog. */
@Timeout(600)
final class StreamsDeduplicatorOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  @Test
  @Tag("all")
  void an_instance_with_an_empty_disk_knows_the_fires_that_others_have_forwarded()
      throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      String servers = kafka.bootstrapServers();
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
        admin
            .createTopics(
                List.of(new NewTopic("fires", 2, (short) 1), new NewTopic("once", 1, (short) 1)))
            .all()
            .get();
      }
      List<String> expected = new ArrayList<>();
      runUntilAllHavePassed(servers, "first", 0, 20, expected);
      runUntilAllHavePassed(servers, "second", 10, 30, expected);
      assertThat(once(servers)).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Emits the fires from..to-1, some of them again, and waits until the last has passed. */
  private void runUntilAllHavePassed(
      String servers, String disk, int from, int to, List<String> expected) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
      for (int i = from; i < to; i++) {
        String id = "id-" + i;
        ProducerRecord<String, String> fire = new ProducerRecord<>("fires", i % 2, "key", id);
        fire.headers().add("ce_id", id.getBytes(UTF_8));
        producer.send(fire).get();
        if (!expected.contains(id)) {
          expected.add(id);
        }
      }
    }
    try (KafkaStreams streams =
        new KafkaStreams(StreamsDeduplicatorTest.topology(), settings(servers, disk))) {
      streams.start();
      await().atMost(BOUND).until(() -> once(servers).containsAll(expected));
      streams.close(
          CloseOptions.timeout(BOUND)
              .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
  }

  private Properties settings(String servers, String disk) {
    Properties settings = new Properties();
    settings.put("application.id", "dedup");
    settings.put("bootstrap.servers", servers);
    settings.put("state.dir", dir.resolve(disk).toString());
    settings.put("processing.guarantee", "exactly_once_v2");
    settings.put("commit.interval.ms", 100);
    settings.put("replication.factor", 1);
    settings.put("default.key.serde", Serdes.StringSerde.class.getName());
    settings.put("default.value.serde", Serdes.StringSerde.class.getName());
    settings.put("consumer.auto.offset.reset", "earliest");
    return settings;
  }

  private static List<String> once(String servers) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      var partition = new org.apache.kafka.common.TopicPartition("once", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }
}
