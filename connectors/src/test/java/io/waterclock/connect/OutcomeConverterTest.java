package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class OutcomeConverterTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");
  private static final Fire FIRE = TestFires.of("reports/daily", AT, schedule -> {});
  private final OutcomeConverter converter = new OutcomeConverter();

  private static Outcome.Builder outcome(OutcomeState state) {
    return Outcome.newBuilder().setFireKey(TestFires.key(FIRE)).setState(state);
  }

  private Struct struct(Outcome outcome, WireFormat format) {
    SchemaAndValue read =
        converter.toConnectData("outcomes", RecordCodecs.outcome().encode(outcome, format));
    assertThat(read.schema()).isEqualTo(OutcomeConverter.SCHEMA);
    Struct struct = (Struct) read.value();
    struct.validate();
    return struct;
  }

  @Test
  void an_outcome_is_a_flat_row_in_whichever_format_it_came() {
    Outcome failed =
        outcome(OutcomeState.FAILED)
            .setFireId(FIRE.getFireId())
            .setAttempt(4)
            .setStartedAt(AT.plusSeconds(1))
            .setEndedAt(AT.plusSeconds(9))
            .setOutput("half\0done")
            .setError("no connection")
            .build();
    for (WireFormat format : new WireFormat[] {WireFormat.AVRO, WireFormat.JSON}) {
      Struct row = struct(failed, format);
      assertThat(row.get("fire_id")).isEqualTo(FIRE.getFireId());
      assertThat(row.get("schedule_id")).isEqualTo("reports/daily");
      assertThat(row.get("occurrence")).isEqualTo(Date.from(AT));
      assertThat(row.get("status")).isEqualTo("FAILED");
      assertThat(row.get("attempt")).isEqualTo(4);
      assertThat(row.get("started_at")).isEqualTo(Date.from(AT.plusSeconds(1)));
      assertThat(row.get("ended_at")).isEqualTo(Date.from(AT.plusSeconds(9)));
      assertThat(row.get("output")).isEqualTo("half\ufffddone");
      assertThat(row.get("error")).isEqualTo("no connection");
      assertThat(row.get("reason")).isNull();
    }
  }

  @Test
  void a_missing_fire_id_is_computed_from_the_key() {
    Outcome started = outcome(OutcomeState.STARTED).build();
    assertThat(struct(started, WireFormat.JSON).get("fire_id")).isEqualTo(FIRE.getFireId());
    converter.configure(Map.of("prefix", "other"), false);
    assertThat(struct(started, WireFormat.JSON).get("fire_id")).isNotEqualTo(FIRE.getFireId());
  }

  /** A sink would try a row again for ever whose key no index stores, and other fires have rows. */
  @Test
  void a_fire_id_that_is_not_that_of_the_key_makes_no_row() {
    String other = TestFires.of("reports/other", AT, schedule -> {}).getFireId();
    for (String wrong : List.of(other, "\0", FIRE.getFireId() + "\0", "x".repeat(3_000))) {
      Outcome bad = outcome(OutcomeState.SUCCEEDED).setFireId(wrong).build();
      assertThatThrownBy(() -> struct(bad, WireFormat.AVRO))
          .isInstanceOf(DataException.class)
          .hasMessageContaining(FIRE.getFireId())
          .hasMessageContaining("prefix");
    }
    Outcome odd = outcome(OutcomeState.SUCCEEDED).setBackfill("a\0b").setReason("\0").build();
    assertThat(struct(odd, WireFormat.AVRO).get("backfill")).isEqualTo("a\ufffdb");
    assertThat(struct(odd, WireFormat.AVRO).get("reason")).isEqualTo("\ufffd");
  }

  @Test
  void the_outcome_of_a_delivery_that_has_run_before_is_a_duplicate_and_no_other_one_is() {
    Outcome dropped = outcome(OutcomeState.DROPPED).setReason("DUPLICATE").build();
    Outcome late = outcome(OutcomeState.DROPPED).setReason("TOO_SOON").build();
    Outcome said = outcome(OutcomeState.SUCCEEDED).setReason("DUPLICATE").setBackfill("b").build();
    assertThat(isDuplicate(dropped)).isTrue();
    assertThat(isDuplicate(late)).isFalse();
    assertThat(isDuplicate(said)).isFalse();
    assertThat(struct(said, WireFormat.AVRO).get("backfill")).isEqualTo("b");
  }

  private boolean isDuplicate(Outcome outcome) {
    try (IsDuplicate<SinkRecord> predicate = new IsDuplicate<>()) {
      return predicate.test(
          new SinkRecord(
              "outcomes",
              0,
              null,
              null,
              OutcomeConverter.SCHEMA,
              struct(outcome, WireFormat.AVRO),
              0));
    }
  }

  /** Anyone who may report writes there: one bad record must not end a sink. */
  @Test
  void values_that_a_table_cannot_store_make_no_row_or_a_null() {
    Outcome keyless = outcome(OutcomeState.SUCCEEDED).setFireKey("nothing").build();
    Outcome beyond =
        outcome(OutcomeState.SUCCEEDED).setFireKey("a|+292278994-08-17T07:12:55.807Z").build();
    for (Outcome bad : new Outcome[] {keyless, beyond}) {
      assertThatThrownBy(() -> struct(bad, WireFormat.AVRO)).isInstanceOf(DataException.class);
    }
    assertThatThrownBy(() -> converter.toConnectData("outcomes", new byte[] {9}))
        .isInstanceOf(DataException.class);
    Instant end = Instant.ofEpochMilli(Long.MAX_VALUE);
    Outcome far = outcome(OutcomeState.STARTED).setStartedAt(end).build();
    assertThat(struct(far, WireFormat.AVRO).get("started_at")).isNull();
    assertThat(converter.toConnectData("outcomes", null)).isEqualTo(SchemaAndValue.NULL);
  }

  @Test
  void it_is_for_values_and_for_a_prefix_that_is_one() {
    assertThatThrownBy(() -> converter.configure(Map.of(), true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("StringConverter");
    assertThatThrownBy(() -> converter.configure(Map.of("prefix", "a b"), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("topic prefix");
  }
}
