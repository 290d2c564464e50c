package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.DefinitionFile;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.limit.LimitTopic;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "put",
    description = {
      "Define a schedule, or redefine it, and print the scheduler's answer.",
      "",
      "The definition comes from flags, or from a JSON or YAML file.",
      "If the scheduler rejects it, the command prints all problems and exits with 1."
    })
public final class PutCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Parameters(paramLabel = "ID", description = "The schedule's id, for example billing/invoice-42.")
  String id = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A file with the definition, or - for standard input.")
  Optional<String> file = Optional.empty();

  @Option(
      names = "--future-only",
      description = "With --at: refuse a time in the past, which would fire now.")
  boolean futureOnly;

  @Mixin DefinitionOptions definition = new DefinitionOptions();

  @Mixin ChangeNote said = new ChangeNote();

  @Override
  public Integer call() {
    ScheduleId.parse(id); // a record with another key would stay in the topic for good
    byte[] value = value();
    Cluster cluster = cluster();
    Requests requests = new Requests(cluster).saying(said);
    Answer answer = requests.define(id, Optional.of(value), timeout(TIMEOUT));
    if (answer.getVerdict() == Verdict.ACCEPTED) {
      unknownLimit(value, new LimitTopic(cluster))
          .ifPresent(
              name ->
                  note(
                      ("there is no limit %s: until waterclock limits put defines it, it bounds"
                              + " nothing.")
                          .formatted(name)));
    }
    if (json) {
      return AnswerText.printJson(answer, terminal());
    }
    if (file.isEmpty()) {
      answer.setProblems(answer.getProblems().stream().map(DefinitionOptions::withFlag).toList());
    } else { // noteDoubts has read the flags
      answer.getWarnings().forEach(warning -> terminal().note(Problems.text(warning)));
    }
    return AnswerText.print(answer, terminal());
  }

  /** Empty if the limits cannot be read, or the schedulers have none. */
  private static Optional<String> unknownLimit(byte[] definition, LimitTopic limits) {
    try {
      return Optional.ofNullable(RecordCodecs.schedule().decode(definition).getLimit())
          .filter(limits::isMissing);
    } catch (UndecodableException | Failure e) {
      return Optional.empty();
    }
  }

  private byte[] value() {
    Instant now = now();
    ObjectNode flags = definition.toJson(now);
    definition.noteDoubts(now, futureOnly, terminal());
    if (file.isPresent() == !flags.isEmpty()) {
      throw new WrongUsage(
          file.isPresent()
              ? "The definition comes from --file or from flags, not from both."
              : "The definition is missing: give --file, or flags such as --every 5m.");
    }
    return file.map(name -> DefinitionFile.read(name, terminal()))
        .orElseGet(() -> flags.toString().getBytes(UTF_8));
  }
}
