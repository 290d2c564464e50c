package io.waterclock.cli.online;

import io.waterclock.cli.Terminal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a schedule. */
@Command(
    name = "delete",
    description =
        "Delete a schedule, and print the scheduler's answer. What has not fired will not.")
public final class DeleteCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "ID", description = "The schedule's id.")
  String id = "";

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "How long to wait for the scheduler (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  @Mixin ConnectionOptions connection = new ConnectionOptions();

  /** A command that writes to {@code terminal}. */
  public DeleteCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Requests requests = new Requests(Cluster.of(connection));
    return Answers.print(requests.define(id, Optional.empty(), timeout), terminal);
  }
}
