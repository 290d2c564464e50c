package io.waterclock.spring.schedule;

import io.waterclock.schemas.avro.Schedule;
import java.util.Optional;

/**
 * A schedule that the code declares.
 *
 * @param definition empty if the configuration takes it out of the code
 * @param where the method, for a person
 */
public record DeclaredSchedule(String id, Optional<Schedule> definition, String where) {}
