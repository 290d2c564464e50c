package io.waterclock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.ReaderSettings;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamsSettingsTest {

  /** Kafka Streams prefers the most specific prefix, which our own defaults have. */
  @ParameterizedTest
  @CsvSource({
    "session.timeout.ms",
    "consumer.session.timeout.ms",
    "main.consumer.session.timeout.ms",
    "heartbeat.interval.ms",
    "consumer.heartbeat.interval.ms",
    "fetch.max.bytes",
    "consumer.fetch.max.bytes",
    "receive.buffer.bytes",
    "consumer.receive.buffer.bytes",
    "main.consumer.receive.buffer.bytes"
  })
  void a_setting_of_the_operator_reaches_the_main_consumer(String key) {
    String name = key.replace("main.consumer.", "").replace("consumer.", "");
    assertThat(settings(key).getMainConsumerConfigs("group", "client", 0).get(name))
        .hasToString("3333");
  }

  @ParameterizedTest
  @CsvSource({
    "transaction.timeout.ms",
    "producer.transaction.timeout.ms",
    "max.block.ms",
    "producer.max.block.ms",
    "linger.ms",
    "buffer.memory"
  })
  void a_setting_of_the_operator_reaches_the_producer(String key) {
    String name = key.replace("producer.", "");
    assertThat(settings(key).getProducerConfigs("client").get(name)).hasToString("3333");
  }

  /** It reads {@code calendars}, whose records may consist of headers, too. */
  @Test
  void the_global_consumer_fetches_a_megabyte_unless_the_operator_says_otherwise() {
    assertThat(settings("linger.ms").getGlobalConsumerConfigs("client").get("fetch.max.bytes"))
        .isEqualTo(ReaderSettings.FETCH_MAX_BYTES);
    assertThat(
            settings("fetch.max.bytes").getGlobalConsumerConfigs("client").get("fetch.max.bytes"))
        .hasToString("3333");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max.poll.records",
        "consumer.max.poll.records",
        "restore.consumer.max.poll.records",
        "receive.buffer.bytes",
        "consumer.receive.buffer.bytes",
        "restore.consumer.receive.buffer.bytes",
        "fetch.max.wait.ms",
        "restore.consumer.fetch.max.wait.ms"
      })
  void a_setting_of_the_operator_reaches_the_restore_consumer(String key) {
    String name = key.replace("restore.", "").replace("consumer.", "");
    assertThat(settings(key).getRestoreConsumerConfigs("client").get(name)).hasToString("3333");
  }

  /** Kafka reads such a number, too. */
  @Test
  void a_number_may_end_with_a_blank() {
    WaterclockConfig config =
        WaterclockConfig.parse(
            Map.of(
                "bootstrap.servers",
                "127.0.0.1:1",
                "producer.max.request.size",
                "2097152 ",
                "commit.interval.ms",
                "700 "));
    assertThat(StreamsSettings.maxRequestBytes(config)).isEqualTo(2_097_152);
    assertThat(StreamsSettings.commitIntervalMs(config)).isEqualTo(700);
  }

  private static StreamsConfig settings(String key) {
    WaterclockConfig config =
        WaterclockConfig.parse(Map.of("bootstrap.servers", "127.0.0.1:1", key, "3333"));
    return new StreamsConfig(StreamsSettings.of(config, Optional.empty()));
  }
}
