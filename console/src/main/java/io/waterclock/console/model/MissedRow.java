package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Occurrences of a schedule that did not fire.
 *
 * @param first inclusive
 * @param last inclusive
 * @param isAtLeast true if {@code count} is a lower bound
 * @param into the occurrence that fired for them, with COLLAPSED_INTO
 */
public record MissedRow(
    Instant first,
    Instant last,
    long count,
    @JsonProperty("at_least") boolean isAtLeast,
    MissedReason reason,
    Optional<Instant> into,
    Instant decidedAt) {

  public record OfSchedule(String id, Optional<String> owner, @JsonUnwrapped MissedRow range) {}

  /**
   * Missed ranges of many schedules, newest first.
   *
   * @param total how many ranges there are
   * @param occurrences how many occurrences were missed in all of them
   */
  public record Page(@JsonProperty("missed") List<OfSchedule> rows, long total, long occurrences) {}
}
