package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What every command to a schedule takes. Nothing is judged here: the scheduler says what is wrong,
 * and all of it at once.
 */
public final class CommandOptions {
  @Parameters(index = "0", paramLabel = "ID", description = "The schedule's id.")
  String id = "";

  @Option(
      names = "--expect-revision",
      paramLabel = "REVISION",
      description = "Only if this revision is in force, as 'get' shows it.")
  Optional<String> expectedRevision = Optional.empty();

  @Option(
      names = "--command-id",
      paramLabel = "COMMAND",
      description =
          "A command is executed once per id: give that of an earlier try to repeat it safely"
              + " (default: a new one).")
  public String commandId = UUID.randomUUID().toString();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "How long to wait for the scheduler (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  @Option(names = "--json", description = "Print the answer as one JSON object on one line.")
  boolean asJson;

  @Mixin ConnectionOptions connection = new ConnectionOptions();

  /** An action, to be filled in, in the words of the JSON form. */
  public static ObjectNode action() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * Sends the command and prints the scheduler's answer.
   *
   * @param kind of the action, as the JSON form names it
   * @param done what has become of the schedule when it is executed, such as "paused"
   * @return the exit code
   */
  public int send(String kind, ObjectNode action, String done, Terminal terminal) {
    ObjectNode command = action();
    command.put("command_id", commandId);
    command.set(kind, action);
    expectedRevision.ifPresent(revision -> command.put("expected_revision", revision));
    Answer answer = ask(command);
    if (asJson) {
      ObjectNode tree = RecordCodecs.answer().toJson(answer).deepCopy();
      terminal.out().println(tree.put("command_id", commandId));
      return AnswerText.exitCode(answer);
    }
    return AnswerText.printExecuted(answer, done, terminal);
  }

  private Answer ask(ObjectNode command) {
    Requests requests = new Requests(Cluster.of(connection));
    try {
      return requests.command(id, command.toString().getBytes(UTF_8), timeout);
    } catch (Failure e) {
      throw new Failure(
          e.getMessage() + " To repeat it safely, add --command-id " + commandId + ".", e);
    }
  }
}
