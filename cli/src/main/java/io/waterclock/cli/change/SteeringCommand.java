package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command to a schedule. Nothing is validated here: the scheduler answers with all problems at
 * once.
 */
@Command
abstract class SteeringCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "ID", description = "The schedule's id.")
  String id = "";

  @Option(
      names = "--expect-revision",
      paramLabel = "REVISION",
      description = "Execute the command only if this revision is in force; 'get' shows it.")
  Optional<String> expectedRevision = Optional.empty();

  @Option(
      names = "--command-id",
      paramLabel = "COMMAND",
      description =
          "The scheduler executes a command once per id: use the id of an earlier attempt to repeat it"
              + " safely (default: a new id).")
  String commandId = UUID.randomUUID().toString();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "The longest wait for the scheduler (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  /** An empty action in the JSON form. */
  static ObjectNode action() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * Sends the command and prints the scheduler's answer.
   *
   * @param kind the kind of the action in the JSON form
   * @param done the result if the command is executed, for example "paused"
   * @return the exit code
   */
  final int send(String kind, ObjectNode action, String done) {
    ObjectNode command = action();
    command.put("command_id", commandId);
    command.set(kind, action);
    expectedRevision.ifPresent(revision -> command.put("expected_revision", revision));
    Answer answer = ask(command);
    if (json) {
      ObjectNode tree = RecordCodecs.answer().toJson(answer).deepCopy();
      println(tree.put("command_id", commandId));
      return AnswerText.exitCode(answer);
    }
    return AnswerText.printExecuted(answer, done, terminal());
  }

  private Answer ask(ObjectNode command) {
    Requests requests = new Requests(cluster());
    try {
      return requests.command(id, command.toString().getBytes(UTF_8), timeout);
    } catch (Failure e) {
      throw new Failure(
          e.getMessage() + " To repeat it safely, add --command-id " + commandId + ".", e);
    }
  }
}
