package io.waterclock.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.waterclock.client.TestFires;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

final class FireReaderTest {
  private static final byte[] NO_KEY = {};

  private static ObjectNode fire() {
    return (ObjectNode)
        RecordCodecs.fire()
            .toJson(
                TestFires.of(
                    "a",
                    Instant.parse("2026-11-21T10:00:00Z"),
                    Duration.ofMinutes(1),
                    definition -> {}));
  }

  private static boolean isBeyondThisWorker(byte[] value, String type) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("waterclock.fires", 0, 0, NO_KEY, value);
    record.headers().add(HeaderNames.CE_TYPE, type.getBytes(UTF_8));
    return FireReader.isBeyondThisWorker(
        record,
        catchThrowableOfType(UndecodableException.class, () -> RecordCodecs.fire().decode(value)));
  }

  private static boolean isBeyondThisWorker(ObjectNode fire) {
    return isBeyondThisWorker(fire.toString().getBytes(UTF_8), HeaderNames.FIRE_TYPE);
  }

  @Test
  void a_fire_with_what_only_a_newer_release_knows_is_beyond_this_worker() {
    assertThat(isBeyondThisWorker(fire().put("colour", "blue"))).isTrue();
    assertThat(isBeyondThisWorker(fire().put("cause", "ECLIPSE"))).isTrue();
    byte[] avro = {(byte) 0xc3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};
    assertThat(isBeyondThisWorker(avro, HeaderNames.FIRE_TYPE)).isTrue();
  }

  @Test
  void a_delayed_record_is_for_its_target_and_not_for_workers() {
    assertThat(isForItsTargetAlone("{\"topic\":\"orders\"}")).isFalse();
    assertThat(isForItsTargetAlone("{\"topic\":\"orders\",\"record\":{}}")).isTrue();
  }

  private static boolean isForItsTargetAlone(String target) {
    ObjectNode fire = fire();
    fire.withObject("/schedule").putRawValue("target", new RawValue(target));
    return FireReader.isForItsTargetAlone(
        RecordCodecs.fire().decode(fire.toString().getBytes(UTF_8)));
  }

  @Test
  void a_fire_of_a_registry_is_beyond_a_worker_without_one() {
    byte[] registry = {0, 0, 0, 0, 42, 0};
    assertThat(isBeyondThisWorker(registry, HeaderNames.FIRE_TYPE)).isTrue();
  }

  @Test
  void what_is_broken_or_not_a_fire_is_a_dead_letter() {
    assertThat(isBeyondThisWorker(fire().put("colour", "blue").put("due", "yesterday"))).isFalse();
    assertThat(isBeyondThisWorker(new byte[] {'{'}, HeaderNames.FIRE_TYPE)).isFalse();
    byte[] newer = fire().put("colour", "blue").toString().getBytes(UTF_8);
    assertThat(isBeyondThisWorker(newer, "another.type")).isFalse();
  }
}
