package io.waterclock.definition;

import static io.waterclock.schemas.policy.CatchUpPolicy.MOST_KEPT;
import static io.waterclock.schemas.policy.CatchUpPolicy.USUALLY_KEPT;

import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.RRule;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Nearest;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Validates definitions and finds all problems at once. Thread-safe, unless its effort has a limit.
 *
 * @param minInterval the shortest interval that a schedule may have
 * @param defaultTimezone for definitions that name none
 * @param effort counts the steps in its total; each search has a limit of its own
 */
public record Validation(MinInterval minInterval, ZoneId defaultTimezone, Effort effort) {
  /** The most fires that may fail in a row before a schedule is paused. */
  public static final int MAX_FAILURES = 1_000;

  private static final int LONGEST_CONTACT = 255;
  private static final int LONGEST_RUNBOOK = 1_000;
  private static final int MAX_SKIPS = 1_000;
  private static final int MAX_CALENDARS = 16;
  private static final int MOST_BUSINESS_DAYS = 23;

  /** Headers of fires take much more memory than they have bytes. */
  private static final int MAX_HEADERS = 500;

  private static final long MAX_COUNTED = 1_000_000;
  private static final Duration LONGEST = Duration.ofDays(366 * 100);

  /** The number of occurrences checked for two that are too close. */
  private static final int LOOKED_AT = 1_500;

  /** Validates without owners: one minimum interval for all schedules. */
  public Validation(Duration minInterval, ZoneId defaultTimezone) {
    this(new MinInterval(minInterval, Optional.empty()), defaultTimezone, Effort.unlimited());
  }

  /**
   * The definition in the form for comparing and storing: with a time zone, without extensions of
   * cron, with sorted skips and calendars. A copy that shares the values of its other fields.
   */
  public Schedule normalise(Schedule schedule) {
    Schedule copy = new Schedule();
    Schedule.SCHEMA$.getFields().forEach(field -> copy.put(field.pos(), schedule.get(field.pos())));
    ScheduleJson.translate(copy);
    if (copy.getTimezone() == null) {
      copy.setTimezone(defaultTimezone.getId());
    }
    copy.setSkip(ascending(copy.getSkip()));
    copy.setExcept(ascending(copy.getExcept()));
    copy.setOnly(ascending(copy.getOnly()));
    return copy;
  }

  private static <T> List<T> ascending(List<T> list) {
    return list.size() < 2 ? list : list.stream().sorted().distinct().toList();
  }

  /**
   * All problems of a normalised definition.
   *
   * @param known problems found while reading it; their fields have defaults and are not checked
   *     again
   * @param timestamp of the record, from which a trigger without an anchor counts
   */
  public List<Problem> problems(
      String id, Schedule schedule, List<Problem> known, Instant timestamp, Set<String> calendars) {
    Set<String> judged = known.stream().map(Problem::getField).collect(Collectors.toSet());
    return new Check(this, id, schedule, judged, timestamp, calendars, new ArrayList<>()).run();
  }

