package io.waterclock.cli.serve;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ClusterCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.limit.LimitTopic;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.Console;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.letters.Writing;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Serves the web console until the process ends. */
@Command(
    name = "console",
    description = {
      "Serve a web console: whether schedules fire, why one does not, and commands.",
      "",
      "It follows the topics in its own memory and needs no scheduler. Unless options say otherwise"
          + " it listens on 127.0.0.1 and only reads. docs/console.md shows how to let people in."
    })
public final class ConsoleCommand extends ClusterCommand {
  @Mixin ConsoleOptions options = new ConsoleOptions();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() throws InterruptedException {
    List<String> problems = options.problems();
    if (!problems.isEmpty()) {
      throw new WrongUsage(problems.get(0));
    }
    Shutdown shutdown = Shutdown.listening();
    boolean reads = options.onlyReads();
    Cluster cluster = cluster();
    Optional<Schedules> schedules =
        reads ? Optional.empty() : Optional.of(shutdown.onExit(schedules()));
    Console console =
        shutdown.onExit(
            start(
                options.settings(defaultZone.zone(), terminal().clock()),
                source(cluster, schedules),
                terminal()));
    shutdown.running();
    println("Console: " + address(options.host, console) + (reads ? " (read-only)" : ""));
    terminal().flush();
    new CountDownLatch(1).await();
    return ExitCode.OK;
  }

  /**
   * What a console reads and writes.
   *
   * @param schedules sends changes; empty for a console that only reads
   */
  static Console.Source source(Cluster cluster, Optional<Schedules> schedules) {
    return new Console.Source(
        cluster.reader(),
        cluster.topics(),
        cluster.lastingSchemas(),
        schedules.map(to -> new Writing(to, cluster.redriving(), new LimitTopic(cluster)::write)));
  }

  static String address(String host, Console console) {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + (host.equals("0.0.0.0") ? "127.0.0.1" : name) + ":" + console.port() + "/";
  }

  static Console start(Console.Settings settings, Console.Source source, Terminal terminal) {
    try {
      return Console.start(settings, source, terminal.clock());
    } catch (IOException e) {
      ConsoleServer.Listening listening = settings.listening();
      throw new Failure(
          "The console cannot listen on %s:%s: %s. Choose another port; 0 takes any free one."
              .formatted(listening.host(), listening.port(), e.getMessage()),
          e);
    }
  }
}
