package io.waterclock.console.model;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to "are we firing?".
 *
 * @param minutes of the last hour, oldest first
 * @param states how many schedules are in each state
 * @param pending how many no scheduler has answered
 * @param rejected how many have a newest definition that was rejected
 * @param failing how many have fires that fail
 * @param problems the first of the schedules that need a person, by id
 * @param dueInHour how many schedules occur next within an hour
 * @param dueNext the first of them
 */
public record Overview(
    Instant at,
    List<PartitionRow> partitions,
    List<Minute> minutes,
    Map<State, Long> states,
    long pending,
    long rejected,
    long failing,
    List<Problem> problems,
    List<DeadLetterRow> deadLetters,
    long dueInHour,
    List<ScheduleRow> dueNext) {

  /**
   * Why a schedule does not do what its definition says.
   *
   * @param text in words, for people
   * @param author who paused it; empty otherwise
   */
  public record Problem(String id, String kind, Instant since, String text, String author) {}

  /**
   * One minute.
   *
   * @param at its beginning
   * @param fires emitted in it, of any cause
   * @param missed occurrences that were decided as missed in it
   * @param outcomes that workers reported in it
   * @param p50Ms how late the fires were that were due by a trigger; empty without such fires, as
   *     the others are; exact to one per cent
   */
  public record Minute(
      Instant at,
      long fires,
      Map<MissedReason, Long> missed,
      Map<OutcomeState, Long> outcomes,
      Optional<Long> p50Ms,
      Optional<Long> p99Ms,
      Optional<Long> maxMs) {}
}