  private record Check(
      Validation rules,
      String id,
      Schedule schedule,
      Set<String> judged,
      Instant timestamp,
      Set<String> calendars,
      List<Problem> problems) {
    List<Problem> run() {
      Optional<ZoneId> zone = zone();
      trigger(zone);
      atLeast("grace", schedule.getGraceMs(), 0, "60s");
      atLeast("catch_up_window", schedule.getCatchUpWindowMs(), 0, "PT6H");
      atLeast("max_replay", schedule.getMaxReplay(), 1, "10000");
      if (schedule.getMaxReplay() > MOST_KEPT) {
        add("max_replay", "is " + schedule.getMaxReplay() + "; at most " + MOST_KEPT, "10000");
      }
      atLeast("max_occurrences", schedule.getMaxOccurrences(), 1, "12");
      if (schedule.getMaxOccurrences() != null && schedule.getMaxOccurrences() > MAX_COUNTED) {
        add(
            "max_occurrences",
            "is more than " + MAX_COUNTED + "; use end_at",
            "\"end_at\":\"2027-01-01T00:00:00Z\"");
      }
      atLeast("jitter", schedule.getJitterMs(), 0, "30s");
      jitter();
      timeout();
      rearm();
      dialect();
      atLeast("expires", schedule.getExpiresMs(), 1, "10m");
      atLeast("tolerance", schedule.getToleranceMs(), 0, "5s");
      atLeast("max_attempts", (long) schedule.getMaxAttempts(), 1, "4");
      atLeast("backoff", schedule.getBackoffMs(), 0, "200ms");
      pauseAfterFailures();
      expectations();
      bounds();
      except();
      limit();
      return problems;
    }

    private void limit() {
      if (schedule.getLimit() != null) {
        try {
          new LimitName(schedule.getLimit());
        } catch (InvalidIdException e) {
          add("limit", String.valueOf(e.getMessage()), "\"etl\"");
        }
      }
    }

    private Optional<ZoneId> zone() {
      if (judged.contains("timezone")) {
        return Optional.empty();
      }
      try {
        return Optional.of(Instants.zone(schedule.getTimezone()));
      } catch (InvalidValueException e) {
        add("timezone", e.what(), e.example());
        return Optional.empty();
      }
    }

    private void trigger(Optional<ZoneId> zone) {
      Object trigger = schedule.getTrigger();
      if (trigger == null) {
        if (judged.isEmpty()) {
          add(
              "",
              "there is no trigger: give one of cron, every, rrule, at or in",
              "{\"every\":\"5m\"}");
        }
        return;
      }
      Optional<Problem> wrong =
          TriggerRules.problem(
              id, schedule, zone.orElse(ZoneOffset.UTC), timestamp, rules.effort());
      if (wrong.isPresent()) {
        add(wrong.get().getField(), wrong.get().getMessage(), wrong.get().getExample());
      } else {
        limits(trigger, zone.orElse(ZoneOffset.UTC));
      }
    }

    private void limits(Object trigger, ZoneId zone) {
      if (trigger instanceof EveryTrigger) {
        every(zone);
      } else if (trigger instanceof OnceTrigger once) {
        atLeast("in", once.getInMs(), 0, "PT90S");
      } else {
        if (trigger instanceof RRuleTrigger) {
          replayable(zone);
        }
        if (isAboveSecond()) {
          apart(trigger instanceof CronTrigger ? "cron" : "rrule");
        }
      }
    }

    /**
     * A replay searches backwards for the occurrences that it drops, so the search must be short.
     */
    private void replayable(ZoneId zone) {
      long most = schedule.getMaxReplay();
      if (most > USUALLY_KEPT
          && most <= MOST_KEPT
          && Triggers.define(
                  id, schedule, zone, Triggers.resolve(schedule, zone, timestamp), rules.effort())
              instanceof RRule rule
          && !rule.countsTo(timestamp, most)) {
        add(
            "max_replay",
            ("%s occurrences take too long to look back over for this rule; at most %s are"
                    + " always allowed")
                .formatted(most, USUALLY_KEPT),
            String.valueOf(USUALLY_KEPT));
      }
    }

    private void every(ZoneId zone) {
      Instant anchor = Triggers.resolve(schedule, zone, Instant.EPOCH).orElseThrow();
      Trigger grid = Triggers.of(id, schedule, zone, Optional.of(anchor));
      Optional<Instant> second = grid.nextAfter(anchor);
      if (second.isPresent()
          && Duration.between(anchor, second.get()).compareTo(rules.minInterval().atLeast()) < 0) {
        add("every", rules.minInterval().problem(), rules.minInterval().example());
      }
    }

    /**
     * Cron and recurrence rules name whole seconds, so they keep every limit of one second or less.
     */
    private boolean isAboveSecond() {
      return rules.minInterval().atLeast().compareTo(Duration.ofSeconds(1)) > 0;
    }

    /**
     * Reads the trigger in UTC, because a clock change may bring two occurrences closer together.
     */
    private void apart(String field) {
      try {
        Trigger trigger =
            Triggers.define(
                id,
                schedule,
                ZoneOffset.UTC,
                Triggers.resolve(schedule, ZoneOffset.UTC, timestamp),
                rules.effort());
        apart(field, trigger.metered(rules.effort().beside(Effort.DECISION)));
      } catch (InvalidTriggerException e) {
        add(e.field(), e.problem() + " (read in UTC)", e.example());
      } catch (EffortSpentException e) {
        add(
            field,
            "takes too many steps to decide whether it " + rules.minInterval().problem(),
            "\"every\":\"" + rules.minInterval().example() + "\"");
      }
    }

    private void apart(String field, Trigger trigger) {
      Optional<Instant> last = trigger.nextAfter(timestamp);
      for (int i = 1; i < LOOKED_AT && last.isPresent(); i++) {
        Optional<Instant> next = trigger.nextAfter(last.get());
        if (next.isPresent()
            && Duration.between(last.get(), next.get()).compareTo(rules.minInterval().atLeast())
                < 0) {
          add(
              field,
              "occurs at %s and at %s, which %s"
                  .formatted(last.get(), next.get(), rules.minInterval().problem()),
              "\"every\":\"" + rules.minInterval().example() + "\"");
          return;
        }
        last = next;
      }
    }

    private void jitter() {
      if (schedule.getJitterMs() <= 0) {
        return;
      }
      try {
        Jitter.of(Duration.ofMillis(schedule.getJitterMs()));
      } catch (InvalidTriggerException e) {
        add("jitter", e.problem(), e.example());
      }
    }

    private void timeout() {
      atLeast("timeout", schedule.getTimeoutMs(), 1, "5m");
      if (schedule.getTimeoutNone() && schedule.getTimeoutMs() != null) {
        add("timeout", "is both none and " + schedule.getTimeoutMs() + " ms", "5m");
      } else if (schedule.getTimeoutNone() && schedule.getOverlap() != Overlap.ALLOW) {
        add(
            "timeout",
            "is none, but overlap "
                + schedule.getOverlap().name().toLowerCase(Locale.ROOT)
                + " waits for the end of a run, and a run that reports nothing would never end; say"
                + " how long a run may take at most",
            "7d");
      }
    }

    private void rearm() {
      Object trigger = schedule.getTrigger();
      if (schedule.getRearm()
          && trigger != null
          && !(trigger instanceof OnceTrigger)
          && !Triggers.countsFromRecord(trigger)) {
        add(
            "rearm",
            "goes with in and at, and with every and rrule without an anchor; this trigger is the"
                + " same whenever it is written",
            "\"in\":\"PT1H\",\"rearm\":true");
      }
    }

    private void dialect() {
      Object trigger = schedule.getTrigger();
      if (schedule.getDialect() != Dialect.WATERCLOCK
          && trigger != null
          && !(trigger instanceof CronTrigger)) {
        add(
            "dialect",
            "goes with cron only",
            "\"cron\":\"0 0 9 ? * MON-FRI\",\"dialect\":\"quartz\"");
      }
    }

    private void expectations() {
      Expectations expect = schedule.getExpect();
      if (expect == null) {
        return;
      }
      atLeast("expect.started_within", expect.getStartedWithinMs(), 1, "5m");
      atLeast("expect.succeeded_within", expect.getSucceededWithinMs(), 1, "1h");
      atLeast("expect.succeeded_every", expect.getSucceededEveryMs(), 1, "25h");
      boolean isExpecting = ExpectedRuns.isExpecting(expect);
      if (!isExpecting && (expect.getContact() != null || expect.getRunbook() != null)) {
        add("expect", "names whom to alert, but expects nothing", "{\"succeeded_within\": \"1h\"}");
      }
      if (isExpecting && TargetRecord.isDelayed(schedule)) {
        add("expect", "is for fires, whose runs a worker reports; a delayed record has none", "{}");
      }
      longest("expect.contact", expect.getContact(), LONGEST_CONTACT, "\"#team-reports\"");
      longest(
          "expect.runbook",
          expect.getRunbook(),
          LONGEST_RUNBOOK,
          "\"https://wiki.example.com/reports\"");
    }

    private void longest(String field, @Nullable String text, int most, String example) {
      if (text != null && text.length() > most) {
        add(field, "has " + text.length() + " characters; at most " + most, example);
      }
    }

    private void pauseAfterFailures() {
      Integer most = schedule.getPauseAfterFailures();
      if (most != null && (most < 1 || most > MAX_FAILURES)) {
        add("pause_after_failures", "is " + most + "; it must be from 1 to " + MAX_FAILURES, "3");
      }
    }

    private void bounds() {
      Instant start = schedule.getStartAt();
      Instant end = schedule.getEndAt();
      if (start != null && end != null && !start.isBefore(end)) {
        add(
            "end_at",
            "is not after start_at, so nothing would ever occur",
            end.plusSeconds(86_400).toString());
      }
      if (schedule.getSkip().size() > MAX_SKIPS) {
        add("skip", "has " + schedule.getSkip().size() + " instants; at most " + MAX_SKIPS, "[]");
      }
      if (schedule.getHeaders().size() > MAX_HEADERS) {
        add(
            "headers",
            "has " + schedule.getHeaders().size() + " entries; at most " + MAX_HEADERS,
            "{}");
      }
    }

    private void except() {
      int names = schedule.getExcept().size() + schedule.getOnly().size();
      if (names > MAX_CALENDARS) {
        add("except", "names " + names + " calendars; at most " + MAX_CALENDARS, "[]");
        return;
      }
      existing("except", schedule.getExcept());
      existing("only", schedule.getOnly());
      businessDay();
    }

    private void businessDay() {
      Integer ordinal = schedule.getBusinessDay();
      if (ordinal == null) {
        return;
      }
      if (ordinal == 0 || Math.abs((long) ordinal) > MOST_BUSINESS_DAYS) {
        add(
            "business_day",
            "is %s; it must be from 1, the first of the month, to %s, or from -1, the last, to -%s"
                .formatted(ordinal, MOST_BUSINESS_DAYS, MOST_BUSINESS_DAYS),
            "-1");
      } else if (schedule.getTrigger() instanceof OnceTrigger) {
        add(
            "business_day",
            "goes with cron, every and rrule; this trigger occurs once",
            "\"cron\":\"0 16 * * *\",\"business_day\":-1,\"except\":[\"nyse\"]");
      } else if (!Exclusions.namesCalendars(schedule)) {
        add(
            "business_day",
            "needs a calendar in except or only: without one every date is a business day",
            "\"business_day\":-1,\"except\":[\"nyse\"]");
      } else if (schedule.getOnExcluded() != OnExcluded.SKIP) {
        add(
            "on_excluded",
            "is %s, and nothing moves to another day beside business_day"
                .formatted(schedule.getOnExcluded()),
            "\"skip\"");
      }
    }

    private void existing(String field, List<String> names) {
      for (String name : names) {
        if (!calendars.contains(name)) {
          String known =
              calendars.isEmpty()
                  ? "there are none; create one with waterclock calendar put"
                  : Nearest.slipOf(name, calendars)
                      .map("did you mean \"%s\"?"::formatted)
                      .orElse("waterclock calendar list shows those that there are");
          add(
              field,
              "there is no calendar \"" + SafeText.cut(name, 64) + "\": " + known,
              "[\"" + (calendars.isEmpty() ? "holidays-de" : Nearest.to(name, calendars)) + "\"]");
        }
      }
    }

    private void atLeast(String field, @Nullable Long value, long least, String example) {
      if (value == null) {
        return;
      }
      if (value < least) {
        add(field, "is " + value + "; it must be at least " + least, example);
      } else if (value > LONGEST.toMillis()) {
        add(field, "is more than a hundred years", example);
      }
    }

    private void add(String field, String message, String example) {
      if (judged.contains(field) && !field.isEmpty()) {
        return;
      }
      problems.add(Problems.of(field, message, example));
    }
  }
}
