package io.waterclock.runtime.config;

import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Merges settings: a properties file, then environment variables, then flags; later sources win. An
 * empty variable counts as unset: Compose makes one of <code>${NAME:-}</code>.
 */
public final class ConfigSources {
  /** {@code WATERCLOCK_BOOTSTRAP_SERVERS} sets {@code bootstrap.servers}. */
  public static final String ENVIRONMENT_PREFIX = "WATERCLOCK_";

  /** Pins the time-zone data of the process, see {@code ZoneDataPin}. */
  public static final String ZONE_DATA = ENVIRONMENT_PREFIX + "TZDB";

  /** Variables of the launcher, and of the commands that ask a cluster; no settings. */
  private static final List<String> NO_SETTINGS =
      List.of(
          "WATERCLOCK_OPTS",
          "WATERCLOCK_CLASSPATH",
          "WATERCLOCK_HOME",
          "WATERCLOCK_CONTEXT",
          ZONE_DATA);

  private ConfigSources() {}

  /**
   * @throws InvalidConfigException if the file cannot be read
   */
  public static Map<String, String> gather(
      Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
    Map<String, String> settings = new TreeMap<>();
    file.ifPresent(path -> settings.putAll(read(path)));
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX)
              && !NO_SETTINGS.contains(name)
              && !value.isBlank()) {
            String key = name.substring(ENVIRONMENT_PREFIX.length());
            settings.put(key.toLowerCase(Locale.ROOT).replace('_', '.'), value);
          }
        });
    settings.putAll(flags);
    return settings;
  }

  private static Map<String, String> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new InvalidConfigException(List.of("there is no configuration file " + file));
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidConfigException(
          List.of("the configuration file " + file + " cannot be read: " + RootCause.of(e)));
    }
    Map<String, String> settings = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
    return settings;
  }
}
