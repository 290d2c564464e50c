package io.waterclock.cli.change;

import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = {
      "Delete a schedule, or all that match, and print the scheduler's answer. Undecided"
          + " occurrences do not fire.",
      "",
      "For example, --owner deletes all schedules of a customer who has left. If the definition in"
          + " force of a schedule is unknown, the command names the schedule, leaves it unchanged"
          + " and exits with 1."
    })
public final class DeleteCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "The schedule's id; not with a filter.")
  Optional<String> id = Optional.empty();

  @ArgGroup(validate = false, order = 90, heading = "%nAll schedules that match:%n")
  BulkOptions bulk = new BulkOptions();

  @Mixin ChangeNote said = new ChangeNote();

  @Override
  public Integer call() {
    bulk.check(id.isPresent());
    if (bulk.id.isPresent()) {
      throw new WrongUsage("--bulk-id goes with commands; repeat an interrupted delete as it was.");
    }
    Cluster cluster = cluster();
    Requests requests = new Requests(cluster).saying(said);
    if (id.isPresent()) {
      Answer answer = requests.define(id.get(), Optional.empty(), timeout(TIMEOUT));
      return json ? AnswerText.printJson(answer, terminal()) : AnswerText.print(answer, terminal());
    }
    return new BulkChange("delete", "deleted", bulk, Optional.empty(), json, terminal())
        .run(
            cluster,
            timeout(TIMEOUT),
            known -> true,
            known -> requests.definition(known.id(), Optional.empty()));
  }
}
