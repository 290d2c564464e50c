package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.Schedule;
import java.util.Optional;

/**
 * The newest record of a schedule in the schedules topic, accepted or not.
 *
 * @param revision the record's position, topic-partition@offset
 * @param schedule empty if the record cannot be read
 */
public record WrittenDefinition(String revision, Optional<Schedule> schedule) {}
