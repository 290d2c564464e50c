package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.runtime.config.WaterclockConfig;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** A command that uses the topics of a scheduler. */
@Command
public abstract class ClusterCommand extends TerminalCommand {
  @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
  ConnectionOptions connection = new ConnectionOptions();

  /** Does not connect yet. */
  protected final Cluster cluster() {
    return Cluster.of(
        connection,
        sentence -> {
          if (terminal().screen()) {
            note(sentence);
            terminal().flush();
          }
        });
  }

  /** The longest wait for each answer of the scheduler. */
  protected final Duration timeout(Duration unlessGiven) {
    return connection.timeout().orElse(unlessGiven);
  }

  /** The settings of a scheduler on that cluster. */
  protected final WaterclockConfig config(StartOptions start) {
    return start.on(connection);
  }

  /** A client for commands, to be closed by the caller. Does not connect yet. */
  protected final Schedules schedules() {
    return connection.schedules();
  }

  protected final ReadProgress progress() {
    return new ProgressLines(terminal());
  }

  /** Reads one schedule, which must exist. */
  protected static KnownSchedule existing(String id, Cluster cluster) {
    return cluster
        .catalogue(ReadProgress.UNSEEN)
        .of(id)
        .orElseThrow(() -> new Failure("There is no schedule " + id + "."));
  }
}
