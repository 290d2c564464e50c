package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Selector;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.ExitCode;

/**
 * Changes all schedules that match: counts them, asks, writes, and waits for each answer.
 *
 * @param what the change for people, such as "pause"
 * @param done its result, such as "paused"
 * @param id of the change, with which it can be continued
 */
record BulkChange(
    String what,
    String done,
    BulkOptions options,
    Optional<BulkId> id,
    boolean json,
    Terminal terminal) {
  private static final int SHOWN = 3;

  /**
   * @param timeout the longest wait for each answer of the scheduler
   * @param applies whether the change makes sense for a schedule that matches
   * @param record the record for a schedule, which asks for nothing yet
   * @return the exit code
   */
  int run(
      Cluster cluster,
      Duration timeout,
      Predicate<KnownSchedule> applies,
      Function<KnownSchedule, ProducerRecord<byte[], byte[]>> record) {
    Selector selector = options.filter.selector();
    List<KnownSchedule> entries =
        cluster.catalogue(new ProgressLines(terminal)).all().stream()
            .filter(selector::matchesIdAndState)
            .filter(applies)
            .toList();
    SelectedSchedules found =
        selector.looksAtDefinitions()
            ? SelectedSchedules.of(selector::selects, cluster, entries)
            : new SelectedSchedules(entries.stream().map(KnownSchedule::id).toList(), List.of());
    int exitCode = found.unknown().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    found.unknown().forEach(this::leaveUnchanged);
    if (found.ids().isEmpty()) {
      terminal.note("no schedule to " + what + " matches.");
      return exitCode;
    }
    if (options.dryRun) {
      found.ids().forEach(this::printId);
      terminal.note("would " + what + " " + count(found.ids()));
      return exitCode;
    }
    ask(found.ids());
    id.map(BulkId::text).ifPresent(this::sayHowToContinue);
    Set<String> ids = new HashSet<>(found.ids());
    List<ProducerRecord<byte[], byte[]>> records =
        entries.stream().filter(entry -> ids.contains(entry.id())).map(record).toList();
    return Math.max(exitCode, send(cluster, timeout, records));
  }

  private void ask(List<String> ids) {
    String question =
        "%s %s: %s%s"
            .formatted(
                what,
                count(ids),
                String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size()))),
                ids.size() > SHOWN ? ", ..." : "");
    if (options.yes) {
      terminal.note(question);
    } else if (!terminal.confirm(question)) {
      throw new Failure("Nothing was changed.");
    }
  }

  private void sayHowToContinue(String text) {
    terminal.note(
        ("this change has the id %s; if it is interrupted, the same command with --bulk-id %s"
                + " continues it")
            .formatted(text, text));
  }

  private int send(
      Cluster cluster, Duration timeout, List<ProducerRecord<byte[], byte[]>> records) {
    List<Answer> refused = new ArrayList<>();
    List<Answer> gone = new ArrayList<>();
    ProgressLines progress = new ProgressLines(terminal, "answered %,d of %,d");
    long[] answered = new long[1];
    new Requests(cluster)
        .all(
            records,
            options.pace(timeout),
            answer -> {
              progress.read(++answered[0], records.size());
              if (print(answer) != ExitCode.OK) {
                (isGone(answer) ? gone : refused).add(answer);
              }
            });
    terminal.note(
        "%s: %s of %s done%s%s"
            .formatted(
                what,
                records.size() - refused.size() - gone.size(),
                records.size(),
                gone.isEmpty() ? "" : ", " + gone.size() + " changed meanwhile",
                refused.isEmpty() ? "" : ", " + refused.size() + " refused"));
    return refused.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** It has been deleted since the count, has completed, or another pause holds it now. */
  private boolean isGone(Answer answer) {
    return answer.getVerdict() == Verdict.NOT_FOUND
        || answer.getProblems().stream()
            .anyMatch(problem -> problem.getField().equals("resume.expected_note"))
        || (what.equals("pause")
            && answer.getVerdict() == Verdict.REJECTED
            && answer.getState() == State.COMPLETED);
  }

  private static String count(List<String> ids) {
    return Words.number(ids.size(), "schedule");
  }

  private void printId(String id) {
    terminal.println(json ? JsonNodeFactory.instance.objectNode().put("schedule_id", id) : id);
  }

  private void leaveUnchanged(String unknown) {
    terminal.note(
        unknown
            + " is unchanged, because its definition is unknown: the topics no longer retain it, and"
            + " no instance answers for it.");
  }

  /** A record that was never accepted is no schedule, but the tombstone has removed it. */
  private int print(Answer answer) {
    boolean isNone = answer.getVerdict() == Verdict.NOT_FOUND && what.equals("delete");
    if (json) {
      int code = AnswerText.printJson(answer, terminal);
      return isNone ? ExitCode.OK : code;
    }
    if (isNone) {
      terminal.println(answer.getScheduleId() + " deleted; it was never accepted");
      return ExitCode.OK;
    }
    return AnswerText.printExecuted(answer, done, terminal);
  }
}
