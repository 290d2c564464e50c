package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainValuesTest {
  private static Object plain(Schema schema, Object value) {
    Schema row = SchemaBuilder.struct().field("c", schema).build();
    return PlainValues.row(new Struct(row).put("c", value)).value("c").orElseThrow();
  }

  private static Object logical(SchemaBuilder type, String name, Object value) {
    return plain(type.name(name).build(), value);
  }

  @Test
  void reads_the_times_of_connect_and_debezium() {
    LocalDateTime time = LocalDateTime.parse("2026-03-04T10:00:00.250");
    long ms = 1_772_618_400_250L;
    assertThat(logical(SchemaBuilder.int64(), "io.debezium.time.Timestamp", ms)).isEqualTo(time);
    assertThat(logical(SchemaBuilder.int64(), "io.debezium.time.MicroTimestamp", ms * 1_000))
        .isEqualTo(time);
    assertThat(logical(SchemaBuilder.int64(), "io.debezium.time.NanoTimestamp", ms * 1_000_000))
        .isEqualTo(time);
    assertThat(plain(Timestamp.SCHEMA, Date.from(Instant.ofEpochMilli(ms)))).isEqualTo(time);
    assertThat(logical(SchemaBuilder.int32(), "io.debezium.time.Date", 20_516))
        .isEqualTo(LocalDateTime.parse("2026-03-04T00:00:00"));
    assertThat(
            logical(
                SchemaBuilder.string(),
                "io.debezium.time.ZonedTimestamp",
                "2026-03-04T11:00:00.25+01:00"))
        .isEqualTo(Instant.ofEpochMilli(ms));
    assertThat(logical(SchemaBuilder.string(), "io.debezium.time.ZonedTimestamp", "infinity"))
        .isEqualTo("infinity");
  }

  @ParameterizedTest
  @CsvSource({
    "P0Y0M0DT0H30M0S,PT30M",
    "P0Y0M0DT1H30M0.5S,PT1H30M0.5S",
    "P0Y0M0DT10H0M0.0S,PT10H",
    "P0Y1M0DT0H0M0S,P1M",
    "P1Y0M0D,P1Y",
    "P0Y0M7DT0H0M0S,P7D",
    "P0Y0M1DT2H0M0S,P1DT2H",
    "PT5M,PT5M",
    "P0Y0M0DT0H0M0S,P0D",
    "later,later",
  })
  void reads_intervals_of_postgresql_without_their_zeros(String text, String expected) {
    assertThat(logical(SchemaBuilder.string(), "io.debezium.time.Interval", text))
        .isEqualTo(expected);
  }

  @Test
  void reads_numbers_bytes_and_nested_values() {
    Schema decimal =
        SchemaBuilder.struct()
            .name("io.debezium.data.VariableScaleDecimal")
            .field("scale", Schema.INT32_SCHEMA)
            .field("value", Schema.BYTES_SCHEMA)
            .build();
    Struct tenth = new Struct(decimal).put("scale", 1).put("value", BigInteger.ONE.toByteArray());
    assertThat(plain(decimal, tenth)).isEqualTo(new BigDecimal("0.1"));
    assertThat(plain(Schema.INT8_SCHEMA, (byte) 7)).isEqualTo(7L);
    assertThat(plain(Schema.FLOAT64_SCHEMA, 1.5)).isEqualTo(new BigDecimal("1.5"));
    assertThat(plain(Schema.FLOAT64_SCHEMA, Double.NaN)).isEqualTo("NaN");
    assertThat(plain(Schema.BYTES_SCHEMA, ByteBuffer.wrap(new byte[] {1})))
        .isEqualTo(new byte[] {1});
    assertThat(plain(SchemaBuilder.array(Schema.INT32_SCHEMA).build(), List.of(1, 2)))
        .isEqualTo("[1,2]");
    assertThat(logical(SchemaBuilder.int64(), "io.debezium.time.MicroDuration", 300_000_000L))
        .isEqualTo("PT5M");
  }

  @Test
  void reads_maps_of_records_without_a_schema_and_nothing_else() {
    assertThat(PlainValues.row(Map.of("a", 1)).value("a")).contains(1L);
    assertThatThrownBy(() -> PlainValues.row("text"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("the record does not contain a row, but String");
  }
}
