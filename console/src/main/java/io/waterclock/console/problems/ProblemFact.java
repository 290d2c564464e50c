package io.waterclock.console.problems;

import java.util.Optional;

/**
 * A schedule that needs a person.
 *
 * @param owner empty for none
 * @param sinceMs since when, in milliseconds of the epoch
 * @param group the {@link RowCondition} of those with which it is shown in one row; empty if it has
 *     a row of its own
 */
public record ProblemFact(
    String id, ProblemKind kind, String owner, long sinceMs, Optional<String> group) {}
