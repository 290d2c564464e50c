package io.waterclock.cli.online;

import io.waterclock.cli.Failure;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Topics;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Where the scheduler's topics are: the options of every online command. */
final class ConnectionOptions {
  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9092",
      description = "A Kafka broker (default: ${DEFAULT-VALUE}).")
  String bootstrapServer = "";

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "What the names of the topics begin with (default: ${DEFAULT-VALUE}).")
  String prefix = "";

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "Settings of the Kafka clients, such as security.protocol.")
  Optional<Path> commandConfig = Optional.empty();

  Topics topics() {
    try {
      return new Topics(prefix);
    } catch (InvalidIdException e) {
      throw new Failure("--prefix: " + e.getMessage(), e);
    }
  }

  /** The settings that all clients share; those from the file first. */
  Map<String, Object> clientSettings() {
    Map<String, Object> settings = new HashMap<>();
    commandConfig
        .map(ConnectionOptions::read)
        .ifPresent(file -> file.forEach((key, value) -> settings.put((String) key, value)));
    settings.put("bootstrap.servers", bootstrapServer);
    return settings;
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
