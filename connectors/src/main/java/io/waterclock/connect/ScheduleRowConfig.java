package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.connect.rows.RowField;
import io.waterclock.connect.rows.RowMapping;
import io.waterclock.connect.rows.RowRules;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.text.Instants;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

record ScheduleRowConfig(
    RowRules rules,
    String idColumn,
    String topic,
    String commandsTopic,
    String errorsTopic,
    int maxBytes) {
  private static final String PREFIX = "prefix";
  private static final String ERRORS_TOPIC = "errors.topic";
  private static final String MAX_BYTES = "max.bytes";
  private static final String ID_PREFIX = "id.prefix";
  private static final String ID_IS_PRIMARY_KEY = "id.is.primary.key";
  private static final String KINDS = "kind.values";
  private static final String STATUSES = "status.enabled";
  private static final String CATCH_UPS = "catch_up.values";
  private static final String PAYLOAD_AS = "payload.as";
  private static final String LOCAL_TIMES = "local.times";
  private static final String COLUMN = ".column";
  private static final String VALUE = ".value";
  private static final String OF_ROW = "row";
  private static final String JSON = "json";
  private static final String TEXT = "text";

  static final ConfigDef DEFINITION = definition();

  /**
   * @throws ConfigException with the first wrong key and a valid example
   */
  static ScheduleRowConfig of(Map<String, ?> given) {
    AbstractConfig config = new AbstractConfig(DEFINITION, ReadyMappings.with(given), false);
    Map<RowField, String> columns = fields(config, COLUMN);
    Map<RowField, String> constants = fields(config, VALUE);
    String idColumn = columns.get(RowField.ID);
    if (idColumn == null) {
      throw new ConfigException(
          "id.column is missing: set it to the column with the schedules' ids, or choose a"
              + " mapping: "
              + String.join(", ", ReadyMappings.NAMES));
    }
    Topics topics = Setting.parse(PREFIX, config.getString(PREFIX), Topics::new);
    String errors = config.getString(ERRORS_TOPIC);
    return new ScheduleRowConfig(
        new RowRules(
            new RowMapping(
                Setting.parse(ID_PREFIX, config.getString(ID_PREFIX), ScheduleRowConfig::idPrefix),
                config.getBoolean(ID_IS_PRIMARY_KEY),
                columns,
                constants,
                kinds(config),
                lower(config.getList(STATUSES)),
                pairs(config, CATCH_UPS),
                config.getString(PAYLOAD_AS).equals(JSON),
                Setting.parse(
                    LOCAL_TIMES, config.getString(LOCAL_TIMES), ScheduleRowConfig::zone))),
        idColumn,
        topics.schedules(),
        topics.commands(),
        errors.isEmpty() ? topics.dlq() : errors,
        config.getInt(MAX_BYTES));
  }

  private static ConfigDef definition() {
    SettingDefinitions definition =
        ReadyMappings.define(
                "A ready mapping of columns; every other setting changes a part of it. Empty:"
                    + " none.")
            .text(HIGH, PREFIX, Topics.DEFAULT_PREFIX)
            .doc("The scheduler's prefix: schedules go to <prefix>.schedules.")
            .text(MEDIUM, ERRORS_TOPIC)
            .doc("The topic for rows that cannot be schedules. Empty: <prefix>.dlq.")
            .number(LOW, MAX_BYTES, 1_000_000, 1_000, 1_000_000_000)
            .doc(
                "The size limit of a definition, in bytes. A row with a larger definition goes to"
                    + " errors.topic. The topics and the worker's producer must allow slightly"
                    + " larger records.")
            .text(MEDIUM, ID_PREFIX)
            .doc("The prefix of each schedule id, for example \"billing/\".")
            .flag(MEDIUM, ID_IS_PRIMARY_KEY)
            .doc(
                "True: the id's column is the table's primary key, so updates need not contain"
                    + " the row before the change. False: an update without it is a bad row.")
            .list(MEDIUM, KINDS, "")
            .doc(
                "Values of the column kind and their triggers, for example once:at,interval:every.")
            .list(MEDIUM, STATUSES, "active")
            .doc("Values of the column status that enable a schedule.")
            .list(MEDIUM, CATCH_UPS, "")
            .doc(
                "Values of the column catch_up and their policies, for example"
                    + " false:skip,true:replay.")
            .text(MEDIUM, PAYLOAD_AS, JSON, JSON, TEXT)
            .doc("Whether a payload in a text column is JSON or plain text.")
            .text(MEDIUM, LOCAL_TIMES, "UTC")
            .doc("The time zone of times without an offset; \"row\": the row's own.");
    for (RowField field : RowField.values()) {
      definition.text(MEDIUM, field.key() + COLUMN).doc(field.documentation());
      if (field != RowField.ID) {
        definition
            .text(LOW, field.key() + VALUE)
            .doc(
                "The value for all rows whose column is null, or for all rows if no column is"
                    + " named.");
      }
    }
    return definition.settings();
  }

  private static Map<RowField, String> fields(AbstractConfig config, String ending) {
    Map<RowField, String> fields = new EnumMap<>(RowField.class);
    for (RowField field : RowField.values()) {
      if (DEFINITION.names().contains(field.key() + ending)) {
        Setting.text(config, field.key() + ending).ifPresent(text -> fields.put(field, text));
      }
    }
    return fields;
  }

  private static Map<String, RowField> kinds(AbstractConfig config) {
    Map<String, RowField> kinds = new LinkedHashMap<>();
    pairs(config, KINDS).forEach((value, name) -> kinds.put(value, trigger(name)));
    return kinds;
  }

  private static RowField trigger(String name) {
    String right = "one of cron, every, rrule and at is right, for example once:at";
    return RowField.trigger(name).orElseThrow(() -> new ConfigException(KINDS, name, right));
  }

  private static Map<String, String> pairs(AbstractConfig config, String key) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : config.getList(key)) {
      String[] parts = pair.split(":", -1);
      if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
        throw new ConfigException(key, pair, "must be value:meaning, for example false:skip");
      }
      pairs.put(parts[0].strip().toLowerCase(Locale.ROOT), parts[1].strip());
    }
    return pairs;
  }

  private static Set<String> lower(List<String> values) {
    return values.stream().map(value -> value.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  private static String idPrefix(String prefix) {
    ScheduleId.parse(prefix + "a");
    return prefix;
  }

  private static Optional<ZoneId> zone(String name) {
    return name.equals(OF_ROW) ? Optional.empty() : Optional.of(Instants.zone(name));
  }
}
