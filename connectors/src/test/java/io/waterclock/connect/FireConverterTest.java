package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;

class FireConverterTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");
  private final FireConverter converter = new FireConverter();

  private Struct struct(Fire fire, WireFormat format) {
    SchemaAndValue read =
        converter.toConnectData("fires", RecordCodecs.fire().encode(fire, format));
    assertThat(read.schema()).isEqualTo(FireConverter.SCHEMA);
    Struct struct = (Struct) read.value();
    struct.validate();
    return struct;
  }

  @Test
  void a_fire_is_a_flat_row_in_whichever_format_it_came() {
    Fire fire =
        TestFires.of(
            "reports/daily",
            AT,
            schedule -> {
              TestFires.payload(schedule, "application/json", "{\"a\":1}");
              schedule.setOwner("billing");
              schedule.setPriority(3);
            });
    fire.setNext(AT.plusSeconds(60));
    fire.setCollapsed(new Collapsed(4L, false, AT.minusSeconds(60)));
    for (WireFormat format : new WireFormat[] {WireFormat.AVRO, WireFormat.JSON}) {
      Struct row = struct(fire, format);
      assertThat(row.get("fire_id")).isEqualTo("45ab35b3-d783-5fca-a990-2ec57bf08623");
      assertThat(row.get("schedule_id")).isEqualTo("reports/daily");
      assertThat(row.get("occurrence")).isEqualTo(Date.from(AT));
      assertThat(row.get("fired_at")).isEqualTo(Date.from(AT.plusMillis(7)));
      assertThat(row.get("cause")).isEqualTo("SCHEDULED");
      assertThat(row.get("collapsed_count")).isEqualTo(4L);
      assertThat(row.get("collapsed_first")).isEqualTo(Date.from(AT.minusSeconds(60)));
      assertThat(row.get("owner")).isEqualTo("billing");
      assertThat(row.get("priority")).isEqualTo(3);
      assertThat(row.get("payload")).isEqualTo("{\"a\":1}");
      assertThat(row.get("queue")).isNull();
      assertThat(row.get("next_occurrence")).isEqualTo(Date.from(AT.plusSeconds(60)));
    }
  }

  @Test
  void a_payload_that_is_no_text_stands_in_base64() {
    Fire fire =
        TestFires.of(
            "a",
            AT,
            schedule -> schedule.setPayload(ByteBuffer.wrap(new byte[] {(byte) 0xff, 0, 1})));
    assertThat(struct(fire, WireFormat.AVRO).get("payload")).isEqualTo("/wAB");
  }

  /** PostgreSQL would refuse the row, and the sink would try it for ever. */
  @Test
  void values_that_no_database_stores_are_replaced() {
    Fire fire =
        TestFires.of(
            "a",
            AT,
            schedule -> {
              TestFires.payload(schedule, "text/plain", "a\0b");
              schedule.setOwner("a\0b");
            });
    fire.setRevision("a\0b");
    fire.setNext(Instant.ofEpochMilli(Long.MAX_VALUE));
    Struct row = struct(fire, WireFormat.AVRO);
    assertThat(row.get("payload")).isEqualTo("YQBi");
    assertThat(row.get("owner")).isEqualTo("a\ufffdb");
    assertThat(row.get("revision")).isEqualTo("a\ufffdb");
    assertThat(row.get("next_occurrence")).isNull();
  }

  @Test
  void a_record_that_is_not_a_fire_is_refused() {
    assertThatThrownBy(() -> converter.toConnectData("fires", new byte[] {9, 9}))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("Fire cannot be read");
    assertThat(converter.toConnectData("fires", null)).isEqualTo(SchemaAndValue.NULL);
  }

  @Test
  void ids_that_no_index_stores_make_no_row() {
    for (String wrong : List.of("\0", "a\0b", "x".repeat(3_000))) {
      Fire unnamed = TestFires.of("a", AT, schedule -> {});
      unnamed.setFireId(wrong);
      Fire unscheduled = TestFires.of("a", AT, schedule -> {});
      unscheduled.setScheduleId(wrong);
      for (Fire fire : List.of(unnamed, unscheduled)) {
        assertThatThrownBy(() -> struct(fire, WireFormat.AVRO)).isInstanceOf(DataException.class);
      }
    }
  }

  @Test
  void it_is_for_values_only() {
    assertThatThrownBy(() -> converter.configure(Map.of(), true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("StringConverter");
  }
}
