package io.waterclock.definition;

import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.Optional;

/**
 * What a calendar said from some time on.
 *
 * @param offset of the record in the calendars topic
 * @param writtenAt the record's timestamp
 * @param effectiveAt exclusive: the version judges the occurrences after this instant, up to and
 *     including the next version's; empty for the first version that was known, which judges all
 *     before it as well
 * @param calendar empty when the calendar was deleted: then it excludes nothing
 */
public record CalendarVersion(
    long offset, Instant writtenAt, Optional<Instant> effectiveAt, Optional<Calendar> calendar) {}
