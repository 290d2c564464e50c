package io.waterclock.cli.files;

import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.avro.Calendar;

public record FileCalendar(CalendarName name, Calendar calendar, Source source) {}
