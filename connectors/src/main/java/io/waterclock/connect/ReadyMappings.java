package io.waterclock.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** Mappings of tables that come with the plug-ins: settings like any others, under a name. */
final class ReadyMappings {
  static final List<String> NAMES = List.of("jobs", "polls", "workflows", "tasks");

  private ReadyMappings() {}

  /** Takes these names, and none. */
  static ConfigDef.Validator validator() {
    return ConfigDef.ValidString.in(("," + String.join(",", NAMES)).split(",", -1));
  }

  /**
   * The settings of a mapping.
   *
   * @param name if it is none of ours there are no settings
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
    return settings.stringPropertyNames().stream()
        .collect(Collectors.toMap(key -> key, settings::getProperty));
  }
}
