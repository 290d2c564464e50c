package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.OpenRun;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectation;
import java.time.Instant;

/**
 * An alert to send.
 *
 * @param at when it became so
 * @param run that is overdue, or was
 * @param isWithdrawn true if nothing is expected any more
 * @param by the revision in force, whose owner it is for
 */
public record AlertPlan(
    AlertKind kind,
    Expectation expectation,
    Instant at,
    OpenRun run,
    boolean isWithdrawn,
    Accepted by) {}
