package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command to a schedule, or to all schedules that match. Nothing is validated here: the scheduler
 * answers with all problems at once.
 */
@Command
abstract class SteeringCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "The schedule's id; not with a filter.")
  Optional<String> id = Optional.empty();

  @Option(
      names = "--expect-revision",
      paramLabel = "REVISION",
      description = "Execute the command only if this revision is in force; 'get' shows it.")
  Optional<String> expectedRevision = Optional.empty();

  @Option(
      names = "--command-id",
      paramLabel = "COMMAND",
      description =
          "The scheduler executes a command once per id: use the id of an earlier attempt to repeat"
              + " it safely (default: a new id).")
  String commandId = UUID.randomUUID().toString();

  @Mixin ChangeNote said = new ChangeNote();

  @ArgGroup(validate = false, order = 90, heading = "%nAll schedules that match:%n")
  BulkOptions bulk = new BulkOptions();

  /** An empty action in the JSON form. */
  static ObjectNode action() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * The id of this bulk change.
   *
   * @param kind the kind of the action in the JSON form
   */
  final BulkId bulkId(String kind) {
    return bulk.id.map(BulkId::new).orElseGet(() -> BulkId.of(kind, now()));
  }

  /**
   * Sends the command to the schedule, and prints the scheduler's answer.
   *
   * @param kind the kind of the action in the JSON form
   * @param done the result if the command is executed, for example "paused"
   * @return the exit code
   */
  final int send(String kind, ObjectNode action, String done) {
    if (bulk.isGiven()) {
      BulkId bulkId = bulkId(kind);
      return sendAll(
          kind, known -> action, done.replace(commandId, bulkId.text()), bulkId, known -> true);
    }
    bulk.check(id.isPresent());
    Answer answer = ask(command(kind, action, commandId));
    if (json) {
      ObjectNode tree = RecordCodecs.answer().toJson(answer).deepCopy();
      println(tree.put("command_id", commandId));
      return AnswerText.exitCode(answer);
    }
    return AnswerText.printExecuted(answer, done, terminal());
  }

  /**
   * Sends the command to all schedules that match.
   *
   * @param action of a schedule in the JSON form
   * @param applies whether the command makes sense for a schedule that matches
   * @return the exit code
   */
  final int sendAll(
      String kind,
      Function<KnownSchedule, ObjectNode> action,
      String done,
      BulkId bulkId,
      Predicate<KnownSchedule> applies) {
    bulk.check(id.isPresent());
    if (expectedRevision.isPresent()) {
      throw new WrongUsage("--expect-revision goes with an ID.");
    }
    Cluster cluster = cluster();
    return new BulkChange(kind, done, bulk, Optional.of(bulkId), json, terminal())
        .run(
            cluster,
            timeout(TIMEOUT),
            applies,
            one ->
                new ProducerRecord<>(
                    cluster.topics().commands(),
                    one.id().getBytes(UTF_8),
                    command(kind, action.apply(one), bulkId.text()).toString().getBytes(UTF_8)));
  }

  /** The occurrence that a command names, which follows the ID if there is one. */
  final String occurrence(Optional<String> second) {
    Optional<String> named = second.or(() -> bulk.isGiven() ? id : Optional.empty());
    if (second.isEmpty() && named.isPresent()) {
      id = Optional.empty();
    }
    return named.orElseThrow(() -> new WrongUsage("Missing required parameter: 'OCCURRENCE'"));
  }

  private ObjectNode command(String kind, ObjectNode action, String id) {
    ObjectNode command = action().put("command_id", id);
    command.set(kind, action);
    if (!action.has("note") && !action.has("author")) {
      said.addTo(command);
    }
    expectedRevision.ifPresent(revision -> command.put("expected_revision", revision));
    return command;
  }

  private Answer ask(ObjectNode command) {
    Requests requests = new Requests(cluster());
    try {
      return requests.command(
          id.orElseThrow(), command.toString().getBytes(UTF_8), timeout(TIMEOUT));
    } catch (Failure e) {
      throw new Failure(
          e.getMessage() + " To repeat it safely, add --command-id " + commandId + ".", e);
    }
  }
}
