package io.waterclock.schemas.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSerializersTest {
  private static final Schedule DAILY =
      Schedule.newBuilder().setTrigger(new CronTrigger("0 9 * * *")).build();

  private static ScheduleSerializer serializer(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    ScheduleSerializer serializer = new ScheduleSerializer();
    serializer.configure(all, false);
    return serializer;
  }

  @ParameterizedTest
  @CsvSource({"avro, AVRO", "JSON, JSON"})
  void a_schedule_is_written_in_the_format_that_is_set(String format, WireFormat written) {
    byte[] bytes = serializer(ScheduleSerializer.FORMAT, format).serialize("t", DAILY);
    assertThat(bytes).isEqualTo(RecordCodecs.schedule().encode(DAILY, written));
    assertThat(new ScheduleDeserializer().deserialize("t", bytes)).isEqualTo(DAILY);
  }

  @Test
  void avro_is_the_default_and_a_tombstone_stays_null() {
    assertThat(serializer().serialize("t", DAILY)).startsWith(0xC3, 0x01);
    assertThat(serializer().serialize("t", null)).isNull();
    assertThat(new FireDeserializer().deserialize("t", (byte[]) null)).isNull();
  }

  @Test
  void what_cannot_be_written_or_read_is_an_error_of_serialization() {
    Schedule none = new Schedule();
    assertThatThrownBy(() -> serializer().serialize("t", none))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("the record is incomplete");
    assertThatThrownBy(() -> new FireDeserializer().deserialize("t", "?".getBytes(UTF_8)))
        .isInstanceOf(UndecodableException.class);
    byte[] confluent = {0, 0, 0, 0, 1, 0};
    assertThatThrownBy(() -> new FireDeserializer().deserialize("t", confluent))
        .hasMessageContaining("set schema.registry.url");
  }

  @Test
  void a_registry_that_is_away_is_an_error_that_may_pass() {
    FireDeserializer fires = new FireDeserializer();
    fires.configure(Map.of("schema.registry.url", "http://127.0.0.1:1"), false);
    assertThatThrownBy(() -> fires.deserialize("t", new byte[] {0, 0, 0, 0, 1, 0}))
        .isInstanceOf(SchemaUnavailableException.class);
  }

  @Test
  void a_wrong_setting_is_refused() {
    assertThatThrownBy(() -> serializer(ScheduleSerializer.FORMAT, "xml"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("avro, avro-registry or json is right");
    assertThatThrownBy(() -> serializer(ScheduleSerializer.FORMAT, "avro-registry"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("avro-registry needs schema.registry.url");
    assertThatThrownBy(() -> new FireDeserializer().configure(Map.of(), true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("FireDeserializer is for values");
  }
}
