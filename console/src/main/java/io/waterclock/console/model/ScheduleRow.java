package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule in a list, with a bounded part of each text.
 *
 * @param state {@code PENDING} until a scheduler has answered its definition
 * @param trigger short text, such as {@code cron 0 9 * * *}
 * @param next the next occurrence; empty if there is none or it is not known
 * @param never whether it is active, and everything that comes is left out
 * @param rejected whether the newest definition was rejected
 * @param failing whether its fires fail
 * @param lastFired when its newest kept fire was emitted
 * @param lastOutcome what was reported of that fire
 */
public record ScheduleRow(
    String id,
    String state,
    Optional<Instant> since,
    String trigger,
    String zone,
    Optional<String> owner,
    Optional<Instant> next,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean never,
    boolean rejected,
    boolean failing,
    Optional<Instant> lastFired,
    Optional<OutcomeState> lastOutcome) {}
