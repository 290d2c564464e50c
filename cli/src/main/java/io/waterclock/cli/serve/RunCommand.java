package io.waterclock.cli.serve;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.InstanceClients;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.LoginFailures;
import io.waterclock.cli.terminal.Logs;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.Console;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.InvalidConfigException;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
    name = "run",
    description = {
      "Run one instance of the scheduler against a Kafka cluster.",
      "",
      "Settings come from the file, from environment variables (WATERCLOCK_BOOTSTRAP_SERVERS sets"
          + " bootstrap.servers) and from --set; a later source overrides an earlier one. Kafka"
          + " Streams and its clients receive their own settings. docs/configuration.md lists the"
          + " settings of Waterclock.",
      "",
      "With console=on the process also serves the web console; docs/console.md describes it.",
      "",
      "On SIGTERM the instance commits its transaction, leaves the consumer group and ends."
    })
public final class RunCommand extends TerminalCommand {
  private static final Logger LOG = SafeLogger.of(RunCommand.class);

  @Option(names = "--config", paramLabel = "FILE", description = "A properties file.")
  Optional<Path> config = Optional.empty();

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting; may be repeated.")
  Map<String, String> set = new LinkedHashMap<>();

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The same as --set bootstrap.servers=HOST:PORT.")
  Optional<String> bootstrapServer = Optional.empty();

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description = "The same as --set prefix=PREFIX.")
  Optional<String> prefix = Optional.empty();

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> flags = new LinkedHashMap<>(set);
    bootstrapServer.ifPresent(servers -> flags.put("bootstrap.servers", servers));
    prefix.ifPresent(text -> flags.put("prefix", text));
    Map<String, String> settings = settings(flags);
    Logs.configureServer(settings);
    Optional<ConsoleOptions> console = ConsoleSettings.take(settings);
    Shutdown shutdown = Shutdown.listening();
    Waterclock scheduler = shutdown.onExit(start(settings));
    console.ifPresent(options -> serve(options, settings, shutdown));
    shutdown.running();
    Optional<Throwable> failure = scheduler.await();
    if (failure.isPresent() && !shutdown.isUnderWay()) {
      shutdown.closeAll();
      throw failed(failure.get());
    }
    return ExitCode.OK;
  }

  private void serve(ConsoleOptions options, Map<String, String> settings, Shutdown shutdown) {
    try {
      InstanceClients clients = InstanceClients.of(settings);
      Cluster cluster = clients.cluster();
      Optional<Schedules> schedules =
          options.onlyReads()
              ? Optional.empty()
              : Optional.of(shutdown.onExit(clients.schedules()));
      Console console =
          shutdown.onExit(
              ConsoleCommand.start(
                  options.settings(clients.config().defaultTimezone(), terminal().clock()),
                  ConsoleCommand.source(cluster, schedules),
                  terminal()));
      LOG.info("The console listens on {}", ConsoleCommand.address(options.host, console));
    } catch (Failure e) {
      shutdown.closeAll();
      throw e;
    }
  }

  private static Failure failed(Throwable cause) {
    return cause instanceof MissingRightsException || cause instanceof TopicException
        ? new Failure(lines(cause), cause)
        : new Failure("The scheduler failed: " + RootCause.of(cause) + ".", cause);
  }

  private static List<String> lines(Throwable problems) {
    return LoginFailures.explain(String.valueOf(problems.getMessage())).lines().toList();
  }

  private Map<String, String> settings(Map<String, String> flags) {
    try {
      return ConfigSources.gather(config, System.getenv(), flags);
    } catch (InvalidConfigException e) {
      throw new Failure(e.problems(), e);
    }
  }

  static Waterclock start(Map<String, String> settings) {
    try {
      return Waterclock.start(WaterclockConfig.parse(settings));
    } catch (InvalidConfigException | TopicException | MissingRightsException e) {
      throw new Failure(lines(e), e);
    } catch (UncheckedIOException e) {
      throw new Failure(e.getMessage() + ".", e);
    } catch (KafkaException e) {
      String why = LoginFailures.explain(RootCause.of(e));
      throw new Failure("The scheduler cannot start: " + why + ".", e);
    }
  }
}
