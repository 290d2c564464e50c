package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.text.SafeText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Converts alerts, in any of their formats, to structs for sink connectors: a row of a table, or
 * the body of a request to a service that alerts people. HTTP sinks send a struct as JSON. It does
 * not write. Thread-safe.
 */
public final class AlertConverter extends FlatConverter<Alert> {
  private static final String FORM = "form";
  private static final String ROUTING_KEY = "routing.key";
  private static final int LONGEST_SUMMARY = 1_024; // of PagerDuty's events

  static final Schema ROW =
      SchemaBuilder.struct()
          .name("io.waterclock.connect.Alert")
          .field("schedule_id", Schema.STRING_SCHEMA)
          .field("kind", Schema.STRING_SCHEMA)
          .field("expectation", Schema.STRING_SCHEMA)
          .field("at", MAYBE_TIME)
          .field("decided_at", MAYBE_TIME)
          .field("occurrence", MAYBE_TIME)
          .field("expected_by", MAYBE_TIME)
          .field("fired_at", MAYBE_TIME)
          .field("fault", Schema.STRING_SCHEMA)
          .field("seen", Schema.OPTIONAL_STRING_SCHEMA)
          .field("seen_at", MAYBE_TIME)
          .field("error", Schema.OPTIONAL_STRING_SCHEMA)
          .field("withdrawn", Schema.BOOLEAN_SCHEMA)
          .field("revision", Schema.STRING_SCHEMA)
          .field("owner", Schema.OPTIONAL_STRING_SCHEMA)
          .field("contact", Schema.OPTIONAL_STRING_SCHEMA)
          .field("runbook", Schema.OPTIONAL_STRING_SCHEMA)
          .field("text", Schema.STRING_SCHEMA)
          .build();

  private static final Schema SLACK =
      SchemaBuilder.struct().field("text", Schema.STRING_SCHEMA).build();

  private static final Schema DETAILS =
      SchemaBuilder.struct()
          .field("summary", Schema.STRING_SCHEMA)
          .field("source", Schema.STRING_SCHEMA)
          .field("severity", Schema.STRING_SCHEMA)
          .field("timestamp", Schema.STRING_SCHEMA)
          .field("component", Schema.STRING_SCHEMA)
          .field("group", Schema.OPTIONAL_STRING_SCHEMA)
          .field("class", Schema.STRING_SCHEMA)
          .build();
  private static final Schema LINK =
      SchemaBuilder.struct()
          .field("href", Schema.STRING_SCHEMA)
          .field("text", Schema.STRING_SCHEMA)
          .build();
  private static final Schema PAGERDUTY =
      SchemaBuilder.struct()
          .field("routing_key", Schema.STRING_SCHEMA)
          .field("event_action", Schema.STRING_SCHEMA)
          .field("dedup_key", Schema.STRING_SCHEMA)
          .field("payload", DETAILS)
          .field("links", SchemaBuilder.array(LINK).build())
          .build();

  private enum Form {
    ROW,
    SLACK,
    PAGERDUTY;

    static Form parse(String text) {
      return Arrays.stream(values())
          .filter(form -> form.name().toLowerCase(Locale.ROOT).equals(text))
          .findFirst()
          .orElseThrow(
              () -> new ConfigException(FORM, text, "is none of row, slack and pagerduty"));
    }
  }

  private volatile Form form = Form.ROW;
  private volatile String routingKey = "";

  public AlertConverter() {
    super("alerts", RecordCodecs.alert());
  }

  @Override
  SettingDefinitions definition() {
    return super.definition()
        .text(HIGH, FORM, "row", "row", "slack", "pagerduty")
        .doc(
            "row: one field for each column. slack: the body of an incoming webhook. pagerduty: an"
                + " event of the Events API v2.")
        .secret(MEDIUM, ROUTING_KEY)
        .doc("With form=pagerduty: the integration key of the service.");
  }

  @Override
  public void configure(Map<String, ?> given, boolean isKey) {
    super.configure(given, isKey);
    form = Form.parse(Objects.toString(given.get(FORM), "row"));
    routingKey = Objects.toString(given.get(ROUTING_KEY), "");
    if (form == Form.PAGERDUTY && routingKey.isBlank()) {
      throw new ConfigException(
          ROUTING_KEY, routingKey, "is empty; form=pagerduty needs the integration key");
    }
  }

  @Override
  Struct struct(Alert alert) {
    return switch (form) {
      case ROW -> row(alert);
      case SLACK -> new Struct(SLACK).put("text", slack(alert));
      case PAGERDUTY -> pagerDuty(alert);
    };
  }

  private static Struct row(Alert alert) {
    return new Struct(ROW)
        .put("schedule_id", scheduleId(alert.getScheduleId()))
        .put("kind", alert.getKind().name())
        .put("expectation", alert.getExpectation().name())
        .put("at", date(alert.getAt()))
        .put("decided_at", date(alert.getDecidedAt()))
        .put("occurrence", date(alert.getOccurrence()))
        .put("expected_by", date(alert.getExpectedBy()))
        .put("fired_at", date(alert.getFiredAt()))
        .put("fault", alert.getFault().name())
        .put("seen", Optional.ofNullable(alert.getSeen()).map(Enum::name).orElse(null))
        .put("seen_at", date(alert.getSeenAt()))
        .put("error", text(alert.getError()))
        .put("withdrawn", alert.getWithdrawn())
        .put("revision", text(alert.getRevision()))
        .put("owner", text(alert.getOwner()))
        .put("contact", text(alert.getContact()))
        .put("runbook", text(alert.getRunbook()))
        .put("text", text(alert.getText()));
  }

  /** Slack reads three characters as markup: an error of a worker must not mention everyone. */
  private static String slack(Alert alert) {
    String text =
        String.join(
            "\n",
            Stream.of(
                    Optional.of(alert.getKind() + " " + alert.getText()),
                    Optional.ofNullable(alert.getOwner()).map(owner -> "Owner: " + owner),
                    Optional.ofNullable(alert.getContact()).map(whom -> "Contact: " + whom),
                    Optional.ofNullable(alert.getRunbook()).map(link -> "Runbook: " + link))
                .flatMap(Optional::stream)
                .toList());
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** One incident for each expectation of a schedule: its key is the same when it recovers. */
  private Struct pagerDuty(Alert alert) {
    boolean isOverdue = alert.getKind() == AlertKind.OVERDUE;
    Struct details =
        new Struct(DETAILS)
            .put("summary", SafeText.beginning(alert.getText(), LONGEST_SUMMARY))
            .put("source", alert.getScheduleId())
            .put("severity", "error")
            .put("timestamp", alert.getAt().toString())
            .put("component", alert.getScheduleId())
            .put("group", alert.getOwner())
            .put("class", alert.getFault().name());
    List<Struct> links =
        Optional.ofNullable(alert.getRunbook()).stream()
            .map(link -> new Struct(LINK).put("href", link).put("text", "Runbook"))
            .toList();
    return new Struct(PAGERDUTY)
        .put("routing_key", routingKey)
        .put("event_action", isOverdue ? "trigger" : "resolve")
        .put("dedup_key", dedupKey(alert))
        .put("payload", details)
        .put("links", links);
  }

  /** PagerDuty's longest key has 255 characters, and so has an id. */
  private static String dedupKey(Alert alert) {
    String key = alert.getExpectation() + " " + alert.getScheduleId();
    return key.length() <= 255
        ? key
        : SafeText.beginning(key, 240) + " " + Integer.toHexString(key.hashCode());
  }
}
