package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.waterclock.console.problems.ProblemKind;
import io.waterclock.console.problems.ProblemPage;
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
 * @param problems the first rows of the list of problems
 * @param problemCounts how many schedules have each kind of problem
 * @param problemRows how many rows the list of problems has
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
    Map<ProblemKind, Long> problemCounts,
    long problemRows,
    List<DeadLetterRow> deadLetters,
    long dueInHour,
    List<ScheduleRow> dueNext) {

  /**
   * A page of the list of what needs a person.
   *
   * @param counts how many schedules have each kind
   * @param owners how many schedules have each owner
   * @param total how many rows there are on all pages
   * @param after where the next page begins; empty on the last page
   */
  public record ProblemList(
      @JsonProperty("problems") List<Problem> rows,
      Map<ProblemKind, Long> counts,
      List<ProblemPage.OwnerCount> owners,
      long total,
      Optional<String> after) {}

  /**
   * Why a schedule does not do what its definition says, or why some do not, for one reason.
   *
   * @param id of the schedule; with a count above 1, of the newest of them
   * @param owner empty for none
   * @param text in words, for people
   * @param author who paused it; empty otherwise
   * @param count how many schedules it is about
   * @param first since when the first of them has the problem
   * @param where the condition that lists all of them; empty for one schedule
   */
  public record Problem(
      String id,
      ProblemKind kind,
      String owner,
      Instant since,
      String text,
      String author,
      long count,
      Instant first,
      Optional<String> where) {}

  /**
   * One minute.
   *
   * @param fires emitted in it, of any cause
   * @param missed occurrences that were decided as missed in it
   * @param outcomes that workers reported in it
   * @param p50Ms how late the fires were that were due by a trigger; empty without such fires, as
   *     {@code p99Ms} is; exact to one per cent
   */
  public record Minute(
      Instant at,
      long fires,
      Map<MissedReason, Long> missed,
      Map<OutcomeState, Long> outcomes,
      Optional<Long> p50Ms,
      Optional<Long> p99Ms) {}
}
