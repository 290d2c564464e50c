package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.registry.RegistrySettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** The options that locate the topics of a scheduler, for every command that needs Kafka. */
public final class ConnectionOptions {
  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9092",
      description = "A Kafka broker (default: ${DEFAULT-VALUE}).")
  public String bootstrapServer = "";

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "The prefix of the topic names (default: ${DEFAULT-VALUE}).")
  public String prefix = "";

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description =
          "A properties file with settings of the Kafka clients, for example security.protocol, and"
              + " of the schema registry.")
  Optional<Path> commandConfig = Optional.empty();

  @Option(
      names = "--property",
      paramLabel = "KEY=VALUE",
      description =
          "One such setting, for example schema.registry.url=http://127.0.0.1:8081; may be repeated."
              + " Overrides the file.")
  Map<String, String> property = new LinkedHashMap<>();

  @Option(
      names = "--property-file",
      paramLabel = "KEY=FILE",
      description =
          "One such setting with the content of a file as its value, for example"
              + " sasl.jaas.config=/run/secrets/jaas. Every user of the machine can read the"
              + " arguments of a command, but not the file.")
  Map<String, Path> propertyFile = new LinkedHashMap<>();

  @Option(
      names = "--property-env",
      paramLabel = "KEY=VARIABLE",
      description = "One such setting with the value of an environment variable.")
  Map<String, String> propertyEnv = new LinkedHashMap<>();

  Topics topics() {
    try {
      return new Topics(prefix);
    } catch (InvalidIdException e) {
      throw new Failure("--prefix: " + e.getMessage(), e);
    }
  }

  /** The settings that all clients share. */
  Map<String, Object> clientSettings() {
    Map<String, Object> settings = new HashMap<>(given());
    settings.keySet().removeAll(RegistrySettings.KEYS);
    settings.put("bootstrap.servers", bootstrapServer);
    return settings;
  }

  /**
   * The schema registry; empty if none is configured.
   *
   * @throws Failure if its settings are wrong
   */
  Optional<RegistrySettings> registry() {
    List<String> problems = new ArrayList<>();
    Optional<RegistrySettings> registry = RegistrySettings.parse(given(), problems);
    if (!problems.isEmpty()) {
      throw new Failure(problems);
    }
    return registry;
  }

  private Map<String, String> given() {
    Map<String, String> given = new HashMap<>();
    commandConfig
        .map(ConnectionOptions::read)
        .ifPresent(file -> file.forEach((key, value) -> given.put((String) key, (String) value)));
    propertyFile.forEach((key, file) -> given.put(key, content(file)));
    propertyEnv.forEach((key, variable) -> given.put(key, value(variable)));
    given.putAll(property);
    return given;
  }

  private static String content(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new Failure("--property-file: " + file + " cannot be read: " + e + ".", e);
    }
  }

  private static String value(String variable) {
    return Optional.ofNullable(System.getenv(variable))
        .orElseThrow(
            () -> new Failure("--property-env: the variable " + variable + " is not set."));
  }

  private static Properties read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return properties;
    } catch (IOException | IllegalArgumentException e) {
      throw new Failure("The settings in " + file + " cannot be read: " + e + ".", e);
    }
  }
}
