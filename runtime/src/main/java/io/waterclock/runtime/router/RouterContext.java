package io.waterclock.runtime.router;

import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.topology.scheduler.context.TargetTopics;
import java.time.InstantSource;

/**
 * What the router gets from its application.
 *
 * @param own the scheduler's topics
 * @param schemas for fires in the registry format; may wait for some seconds
 * @param maxDeadLetterBytes inclusive: the largest record that the dead-letter topic accepts
 */
public record RouterContext(
    Topics own,
    TargetRules rules,
    TargetTopics targets,
    Refusals refusals,
    SchemaSource schemas,
    RouterReports reports,
    InstantSource clock,
    int maxDeadLetterBytes) {}
