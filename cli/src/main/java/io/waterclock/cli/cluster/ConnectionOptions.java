package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that locate the topics of a scheduler, for every command that needs Kafka. */
public final class ConnectionOptions {
  /** Above these options in the help of a command. */
  public static final String HEADING = "%nConnection:%n";

  private static final String BOOTSTRAP = "bootstrap.servers";
  private static final String PREFIX = "prefix";
  private static final String TIMEOUT = "timeout";
  private static final String LOCAL = "127.0.0.1:9092";

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description =
          "A Kafka broker (default: $WATERCLOCK_BOOTSTRAP_SERVERS, bootstrap.servers of"
              + " --command-config or of the context, or "
              + LOCAL
              + ").")
  Optional<String> bootstrapServer = Optional.empty();

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description =
          "The prefix of the topic names (default: $WATERCLOCK_PREFIX, prefix of --command-config"
              + " or of the context, or "
              + Topics.DEFAULT_PREFIX
              + ").")
  Optional<String> prefix = Optional.empty();

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "A named connection, see 'waterclock context' (default: $WATERCLOCK_CONTEXT, or the one"
              + " in use unless another option or variable names a broker).")
  Optional<String> context = Optional.empty();

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description =
          "A properties file with settings of the Kafka clients, for example security.protocol, and"
              + " of the schema registry.")
  Optional<Path> commandConfig = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "The longest wait for each answer, of a broker or of the scheduler (default: timeout of"
              + " --command-config or of the context; else 5s for a broker, and for the scheduler"
              + " 10s, 30s in apply and import, 10m in doctor --watchdog)."
              + " default.api.timeout.ms is that of a broker alone.")
  Optional<Duration> timeout = Optional.empty();

  @Option(
      names = "--property",
      paramLabel = "KEY=VALUE",
      description =
          "One such setting, for example schema.registry.url=http://127.0.0.1:8081; may be"
              + " repeated. Overrides the file.")
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

  private final UnaryOperator<@Nullable String> environment;
  private final Contexts contexts;

  /** Options that read this process's environment and the user's contexts. */
  public ConnectionOptions() {
    this(System::getenv, Contexts.ofUser());
  }

  ConnectionOptions(UnaryOperator<@Nullable String> environment, Contexts contexts) {
    this.environment = environment;
    this.contexts = contexts;
  }

  /** The broker that the options name. */
  String bootstrapServer() {
    return first(bootstrapServer, "WATERCLOCK_BOOTSTRAP_SERVERS", BOOTSTRAP).orElse(LOCAL);
  }

  Topics topics() {
    try {
      return new Topics(first(prefix, "WATERCLOCK_PREFIX", PREFIX).orElse(Topics.DEFAULT_PREFIX));
    } catch (InvalidIdException e) {
      throw new Failure("--prefix: " + e.getMessage(), e);
    }
  }

  Map<String, Object> clientSettings() {
    Map<String, Object> settings = new HashMap<>(given());
    settings.keySet().removeAll(RegistrySettings.KEYS);
    settings.remove(PREFIX);
    settings.remove(TIMEOUT);
    settings.put(BOOTSTRAP, bootstrapServer());
    timeout().ifPresent(time -> settings.putIfAbsent(Cluster.LONGEST_CALL, (int) time.toMillis()));
    return settings;
  }

  /** The longest wait for each answer; empty if the defaults apply. */
  Optional<Duration> timeout() {
    try {
      return Optional.ofNullable(given().get(TIMEOUT))
          .map(Durations::parse)
          .map(ConnectionOptions::bounded);
    } catch (InvalidValueException e) {
      throw new Failure(TIMEOUT + ": " + e.getMessage(), e);
    }
  }

  /** Opens a client that keeps its own time-outs. */
  Schedules schedules() {
    Map<String, Object> settings = new HashMap<>(given());
    settings.remove(PREFIX);
    settings.remove(BOOTSTRAP);
    settings.remove(TIMEOUT);
    return Schedules.builder(bootstrapServer()).prefix(topics().prefix()).kafka(settings).build();
  }

  private static Duration bounded(Duration time) {
    if (time.isZero() || time.toMillis() > Integer.MAX_VALUE) {
      throw new InvalidValueException("\"" + time + "\" is not within 1ms and 24d", "30s");
    }
    return time;
  }

  /** The connection as a context stores it. */
  Map<String, String> toContext() {
    Map<String, String> settings = new TreeMap<>(given());
    settings.put(BOOTSTRAP, bootstrapServer());
    settings.put(PREFIX, topics().prefix());
    return settings;
  }

  private Optional<String> first(Optional<String> option, String variable, String key) {
    Optional<String> given = Optional.ofNullable(given().get(key));
    Optional<String> fromVariable = variable(variable);
    return option.or(
        () -> context.isPresent() ? given.or(() -> fromVariable) : fromVariable.or(() -> given));
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
  }

  /** The context in use is for commands that name no broker in another way. */
  private Optional<String> contextName() {
    boolean namesBroker =
        bootstrapServer.isPresent()
            || commandConfig.filter(file -> Contexts.read(file).containsKey(BOOTSTRAP)).isPresent()
            || variable("WATERCLOCK_BOOTSTRAP_SERVERS").isPresent();
    return context
        .or(() -> variable("WATERCLOCK_CONTEXT"))
        .or(() -> namesBroker ? Optional.empty() : contexts.current());
  }

  Map<String, String> registry() {
    Map<String, String> settings = given();
    settings.keySet().retainAll(RegistrySettings.KEYS);
    return settings;
  }

  private Map<String, String> given() {
    Map<String, String> given = new HashMap<>();
    contextName().map(contexts::get).ifPresent(given::putAll);
    commandConfig.map(Contexts::read).ifPresent(given::putAll);
    timeout.ifPresent(
        time -> {
          given.remove(Cluster.LONGEST_CALL);
          given.put(TIMEOUT, time.toString());
        });
    propertyFile.forEach((key, file) -> given.put(key, content(file)));
    propertyEnv.forEach((key, variable) -> given.put(key, value(variable)));
    given.putAll(property);
    return given;
  }

  private static String content(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new Failure(
          "--property-file: " + file + " cannot be read: " + Contexts.reason(e) + ".", e);
    }
  }

  private String value(String variable) {
    return variable(variable)
        .orElseThrow(
            () ->
                new Failure("--property-env: the variable " + variable + " is not set, or empty."));
  }
}
