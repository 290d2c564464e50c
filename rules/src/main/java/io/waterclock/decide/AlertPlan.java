package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Fault;
import java.time.Instant;
import java.util.Optional;

/**
 * An alert to send.
 *
 * @param at when it became so
 * @param run that is overdue, or was
 * @param expectedBy its deadline
 * @param fault of what is overdue
 * @param withdrawn true if nothing is expected any more
 * @param by the revision in force, whose owner is told
 */
public record AlertPlan(
    AlertKind kind,
    Expectation expectation,
    Instant at,
    OpenRun run,
    Instant expectedBy,
    Optional<Fault> fault,
    boolean withdrawn,
    Accepted by) {}
