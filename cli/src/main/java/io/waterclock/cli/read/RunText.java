package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs as text and as JSON. */
final class RunText {
  private RunText() {}

  /** A report in a few words. */
  static String of(Outcome outcome) {
    return of(
        outcome.getState(),
        outcome.getAttempt(),
        Optional.ofNullable(outcome.getRetryAt()),
        Optional.ofNullable(outcome.getError()).or(() -> Optional.ofNullable(outcome.getReason())));
  }

  /** A run in a few words; one that nobody has reported on is "not reported". */
  static String of(FireRun run) {
    return run.state()
        .map(state -> of(state, run.attempts(), run.retryAt(), run.why()))
        .orElse("not reported");
  }

  /**
   * When a schedule last succeeded and failed, and how long a run usually takes; empty if no run
   * has ended.
   *
   * @param runs of it, the newest first
   */
  static Optional<String> sums(List<FireRun> runs) {
    List<Duration> took =
        runs.stream()
            .filter(run -> run.state().equals(Optional.of(OutcomeState.SUCCEEDED)))
            .flatMap(run -> run.duration().stream())
            .sorted()
            .toList();
    return Stream.of(
            last(runs, OutcomeState.SUCCEEDED).map(at -> "last success " + at),
            last(runs, OutcomeState.FAILED).map(at -> "last failure " + at),
            took.stream()
                .skip(took.size() / 2)
                .findFirst()
                .map(median -> "usually takes " + DurationText.text(median)))
        .flatMap(Optional::stream)
        .reduce((one, other) -> one + ", " + other);
  }

  private static Optional<Instant> last(List<FireRun> runs, OutcomeState state) {
    return runs.stream()
        .filter(run -> run.state().equals(Optional.of(state)) && run.retryAt().isEmpty())
        .flatMap(run -> run.endedAt().or(run::reportedAt).stream())
        .findFirst()
        .map(at -> at.truncatedTo(ChronoUnit.SECONDS));
  }

  private static String of(
      OutcomeState state, int attempt, Optional<Instant> retryAt, Optional<String> why) {
    String name =
        retryAt
            .map(
                at ->
                    "waits until %s after attempt %s"
                        .formatted(at.truncatedTo(ChronoUnit.SECONDS), attempt))
            .orElse(state.name().toLowerCase(Locale.ROOT));
    return why.map(text -> name + ": " + text.lines().findFirst().orElse("")).orElse(name);
  }

  /** With the names of the record of an outcome, as far as it has the same. */
  static ObjectNode json(FireRun run) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("fire_key", run.fire().text());
    run.backfill().ifPresent(id -> tree.put("backfill", id));
    run.state().ifPresent(state -> tree.put("state", state.name()));
    run.firedAt().ifPresent(at -> tree.put("fired_at", at.toString()));
    if (run.attempts() > 0) {
      tree.put("attempt", run.attempts());
    }
    run.startedAt().ifPresent(at -> tree.put("started_at", at.toString()));
    run.endedAt().ifPresent(at -> tree.put("ended_at", at.toString()));
    run.duration().map(Duration::toMillis).ifPresent(ms -> tree.put("duration_ms", ms));
    run.reportedAt().ifPresent(at -> tree.put("reported_at", at.toString()));
    run.worker().ifPresent(name -> tree.put("worker", name));
    run.reason().ifPresent(text -> tree.put("reason", text));
    run.error().ifPresent(text -> tree.put("error", text));
    run.output().ifPresent(text -> tree.put("output", text));
    run.retryAt().ifPresent(at -> tree.put("retry_at", at.toString()));
    return tree;
  }
}
