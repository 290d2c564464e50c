package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.FireLine;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An event in the history of a schedule.
 *
 * @param at when the scheduler wrote it
 * @param text for people
 * @param json the whole record
 */
public record HistoryEvent(Instant at, Kind kind, String text, JsonNode json) {

  private static final List<String> BESIDE_THE_ACTION =
      List.of("command_id", "expected_revision", "note", "author");

  enum Kind {
    ACCEPTED,
    REJECTED,
    ENDED,
    FIRED,
    REPORTED,
    MISSED,
    COMMAND
  }

  static HistoryEvent of(Fire fire) {
    return new HistoryEvent(
        fire.getFiredAt(), Kind.FIRED, FireLine.brief(fire), RecordCodecs.fire().toJson(fire));
  }

  /**
   * @param at when the worker wrote it
   */
  static HistoryEvent of(Outcome outcome, Instant at) {
    return new HistoryEvent(
        at,
        Kind.REPORTED,
        RunText.of(outcome) + "  the fire " + outcome.getFireKey(),
        RecordCodecs.outcome().toJson(outcome));
  }

  static HistoryEvent of(Missed missed) {
    boolean single = missed.getFirst().equals(missed.getLast());
    String range = single ? "" : " to " + missed.getLast() + " (" + count(missed) + ")";
    String into = Optional.ofNullable(missed.getCollapsedInto()).map(at -> " " + at).orElse("");
    return new HistoryEvent(
        missed.getDecidedAt(),
        Kind.MISSED,
        missed.getFirst() + range + "  " + missed.getReason() + into,
        RecordCodecs.missed().toJson(missed));
  }

  /**
   * A command, whatever became of it.
   *
   * @param at when it was written
   * @param repeated whether a command before it has the same id, so that this one changes nothing
   */
  static HistoryEvent of(Command command, Instant at, boolean repeated) {
    ObjectNode json = RecordCodecs.command().toJson(command).deepCopy();
    ObjectNode action = json.deepCopy().without(BESIDE_THE_ACTION);
    String kind = action.fieldNames().next();
    JsonNode details = action.path(kind);
    List<String> words = new ArrayList<>(List.of(kind));
    for (String field : List.of("author", "note", "occurrence", "from", "to", "backfill")) {
      JsonNode said = details.hasNonNull(field) ? details.get(field) : json.path(field);
      if (!said.isMissingNode() && !said.isNull()) {
        words.add(said.asText());
      }
    }
    words.add("command " + command.getCommandId() + (repeated ? " (repeated)" : ""));
    return new HistoryEvent(at, Kind.COMMAND, String.join("  ", words), json);
  }

  /**
   * The rejection that a status contains; empty if it contains none.
   *
   * @param at when the scheduler wrote the status
   */
  static Optional<HistoryEvent> ofRejection(ScheduleStatus status, Instant at) {
    return Optional.ofNullable(status.getRejectedRevision())
        .map(
            revision ->
                new HistoryEvent(
                    at,
                    Kind.REJECTED,
                    "revision " + revision + ": " + Problems.text(status.getProblems()),
                    RecordCodecs.status().toJson(status)));
  }

  private static String count(Missed missed) {
    return (missed.getCountIsLowerBound() ? "at least " : "") + missed.getCount();
  }

  /**
   * The same; a fire by another definition than the one in force says so.
   *
   * @param inForce the revision in force; empty for none
   */
  HistoryEvent noting(Optional<String> inForce) {
    boolean isEarlier =
        kind == Kind.FIRED
            && inForce.filter(now -> !now.equals(json.path("revision").asText())).isPresent();
    if (!isEarlier) {
      return this;
    }
    ObjectNode noted = json.deepCopy();
    return new HistoryEvent(
        at, kind, text + "  by an earlier definition", noted.put("earlier_definition", true));
  }

  /** The same among events of several schedules. */
  HistoryEvent about(String id) {
    ObjectNode named = json.deepCopy();
    return new HistoryEvent(at, kind, id + "  " + text, named.put("schedule_id", id));
  }

  /** The scheduler writes a revision when it takes effect, and again when it ends. */
  static HistoryEvent of(Revision revision) {
    boolean ended = revision.getEndedBy() != null;
    String text =
        ended
            ? revision.getEndedBy() + "  revision " + revision.getRevision()
            : TriggerLine.withDialect(revision.getSchedule())
                + "  revision "
                + revision.getRevision();
    String said =
        Stream.of(revision.getAuthor(), revision.getNote())
            .filter(Objects::nonNull)
            .map(one -> "  " + one)
            .collect(Collectors.joining());
    return new HistoryEvent(
        ended ? revision.getEndedAt() : revision.getAcceptedAt(),
        ended ? Kind.ENDED : Kind.ACCEPTED,
        text + said,
        RecordCodecs.revision().toJson(revision));
  }
}
