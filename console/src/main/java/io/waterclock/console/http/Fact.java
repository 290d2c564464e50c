package io.waterclock.console.http;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.text.Interval;
import io.waterclock.schemas.text.SafeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a person asks first about a schedule: a name and what it is, with the defaults that apply.
 *
 * @param text in words; an instant is ISO-8601 in UTC
 * @param list the parameters of a list of the schedules of which the same is true; empty for none
 */
record Fact(String name, String text, Map<String, String> list) {
  private static final int LONGEST_TEXT = 1_000;

  private Fact(String name, String text) {
    this(name, text, Map.of());
  }

  /** The facts of the definition in force, in the order of their use; none without one. */
  static List<Fact> of(KnownSchedule known, Upcoming upcoming) {
    return known.schedule().map(schedule -> of(schedule, known, upcoming)).orElse(List.of());
  }

  private static List<Fact> of(Schedule schedule, KnownSchedule known, Upcoming upcoming) {
    List<Fact> facts = new ArrayList<>();
    String owner = schedule.getOwner();
    facts.add(
        owner == null
            ? new Fact("Owner", "none")
            : new Fact("Owner", cut(owner), Map.of("owner", cut(owner))));
    schedule
        .getLabels()
        .forEach(
            (name, value) ->
                facts.add(
                    new Fact(
                        "Label",
                        cut(name + "=" + value),
                        Map.of("text", cut(name + "=" + value)))));
    Optional.ofNullable(schedule.getDescription())
        .ifPresent(text -> facts.add(new Fact("Description", cut(text))));
    facts.add(new Fact("Time zone", cut(upcoming.zoneName(known))));
    facts.add(
        new Fact(
            "Missed occurrences",
            words(schedule.getCatchUp())
                + (schedule.getGraceMs() == 0
                    ? ""
                    : ", when more than " + text(schedule.getGraceMs()) + " late")));
    facts.add(new Fact("Overlap", words(schedule.getOverlap())));
    schedule
        .getExcept()
        .forEach(name -> facts.add(new Fact("Calendar", name, Map.of("text", name))));
    schedule
        .getOnly()
        .forEach(name -> facts.add(new Fact("Only on dates of", name, Map.of("text", name))));
    Optional.ofNullable(schedule.getBusinessDay())
        .ifPresent(n -> facts.add(new Fact("Only on", Exclusions.words(n))));
    if (Exclusions.namesCalendars(schedule) && schedule.getBusinessDay() == null) {
      facts.add(new Fact("On its dates", words(schedule.getOnExcluded())));
    }
    if (schedule.getJitterMs() > 0) {
      facts.add(new Fact("Jitter", "up to " + text(schedule.getJitterMs())));
    }
    instant("Not before", schedule.getStartAt(), facts);
    instant("End", schedule.getEndAt(), facts);
    Optional.ofNullable(schedule.getPauseAfterFailures())
        .ifPresent(number -> facts.add(new Fact("Pause after failures", String.valueOf(number))));
    Optional.ofNullable(schedule.getExpect()).ifPresent(expect -> expected(expect, facts));
    facts.add(new Fact("Attempts", "up to " + schedule.getMaxAttempts()));
    Optional.ofNullable(schedule.getTarget())
        .map(Target::getTopic)
        .ifPresent(topic -> facts.add(new Fact("Target", cut(topic))));
    Optional.ofNullable(schedule.getType())
        .ifPresent(type -> facts.add(new Fact("Type of job", cut(type))));
    known
        .currentRevision()
        .map(Revision::getAuthor)
        .ifPresent(
            author -> facts.add(new Fact("Defined by", cut(author), Map.of("text", cut(author)))));
    return facts;
  }

  private static void expected(Expectations expect, List<Fact> facts) {
    within("Expected: started", "within ", expect.getStartedWithinMs(), facts);
    within("Expected: succeeded", "within ", expect.getSucceededWithinMs(), facts);
    within("Expected: a success", "every ", expect.getSucceededEveryMs(), facts);
    Optional.ofNullable(expect.getContact())
        .ifPresent(contact -> facts.add(new Fact("Contact", cut(contact))));
    Optional.ofNullable(expect.getRunbook())
        .ifPresent(runbook -> facts.add(new Fact("Runbook", cut(runbook))));
  }

  private static void within(String name, String how, Long ms, List<Fact> facts) {
    Optional.ofNullable(ms).ifPresent(time -> facts.add(new Fact(name, how + text(time))));
  }

  private static void instant(String name, Instant at, List<Fact> facts) {
    Optional.ofNullable(at).ifPresent(known -> facts.add(new Fact(name, known.toString())));
  }

  private static String words(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String text(long millis) {
    return Interval.ofMillis(millis).shortText();
  }

  private static String cut(String text) {
    return SafeText.cut(text, LONGEST_TEXT);
  }
}
