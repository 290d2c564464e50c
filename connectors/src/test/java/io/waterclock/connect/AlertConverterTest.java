package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.OutcomeState;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;

class AlertConverterTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");

  private static Alert.Builder overdue() {
    return Alert.newBuilder()
        .setScheduleId("reports/daily")
        .setKind(AlertKind.OVERDUE)
        .setExpectation(Expectation.SUCCEEDED_WITHIN)
        .setAt(AT.plusSeconds(60))
        .setDecidedAt(AT.plusSeconds(61))
        .setOccurrence(AT)
        .setExpectedBy(AT.plusSeconds(60))
        .setFault(Fault.WORKER)
        .setSeen(OutcomeState.FAILED)
        .setSeenAt(AT.plusSeconds(2))
        .setError("<!channel> no disk")
        .setRevision("waterclock.schedules-0@7")
        .setOwner("acme")
        .setContact("#acme")
        .setRunbook("https://wiki.example.com/a?b&c")
        .setText("reports/daily: late; a worker reported FAILED: <!channel> no disk");
  }

  private static SchemaAndValue converted(Map<String, String> settings, Alert alert) {
    AlertConverter converter = new AlertConverter();
    converter.configure(settings, false);
    SchemaAndValue read =
        converter.toConnectData("alerts", RecordCodecs.alert().encode(alert, WireFormat.AVRO));
    ((Struct) read.value()).validate();
    return read;
  }

  /** As HTTP sinks send it. */
  private static Map<?, ?> sent(Map<String, String> settings, Alert alert) throws IOException {
    SchemaAndValue read = converted(settings, alert);
    try (JsonConverter json = new JsonConverter()) {
      json.configure(Map.of("schemas.enable", false, "converter.type", "value"));
      return new ObjectMapper()
          .readValue(json.fromConnectData("alerts", read.schema(), read.value()), Map.class);
    }
  }

  @Test
  void an_alert_is_a_flat_row() {
    Struct row = (Struct) converted(Map.of(), overdue().build()).value();
    assertThat(row.get("schedule_id")).isEqualTo("reports/daily");
    assertThat(row.get("kind")).isEqualTo("OVERDUE");
    assertThat(row.get("expected_by")).isEqualTo(Date.from(AT.plusSeconds(60)));
    assertThat(row.get("fault")).isEqualTo("WORKER");
    assertThat(row.get("seen")).isEqualTo("FAILED");
    assertThat(row.get("fired_at")).isNull();
    assertThat(row.get("withdrawn")).isEqualTo(false);
  }

  /** PostgreSQL would refuse the row, and the sink would try it for ever. */
  @Test
  void values_that_no_database_stores_are_replaced_or_make_no_row() {
    Alert odd =
        overdue()
            .setError("\0")
            .setRevision("\0")
            .setOwner("\0")
            .setContact("\0")
            .setRunbook("\0")
            .setText("\0")
            .build();
    Struct row = (Struct) converted(Map.of(), odd).value();
    for (Field column : row.schema().fields()) {
      assertThat(String.valueOf(row.get(column))).as(column.name()).doesNotContain("\0");
    }
    Alert unnamed = overdue().setScheduleId("\0").build();
    assertThatThrownBy(() -> converted(Map.of(), unnamed)).isInstanceOf(DataException.class);
  }

  @Test
  void slack_gets_a_text_in_which_nothing_mentions_a_channel() throws IOException {
    assertThat(sent(Map.of("form", "slack"), overdue().build()))
        .isEqualTo(
            Map.of(
                "text",
                """
                OVERDUE reports/daily: late; a worker reported FAILED: &lt;!channel&gt; no disk
                Owner: acme
                Contact: #acme
                Runbook: https://wiki.example.com/a?b&amp;c"""));
  }

  @Test
  void pagerduty_gets_an_incident_that_its_recovery_resolves() throws IOException {
    Map<String, String> settings = Map.of("form", "pagerduty", "routing.key", "R0");
    Map<?, ?> trigger = sent(settings, overdue().build());
    assertThat(trigger.get("routing_key")).isEqualTo("R0");
    assertThat(trigger.get("event_action")).isEqualTo("trigger");
    assertThat(trigger.get("payload"))
        .isEqualTo(
            Map.of(
                "summary", "reports/daily: late; a worker reported FAILED: <!channel> no disk",
                "source", "reports/daily",
                "severity", "error",
                "timestamp", "2026-11-21T10:01:00Z",
                "component", "reports/daily",
                "group", "acme",
                "class", "WORKER"));
    Map<?, ?> resolve = sent(settings, overdue().setKind(AlertKind.RECOVERED).build());
    assertThat(resolve.get("event_action")).isEqualTo("resolve");
    assertThat(resolve.get("dedup_key")).isEqualTo(trigger.get("dedup_key"));
    Alert other = overdue().setExpectation(Expectation.STARTED_WITHIN).build();
    assertThat(sent(settings, other).get("dedup_key")).isNotEqualTo(trigger.get("dedup_key"));
    Alert longest = overdue().setScheduleId("a".repeat(255)).build();
    assertThat((String) sent(settings, longest).get("dedup_key")).hasSizeLessThanOrEqualTo(255);
  }

  @Test
  void a_wrong_setting_is_refused() {
    assertThatThrownBy(() -> converted(Map.of("form", "teams"), overdue().build()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("row, slack and pagerduty");
    assertThatThrownBy(() -> converted(Map.of("form", "pagerduty"), overdue().build()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("integration key");
  }
}
