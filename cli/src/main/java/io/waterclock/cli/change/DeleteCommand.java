package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = {
      "Delete a schedule, and print the scheduler's answer. Undecided occurrences do not fire.",
      "",
      "With --owner: delete all schedules of an owner, for example of a customer who has left. If"
          + " the owner of a schedule is unknown, the command names the schedule, leaves it unchanged"
          + " and exits with 1."
    })
public final class DeleteCommand extends ReportingCommand {
  private int exitCode = ExitCode.OK;

  @Parameters(arity = "0..1", paramLabel = "ID", description = "The schedule's id.")
  Optional<String> id = Optional.empty();

  @Option(
      names = "--owner",
      paramLabel = "OWNER",
      description = "Delete all schedules of this owner.")
  Optional<String> owner = Optional.empty();

  @Option(names = "--dry-run", description = "With --owner: only print the ids.")
  boolean dryRun;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "The longest wait for each answer of the scheduler (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  @Override
  public Integer call() {
    if (id.isPresent() == owner.isPresent()) {
      throw new WrongUsage("Either an ID or --owner is needed, and not both.");
    }
    if (owner.filter(String::isBlank).isPresent()) {
      throw new WrongUsage("--owner must not be empty.");
    }
    if (dryRun && owner.isEmpty()) {
      throw new WrongUsage("--dry-run goes with --owner.");
    }
    Cluster cluster = cluster();
    if (id.isPresent()) {
      Answer answer = new Requests(cluster).define(id.get(), Optional.empty(), timeout);
      return json ? AnswerText.printJson(answer, terminal()) : AnswerText.print(answer, terminal());
    }
    deleteOwned(cluster, owner.get());
    return exitCode;
  }

  private void deleteOwned(Cluster cluster, String name) {
    OwnedSchedules found = OwnedSchedules.of(name, cluster, cluster.catalogue(progress()).all());
    List<String> ids = found.ids();
    if (dryRun) {
      ids.forEach(
          owned ->
              println(
                  json ? JsonNodeFactory.instance.objectNode().put("schedule_id", owned) : owned));
    } else if (!ids.isEmpty()) {
      new Requests(cluster)
          .deleteAll(ids, timeout, answer -> exitCode = Math.max(exitCode, print(answer)));
    }
    found.unknown().forEach(this::leaveUnchanged);
    if (ids.isEmpty() && found.unknown().isEmpty()) {
      note("no schedule has the owner " + name + ".");
    }
  }

  private void leaveUnchanged(String unknown) {
    exitCode = ExitCode.SOFTWARE;
    note(
        unknown
            + " is unchanged, because its owner is unknown: the topics no longer retain its"
            + " definition in force, and no instance answers for it.");
  }

  /** A record that was never accepted is no schedule, but the tombstone has removed it. */
  private int print(Answer answer) {
    if (json) {
      int code = AnswerText.printJson(answer, terminal());
      return answer.getVerdict() == Verdict.NOT_FOUND ? ExitCode.OK : code;
    }
    if (answer.getVerdict() == Verdict.NOT_FOUND) {
      println(answer.getScheduleId() + " deleted; it was never accepted");
      return ExitCode.OK;
    }
    return AnswerText.print(answer, terminal());
  }
}
