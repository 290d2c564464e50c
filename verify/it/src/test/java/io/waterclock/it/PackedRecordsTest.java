package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.testkit.KafkaProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A record that is small on its way and huge when it is unpacked reaches no reader. */
@Timeout(600)
@Tag("all")
final class PackedRecordsTest {
  /** Packed by zstd these are less than 10 KB. */
  private static final int ZEROS = 64 << 20;

  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir static Path dir;
  private static KafkaProcess kafka;
  private static Tenant tenant;
  private static SchedulerProcess scheduler;

  @BeforeAll
  static void start() {
    kafka =
        KafkaProcess.start(
            dir.resolve("kafka"),
            0,
            Map.of("group.min.session.timeout.ms", "500"),
            List.of("-Xmx700m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    tenant = new Tenant(kafka.bootstrapServers(), "packed", dir);
    scheduler =
        SchedulerProcess.start(tenant.settings("one", Map.of("partitions", "1"))).awaitReady();
    try (Producing schedules = tenant.schedules()) {
      schedules.put("good", "{\"every\":\"1s\"}");
    }
  }

  @AfterAll
  static void stop() {
    scheduler.close();
    kafka.close();
  }

  static Stream<Function<Topics, String>> topics() {
    return Stream.of(
        Topics::schedules,
        Topics::commands,
        Topics::outcomes,
        Topics::strays,
        Topics::calendars,
        Topics::fires,
        Topics::missed,
        Topics::revisions,
        Topics::status,
        Topics::answers,
        Topics::watermarks,
        Topics::dlq);
  }

  @Test
  void the_broker_refuses_what_is_huge_when_it_is_unpacked() {
    refuse(Topics::schedules);
  }

  @ParameterizedTest
  @MethodSource("topics")
  void the_broker_refuses_it_in_every_topic(Function<Topics, String> topic) {
    refuse(topic);
  }

  private static void refuse(Function<Topics, String> topic) {
    try (Producing packing = packing(topic.apply(tenant.topics()))) {
      assertThatThrownBy(
              () -> packing.send(Optional.of(utf8("bomb")), Optional.of(new byte[ZEROS]), Map.of()))
          .rootCause()
          // the second where the broker's heap does not hold it either
          .isInstanceOfAny(RecordTooLargeException.class, UnknownServerException.class);
    }
    awaitFire("good");
    assertThat(scheduler.live().isOk()).isTrue();
  }

  @Test
  void what_is_packed_and_small_is_taken() {
    try (Producing packing = packing(tenant.topics().schedules())) {
      packing.put("packed", "{\"every\":\"1s\"}");
    }
    awaitFire("packed");
  }

  private static Producing packing(String topic) {
    return new Producing(
        kafka.bootstrapServers(),
        topic,
        Map.of("compression.type", "zstd", "max.request.size", 1 << 30, "buffer.memory", 1L << 30));
  }

  private static void awaitFire(String id) {
    Instant now = Instant.now();
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(BOUND)
          .until(
              () ->
                  fires.values().stream()
                      .anyMatch(
                          fire ->
                              fire.getScheduleId().equals(id) && fire.getFiredAt().isAfter(now)));
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
