package io.waterclock.connect;

import io.waterclock.connect.rows.RowField;
import io.waterclock.connect.rows.RowMapping;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.text.Instants;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;

/** The settings of {@link ScheduleRow}. */
record ScheduleRowConfig(RowMapping mapping, String topic, String errorsTopic, int maxBytes) {
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
    if (!columns.containsKey(RowField.ID)) {
      throw new ConfigException(
          "id.column is missing: set it to the column with the schedules' ids, or choose a"
              + " mapping: "
              + String.join(", ", ReadyMappings.NAMES));
    }
    Topics topics = Setting.parse(PREFIX, config.getString(PREFIX), Topics::new);
    String errors = config.getString(ERRORS_TOPIC);
    return new ScheduleRowConfig(
        new RowMapping(
            Setting.parse(ID_PREFIX, config.getString(ID_PREFIX), ScheduleRowConfig::idPrefix),
            config.getBoolean(ID_IS_PRIMARY_KEY),
            columns,
            constants,
            kinds(config),
            lower(config.getList(STATUSES)),
            pairs(config, CATCH_UPS),
            config.getString(PAYLOAD_AS).equals(JSON),
            Setting.parse(LOCAL_TIMES, config.getString(LOCAL_TIMES), ScheduleRowConfig::zone)),
        topics.schedules(),
        errors.isEmpty() ? topics.dlq() : errors,
        config.getInt(MAX_BYTES));
  }

  String idColumn() {
    return String.valueOf(mapping.columns().get(RowField.ID));
  }

  private static ConfigDef definition() {
    ConfigDef definition =
        ReadyMappings.define(
                "A ready mapping of columns; every other setting changes a part of it. Empty: none.")
            .define(
                PREFIX,
                ConfigDef.Type.STRING,
                Topics.DEFAULT_PREFIX,
                Importance.HIGH,
                "The scheduler's prefix: schedules go to <prefix>.schedules.")
            .define(
                ERRORS_TOPIC,
                ConfigDef.Type.STRING,
                "",
                Importance.MEDIUM,
                "The topic for rows that cannot be schedules. Empty: <prefix>.dlq.")
            .define(
                MAX_BYTES,
                ConfigDef.Type.INT,
                1_000_000,
                ConfigDef.Range.between(1_000, 1_000_000_000),
                Importance.LOW,
                "The size limit of a definition, in bytes. A row with a larger definition goes to"
                    + " errors.topic. The topics and the worker's producer must allow slightly"
                    + " larger records.")
            .define(
                ID_PREFIX,
                ConfigDef.Type.STRING,
                "",
                Importance.MEDIUM,
                "The prefix of each schedule id, for example \"billing/\".")
            .define(
                ID_IS_PRIMARY_KEY,
                ConfigDef.Type.BOOLEAN,
                false,
                Importance.MEDIUM,
                "True: the id's column is the table's primary key, so updates need not contain"
                    + " the row before the change. False: an update without it is a bad row.")
            .define(
                KINDS,
                ConfigDef.Type.LIST,
                "",
                Importance.MEDIUM,
                "Values of the column kind and their triggers, for example once:at,interval:every.")
            .define(
                STATUSES,
                ConfigDef.Type.LIST,
                "active",
                Importance.MEDIUM,
                "Values of the column status that enable a schedule.")
            .define(
                CATCH_UPS,
                ConfigDef.Type.LIST,
                "",
                Importance.MEDIUM,
                "Values of the column catch_up and their policies, for example"
                    + " false:skip,true:replay.")
            .define(
                PAYLOAD_AS,
                ConfigDef.Type.STRING,
                JSON,
                ConfigDef.ValidString.in(JSON, TEXT),
                Importance.MEDIUM,
                "Whether a payload in a text column is JSON or plain text.")
            .define(
                LOCAL_TIMES,
                ConfigDef.Type.STRING,
                "UTC",
                Importance.MEDIUM,
                "The time zone of times without an offset; \"row\": the row's own.");
    for (RowField field : RowField.values()) {
      definition.define(
          field.key() + COLUMN,
          ConfigDef.Type.STRING,
          "",
          Importance.MEDIUM,
          field.documentation());
      if (field != RowField.ID) {
        definition.define(
            field.key() + VALUE,
            ConfigDef.Type.STRING,
            "",
            Importance.LOW,
            "The value for all rows whose column is null, or for all rows if no column is named.");
      }
    }
    return definition;
  }

  private static Map<RowField, String> fields(AbstractConfig config, String ending) {
    Map<RowField, String> fields = new EnumMap<>(RowField.class);
    Arrays.stream(RowField.values())
        .filter(field -> DEFINITION.names().contains(field.key() + ending))
        .forEach(
            field -> {
              String given = config.getString(field.key() + ending);
              if (!given.isBlank()) {
                fields.put(field, given.strip());
              }
            });
    return fields;
  }

  private static Map<String, RowField> kinds(AbstractConfig config) {
    Map<String, RowField> kinds = new LinkedHashMap<>();
    pairs(config, KINDS)
        .forEach(
            (value, trigger) ->
                kinds.put(
                    value,
                    RowField.trigger(trigger)
                        .orElseThrow(
                            () ->
                                new ConfigException(
                                    KINDS,
                                    trigger,
                                    "one of cron, every, rrule and at is right, for example"
                                        + " once:at"))));
    return kinds;
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
    return values.stream()
        .map(value -> value.toLowerCase(Locale.ROOT))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static String idPrefix(String prefix) {
    ScheduleId.parse(prefix + "a");
    return prefix;
  }

  private static Optional<ZoneId> zone(String name) {
    return name.equals(OF_ROW) ? Optional.empty() : Optional.of(Instants.zone(name));
  }
}
