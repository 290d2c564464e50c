package io.waterclock.cli.serve;

import io.waterclock.cli.Failure;
import io.waterclock.topology.Waterclock;
import io.waterclock.topology.config.ConfigSources;
import io.waterclock.topology.config.InvalidConfigException;
import io.waterclock.topology.config.WaterclockConfig;
import io.waterclock.topology.kafka.MissingRightsException;
import io.waterclock.topology.kafka.TopicException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Runs one instance of the scheduler against a Kafka cluster, until told to end. */
@Command(
    name = "run",
    description = {
      "Run one instance of the scheduler against a Kafka cluster.",
      "",
      "Settings come from the file, then from environment variables (WATERCLOCK_BOOTSTRAP_SERVERS"
          + " sets bootstrap.servers), then from --set; the later wins. Settings of Kafka Streams"
          + " and its clients pass through. docs/configuration.md lists ours.",
      "",
      "SIGTERM ends it: the current transaction is finished and the group is left."
    })
public final class RunCommand implements Callable<Integer> {
  @Option(names = "--config", paramLabel = "FILE", description = "A properties file.")
  Optional<Path> config = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting; may be given several times.")
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
    Shutdown shutdown = Shutdown.listening();
    Waterclock scheduler = shutdown.onExit(start(gathered(flags)));
    shutdown.running();
    Optional<Throwable> failure = scheduler.await();
    if (failure.isPresent() && !shutdown.isUnderWay()) {
      shutdown.closeAll();
      throw failed(failure.get());
    }
    return ExitCode.OK;
  }

  private static Failure failed(Throwable cause) {
    return cause instanceof MissingRightsException
        ? new Failure(String.valueOf(cause.getMessage()), cause)
        : new Failure("The scheduler failed: " + cause, cause);
  }

  private Map<String, String> gathered(Map<String, String> flags) {
    try {
      return ConfigSources.gather(config, System.getenv(), flags);
    } catch (InvalidConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Starts an instance.
   *
   * @throws Failure if the settings or the cluster will not do
   */
  static Waterclock start(Map<String, String> settings) {
    try {
      return Waterclock.start(WaterclockConfig.parse(settings));
    } catch (InvalidConfigException | TopicException | MissingRightsException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    } catch (UncheckedIOException e) {
      throw new Failure(e.getMessage() + ".", e);
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new Failure("The scheduler cannot start: " + cause.getMessage() + ".", e);
    }
  }
}
