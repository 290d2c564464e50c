package io.waterclock.definition;

import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.Optional;

/**
 * A version of a calendar.
 *
 * @param offset of the record in the calendars topic
 * @param writtenAt the record's timestamp
 * @param effectiveAt exclusive: the version applies to the occurrences after this instant, up to
 *     and including that of the next version; empty if no version before it is known, but there may
 *     have been one. The oldest known version also applies to all occurrences before it
 * @param calendar empty if the calendar was deleted; it then excludes nothing
 */
public record CalendarVersion(
    long offset, Instant writtenAt, Optional<Instant> effectiveAt, Optional<Calendar> calendar) {}
