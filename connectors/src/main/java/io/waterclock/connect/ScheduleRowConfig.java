package io.waterclock.connect;

import io.waterclock.connect.rows.RowField;
import io.waterclock.connect.rows.RowMapping;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
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

/** How {@link ScheduleRow} is configured. */
final class ScheduleRowConfig {
  private static final String PREFIX = "prefix";
  private static final String ERRORS_TOPIC = "errors.topic";
  private static final String MAPPING = "mapping";
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

  private final RowMapping mapping;
  private final String topic;
  private final String errorsTopic;
  private final int maxBytes;

  private ScheduleRowConfig(RowMapping mapping, String topic, String errorsTopic, int maxBytes) {
    this.mapping = mapping;
    this.topic = topic;
    this.errorsTopic = errorsTopic;
    this.maxBytes = maxBytes;
  }

  /**
   * @throws ConfigException that names the first key that is wrong, and what would be right
   */
  static ScheduleRowConfig of(Map<String, ?> given) {
    Map<String, Object> settings = new HashMap<>(ReadyMappings.of(given.get(MAPPING)));
    settings.putAll(given);
    AbstractConfig config = new AbstractConfig(DEFINITION, settings, false);
    Map<RowField, String> columns = fields(config, COLUMN);
    Map<RowField, String> constants = fields(config, VALUE);
    if (!columns.containsKey(RowField.ID)) {
      throw new ConfigException(
          "id.column is missing: it names the column with the schedules' ids; or choose a mapping: "
              + String.join(", ", ReadyMappings.NAMES));
    }
    Topics topics = topics(config.getString(PREFIX));
    String errors = config.getString(ERRORS_TOPIC);
    return new ScheduleRowConfig(
        new RowMapping(
            idPrefix(config.getString(ID_PREFIX)),
            config.getBoolean(ID_IS_PRIMARY_KEY),
            columns,
            constants,
            kinds(config),
            lower(config.getList(STATUSES)),
            pairs(config, CATCH_UPS),
            config.getString(PAYLOAD_AS).equals(JSON),
            zone(config.getString(LOCAL_TIMES))),
        topics.schedules(),
        errors.isEmpty() ? topics.dlq() : errors,
        config.getInt(MAX_BYTES));
  }

  RowMapping mapping() {
    return mapping;
  }

  String topic() {
    return topic;
  }

  String errorsTopic() {
    return errorsTopic;
  }

  int maxBytes() {
    return maxBytes;
  }

  String idColumn() {
    return String.valueOf(mapping.columns().get(RowField.ID));
  }

  private static ConfigDef definition() {
    ConfigDef definition =
        new ConfigDef()
            .define(
                PREFIX,
                ConfigDef.Type.STRING,
                Topics.DEFAULT_PREFIX,
                Importance.HIGH,
                "The scheduler's prefix: schedules go to <prefix>.schedules.")
            .define(
                MAPPING,
                ConfigDef.Type.STRING,
                "",
                ReadyMappings.validator(),
                Importance.HIGH,
                "A ready mapping of columns; every other setting may change a part of it. Empty:"
                    + " none.")
            .define(
                ERRORS_TOPIC,
                ConfigDef.Type.STRING,
                "",
                Importance.MEDIUM,
                "Where rows go that can be no schedule. Empty: <prefix>.dlq.")
            .define(
                MAX_BYTES,
                ConfigDef.Type.INT,
                1_000_000,
                ConfigDef.Range.between(1_000, 1_000_000_000),
                Importance.LOW,
                "The largest definition, in bytes. The topics and the worker's producer must take"
                    + " a little more; a larger one goes to errors.topic.")
            .define(
                ID_PREFIX,
                ConfigDef.Type.STRING,
                "",
                Importance.MEDIUM,
                "What stands before each id, for example \"billing/\".")
            .define(
                ID_IS_PRIMARY_KEY,
                ConfigDef.Type.BOOLEAN,
                false,
                Importance.MEDIUM,
                "True: the id's column is the table's primary key, and updates need not tell how"
                    + " the row was before. False: one that does not is a bad row.")
            .define(
                KINDS,
                ConfigDef.Type.LIST,
                "",
                Importance.MEDIUM,
                "Values of the column kind and the triggers that they mean, for example"
                    + " once:at,interval:every.")
            .define(
                STATUSES,
                ConfigDef.Type.LIST,
                "active",
                Importance.MEDIUM,
                "Values of the column status with which a schedule is enabled.")
            .define(
                CATCH_UPS,
                ConfigDef.Type.LIST,
                "",
                Importance.MEDIUM,
                "Values of the column catch_up and what they mean, for example"
                    + " false:skip,true:replay.")
            .define(
                PAYLOAD_AS,
                ConfigDef.Type.STRING,
                JSON,
                ConfigDef.ValidString.in(JSON, TEXT),
                Importance.MEDIUM,
                "Whether a payload in a text column is JSON or just text.")
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
            "The same for all rows whose column is null, or for all where no column is named.");
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

  private static Topics topics(String prefix) {
    try {
      return new Topics(prefix);
    } catch (InvalidIdException e) {
      throw new ConfigException(PREFIX, prefix, e.getMessage());
    }
  }

  private static String idPrefix(String prefix) {
    try {
      ScheduleId.parse(prefix + "a");
      return prefix;
    } catch (InvalidIdException e) {
      throw new ConfigException(ID_PREFIX, prefix, e.getMessage());
    }
  }

  private static Optional<ZoneId> zone(String name) {
    if (name.equals(OF_ROW)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instants.zone(name));
    } catch (InvalidValueException e) {
      throw new ConfigException(LOCAL_TIMES, name, e.getMessage());
    }
  }
}
