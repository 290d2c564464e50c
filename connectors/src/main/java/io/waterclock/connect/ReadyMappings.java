package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** The table mappings that come with the plug-ins: named sets of ordinary settings. */
final class ReadyMappings {
  private static final String SETTING = "mapping";

  static final List<String> NAMES = List.of("jobs", "polls", "workflows", "tasks");

  private ReadyMappings() {}

  static SettingDefinitions define(String documentation) {
    return new SettingDefinitions()
        .text(HIGH, SETTING, "", ("," + String.join(",", NAMES)).split(",", -1))
        .doc(documentation);
  }

  /** The given settings, and those of the mapping that they name. */
  static Map<String, Object> with(Map<String, ?> given) {
    Map<String, Object> settings = new HashMap<>(of(given.get(SETTING)));
    settings.putAll(given);
    return settings;
  }

  /**
   * The settings of a mapping.
   *
   * @param name the mapping; an unknown name has no settings
   */
  static Map<String, String> of(@Nullable Object name) {
    if (name == null || !NAMES.contains(name.toString())) {
      return Map.of();
    }
    Properties settings = new Properties();
    String file = "rows/" + name + ".properties";
    try (InputStream in = ReadyMappings.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing in the jar");
      }
      settings.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Utils.propsToStringMap(settings);
  }
}
