package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerTest {
  @TempDir Path dir;

  @Test
  void a_schedule_fires_within_a_second() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        Waterclock scheduler = Waterclock.start(config(kafka));
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer());
        KafkaConsumer<String, byte[]> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "group.id", "reports",
                    "auto.offset.reset", "earliest",
                    "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
      await().atMost(Duration.ofMinutes(1)).until(scheduler::isReady);
      String schedule = "{\"every\":\"1s\"}";
      producer.send(new ProducerRecord<>("waterclock.schedules", "report", schedule)).get();
      consumer.subscribe(List.of("waterclock.fires"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> consumer.poll(Duration.ofMillis(100)).count() > 0);
      assertThat(scheduler.isReady()).isTrue();
    }
  }

  private WaterclockConfig config(EmbeddedKafka kafka) {
    return WaterclockConfig.parse(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "state.dir",
            dir.resolve("state").toString(),
            "partitions",
            "1",
            "health.port",
            "off"));
  }
}
