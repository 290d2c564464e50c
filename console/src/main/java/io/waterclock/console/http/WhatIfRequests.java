package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.console.access.Access;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.preview.Scenario;
import io.waterclock.console.preview.WhatIfWork;
import io.waterclock.definition.CalendarRules;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Starts the computation of a scenario. Thread-safe. */
record WhatIfRequests(
    ReadModel model, List<ZoneData> zoneData, JobsJson jobs, InstantSource clock) {
  private static final int LONGEST_OUTAGE_HOURS = 24 * 31;
  private static final int LONGEST_DAYS = 366;

  CompletableFuture<HttpAnswer> start(JsonRequest request, Access access) {
    return jobs.compute(
        "what if",
        access,
        new WhatIfWork(
            model,
            access::sees,
            request.text("prefix").orElse(""),
            scenario(request),
            clock.instant().truncatedTo(ChronoUnit.MILLIS)));
  }

  /**
   * @throws BadRequestException if it is not complete
   */
  Scenario scenario(JsonRequest request) {
    return switch (request.required("kind")) {
      case "down" ->
          new Scenario.Down(
              Duration.ofMinutes((long) (60 * number(request, "hours", LONGEST_OUTAGE_HOURS))));
      case "calendar" ->
          new Scenario.OtherCalendar(
              name(request), calendar(request), request.isTrue("for_all"), days(request));
      case "tzdb" -> new Scenario.OtherZones(zones(request.required("version")), days(request));
      default -> throw new BadRequestException("kind must be one of down, calendar and tzdb");
    };
  }

  private static String name(JsonRequest request) {
    try {
      return new CalendarName(request.required("name")).value();
    } catch (InvalidIdException e) {
      throw new BadRequestException("name: " + e.getMessage());
    }
  }

  private static Duration days(JsonRequest request) {
    return Duration.ofHours((long) (24 * number(request, "days", LONGEST_DAYS)));
  }

  private static double number(JsonRequest request, String field, int most) {
    double number = request.tree().path(field).asDouble(0);
    if (!(number >= 0.02 && number <= most)) { // nor "NaN"
      throw new BadRequestException(field + " must be above 0 and at most " + most);
    }
    return number;
  }

  private static Calendar calendar(JsonRequest request) {
    JsonNode form = request.tree().path("calendar");
    try {
      Calendar calendar =
          RecordCodecs.calendar().decode(form.toString().getBytes(StandardCharsets.UTF_8));
      List<Problem> problems = CalendarRules.problems(calendar);
      if (problems.isEmpty()) {
        return calendar;
      }
      throw new BadRequestException("calendar: " + Problems.text(problems));
    } catch (UndecodableException e) {
      throw new BadRequestException("calendar: " + e.getMessage());
    }
  }

  private ZoneData zones(String version) {
    return zoneData.stream()
        .filter(data -> data.version().equals(version))
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "there are no time-zone data "
                        + version
                        + "; the operator of the console gives it files of other versions"));
  }
}
