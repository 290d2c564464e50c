package io.waterclock.client.schedules;

import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.PayloadException;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.json.JsonText;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.Interval;
import io.waterclock.schemas.text.InvalidValueException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a definition. It begins with its one trigger; everything else has a default.
 *
 * <pre>{@code
 * ScheduleBuilder.cron("0 9 * * 1-5")
 *     .timezone("Europe/Berlin")
 *     .catchUp(CatchUp.REPLAY)
 *     .payloadJson("{\"kind\":\"daily\"}")
 * }</pre>
 *
 * <p>The methods refuse amounts out of range, unknown time zones and invalid JSON with an {@link
 * IllegalArgumentException} that contains a valid example. They truncate instants to milliseconds.
 * The scheduler checks cron expressions, recurrence rules, calendars and the operator's limits, and
 * reports errors in its answer. Not thread-safe.
 */
public class ScheduleBuilder {
  private static final Duration LEAST = Duration.ofMillis(1);

  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final int MOST_BUSINESS_DAYS = 23;
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";

  private final Schedule schedule;

  private ScheduleBuilder(Schedule.Builder definition) {
    schedule = definition.build();
  }

  /** Definitions whose trigger counts from an anchor. */
  public static final class Anchored extends ScheduleBuilder {
    private Anchored(Object trigger) {
      super(Schedule.newBuilder().setTrigger(trigger));
    }

    /**
     * The instant from which the trigger counts: the first occurrence of an interval, DTSTART of a
     * recurrence rule. Unless set, it is the timestamp of the record that first defines this
     * trigger; the first occurrence of an interval is then one interval later.
     */
    public ScheduleBuilder anchor(Instant anchor) {
      return anchor(whole(anchor), null);
    }

    /**
     * The same as a time on the wall clock of the schedule's time zone. Days and longer units keep
     * its time of day, even if the clock never shows it on that date.
     */
    public ScheduleBuilder anchor(LocalDateTime anchor) {
      return anchor(null, anchor.truncatedTo(ChronoUnit.MILLIS));
    }

    private ScheduleBuilder anchor(@Nullable Instant at, @Nullable LocalDateTime local) {
      Object trigger = super.schedule.getTrigger();
      if (trigger instanceof EveryTrigger every) {
        every.setAnchor(at);
        every.setLocalAnchor(local);
      } else if (trigger instanceof RRuleTrigger rule) {
        rule.setAnchor(at);
        rule.setLocalAnchor(local);
      }
      return this;
    }
  }

  /**
   * Occurs when a cron expression matches the local time of the time zone.
   *
   * @param expression five fields, six with seconds first, or an alias such as {@code @daily}
   */
  public static ScheduleBuilder cron(String expression) {
    return new ScheduleBuilder(Schedule.newBuilder().setTrigger(new CronTrigger(expression)));
  }

  /**
   * Occurs when an expression of another scheduler matches, such as {@code 0 0 9 ? * MON-FRI} of
   * Quartz. Clock changes follow Waterclock's rules.
   */
  public static ScheduleBuilder cron(String expression, Dialect dialect) {
    return new ScheduleBuilder(
        Schedule.newBuilder().setTrigger(new CronTrigger(expression)).setDialect(dialect));
  }

  /** Occurs at an exact interval, in which a day has 24 hours. At least a millisecond. */
  public static Anchored every(Duration interval) {
    atLeast("every", interval, MILLISECOND);
    return every(interval.toString());
  }

  /** Occurs every n units; days to years are those of the time zone. At least 1. */
  public static Anchored every(long n, Unit unit) {
    return new Anchored(new EveryTrigger(atLeastOne("every", n), unit, null, null));
  }

  /**
   * Occurs at an interval in text form: {@code 5m}, {@code 1 month}, {@code PT90S}.
   *
   * @throws InvalidValueException if the text is not an interval
   */
  public static Anchored every(String interval) {
    Interval read = Interval.parse(interval);
    return new Anchored(new EveryTrigger(read.n(), read.unit(), null, null));
  }

  /** Occurs by a recurrence rule of iCalendar, such as {@code FREQ=MONTHLY;BYDAY=-1FR}. */
  public static Anchored rrule(String rule) {
    return new Anchored(new RRuleTrigger(rule, null, null));
  }

  /** Occurs once; immediately if the instant is in the past. */
  public static ScheduleBuilder once(Instant at) {
    return new ScheduleBuilder(Schedule.newBuilder().setTrigger(new OnceTrigger(whole(at), null)));
  }

  /** Occurs once, this time after the record that first defines it; zero means immediately. */
  public static ScheduleBuilder after(Duration time) {
    return new ScheduleBuilder(
        Schedule.newBuilder().setTrigger(new OnceTrigger(null, ms("in", time, Duration.ZERO))));
  }

  /** Begins with a copy of an existing definition, to change parts of it. */
  public static ScheduleBuilder from(Schedule definition) {
    return new ScheduleBuilder(Schedule.newBuilder(definition));
  }

  /**
   * In place of its trigger: occurs once, at this instant. What belongs to the other trigger goes:
   * dialect, skips, the number of occurrences.
   */
  public ScheduleBuilder rescheduledAt(Instant at) {
    return rescheduled(new OnceTrigger(whole(at), null), false);
  }

  /**
   * In place of its trigger: occurs once, this time after the record, and after each later record
   * with this definition, see {@link #rearm}. What belongs to the other trigger goes.
   */
  public ScheduleBuilder rescheduledAfter(Duration time) {
    return rescheduled(new OnceTrigger(null, ms("in", time, Duration.ZERO)), true);
  }

  private ScheduleBuilder rescheduled(OnceTrigger once, boolean rearms) {
    schedule.setTrigger(once);
    schedule.setRearm(rearms);
    schedule.setDialect(Dialect.WATERCLOCK);
    schedule.setSkip(List.of());
    schedule.setMaxOccurrences(null);
    return this;
  }

  /** The time zone of the trigger; the scheduler's {@code default.timezone} unless set. */
  public ScheduleBuilder timezone(ZoneId zone) {
    schedule.setTimezone(zone.getId());
    return this;
  }

  /**
   * The time zone of the trigger by name: {@code Europe/Berlin}, {@code +02:00}.
   *
   * @throws InvalidValueException if the zone does not exist; it names the nearest
   */
  public ScheduleBuilder timezone(String zone) {
    return timezone(Instants.zone(zone));
  }

  /**
   * Defines it paused: occurrences are missed until a definition enables it or a resume command
   * ends the pause.
   */
  public ScheduleBuilder disabled() {
    schedule.setEnabled(false);
    return this;
  }

  /** Undoes {@link #disabled}. */
  public ScheduleBuilder enabled() {
    schedule.setEnabled(true);
    return this;
  }

  /**
   * Whether the schedule fires once for the occurrences of a pause when it is enabled; NOTHING
   * unless set.
   */
  public ScheduleBuilder onResume(OnResume policy) {
    schedule.setOnResume(policy);
    return this;
  }

  /** What the scheduler does with missed occurrences; {@code COLLAPSE} unless set. */
  public ScheduleBuilder catchUp(CatchUp policy) {
    schedule.setCatchUp(policy);
    return this;
  }

  /** How late an occurrence may be before it counts as missed; 60 s unless set. */
  public ScheduleBuilder grace(Duration time) {
    schedule.setGraceMs(ms("grace", time, Duration.ZERO));
    return this;
  }

  /**
   * With REPLAY: the scheduler does not replay occurrences that were due longer ago. No limit
   * unless set.
   */
  public ScheduleBuilder catchUpWindow(Duration time) {
    schedule.setCatchUpWindowMs(ms("catchUpWindow", time, Duration.ZERO));
    return this;
  }

  /**
   * With REPLAY: the scheduler replays at most this many occurrences, the newest; at least 1.
   * 10,000 unless set.
   */
  public ScheduleBuilder maxReplay(long most) {
    schedule.setMaxReplay(atLeastOne("maxReplay", most));
    return this;
  }

  /** The schedule has no occurrences before this instant, which is inclusive. */
  public ScheduleBuilder startAt(Instant start) {
    schedule.setStartAt(whole(start));
    return this;
  }

  /** The schedule has no occurrences from this instant on, which is exclusive. */
  public ScheduleBuilder endAt(Instant end) {
    schedule.setEndAt(whole(end));
    return this;
  }

  /** The schedule is complete after this many occurrences, fired or missed; at least 1. */
  public ScheduleBuilder maxOccurrences(long most) {
    schedule.setMaxOccurrences(atLeastOne("maxOccurrences", most));
    return this;
  }

  /** Adds occurrences to skip. */
  public ScheduleBuilder skip(Instant... occurrences) {
    schedule.setSkip(
        joined(schedule.getSkip(), Arrays.stream(occurrences).map(ScheduleBuilder::whole)));
    return this;
  }

  /** Adds calendars whose dates are excluded. */
  public ScheduleBuilder except(String... calendars) {
    schedule.setExcept(joined(schedule.getExcept(), Arrays.stream(calendars)));
    return this;
  }

  /** Adds calendars on whose dates alone the schedule occurs; other dates are excluded. */
  public ScheduleBuilder only(String... calendars) {
    schedule.setOnly(joined(schedule.getOnly(), Arrays.stream(calendars)));
    return this;
  }

  /**
   * Of the trigger's occurrences, only those on this business day of their month: 1 is the first,
   * -1 the last. Business days are the dates that {@link #except} and {@link #only} leave.
   *
   * @param ordinal from 1 to 23, or from -1 to -23
   */
  public ScheduleBuilder businessDay(int ordinal) {
    if (ordinal == 0 || Math.abs((long) ordinal) > MOST_BUSINESS_DAYS) {
      throw refused("businessDay", ordinal, "must be from 1 to 23, or from -1 to -23", "-1");
    }
    schedule.setBusinessDay(ordinal);
    return this;
  }

  /** What the scheduler does with occurrences on excluded dates; it skips them unless set. */
  public ScheduleBuilder onExcluded(OnExcluded policy) {
    schedule.setOnExcluded(policy);
    return this;
  }

  /** The limit, exclusive, of a delay that spreads schedules with the same occurrences. */
  public ScheduleBuilder jitter(Duration most) {
    schedule.setJitterMs(ms("jitter", most, Duration.ZERO));
    return this;
  }

  /**
   * What the scheduler does with an occurrence that is due while the previous fire runs; ALLOW
   * unless set.
   */
  public ScheduleBuilder overlap(Overlap policy) {
    schedule.setOverlap(policy);
    return this;
  }

  /** Pauses the schedule after this many consecutive failed fires; at least 1. */
  public ScheduleBuilder pauseAfterFailures(int failures) {
    schedule.setPauseAfterFailures((int) atLeastOne("pauseAfterFailures", failures));
    return this;
  }

  /**
   * Expects that a worker starts each fire within a time after it was due: otherwise the topic of
   * alerts says so. Needs workers that report, as do the other expectations.
   *
   * @throws IllegalArgumentException if it is less than a millisecond
   */
  public ScheduleBuilder expectStartedWithin(Duration time) {
    long ms = ms("expectStartedWithin", time, LEAST);
    return expect(all -> all.setStartedWithinMs(ms));
  }

  /**
   * Expects that each fire, or a later one, succeeds within a time after it was due.
   *
   * @throws IllegalArgumentException if it is less than a millisecond
   */
  public ScheduleBuilder expectSucceededWithin(Duration time) {
    long ms = ms("expectSucceededWithin", time, LEAST);
    return expect(all -> all.setSucceededWithinMs(ms));
  }

  /**
   * Expects at most this time from one success to the next, if a fire is due in between.
   *
   * @throws IllegalArgumentException if it is less than a millisecond
   */
  public ScheduleBuilder expectSucceededEvery(Duration time) {
    long ms = ms("expectSucceededEvery", time, LEAST);
    return expect(all -> all.setSucceededEveryMs(ms));
  }

  /** Expects nothing, not even what the operator expects of this owner. */
  public ScheduleBuilder expectNothing() {
    schedule.setExpect(Expectations.newBuilder().build());
    return this;
  }

  /**
   * What alerts about the expectations say: whom to tell, and a link to what to do.
   *
   * @param contact at most 255 characters
   * @param runbook at most 1,000 characters
   */
  public ScheduleBuilder alertTo(String contact, String runbook) {
    return expect(all -> all.setContact(contact).setRunbook(runbook));
  }

  private ScheduleBuilder expect(UnaryOperator<Expectations.Builder> change) {
    Expectations known = schedule.getExpect();
    schedule.setExpect(
        change
            .apply(known == null ? Expectations.newBuilder() : Expectations.newBuilder(known))
            .build());
    return this;
  }

  /**
   * Also sends the fires to another topic.
   *
   * @param topic an existing topic that matches the operator's {@code targets.allow}
   * @param value the fire, or only the payload with everything else in headers
   */
  public ScheduleBuilder target(String topic, TargetValue value) {
    schedule.setTarget(Target.newBuilder().setTopic(topic).setValue(value).build());
    return this;
  }

  /** Also sends the fires to another topic, with your own key instead of the fire's key. */
  public ScheduleBuilder target(String topic, String key, TargetValue value) {
    schedule.setTarget(new Target(topic, key, value, null));
    return this;
  }

  /** The type of the job: a name for handlers. */
  public ScheduleBuilder type(String name) {
    schedule.setType(name);
    return this;
  }

  /**
   * The payload of the fires, as JSON.
   *
   * @throws InvalidValueException if the text is not JSON
   */
  public ScheduleBuilder payloadJson(String json) {
    return payload(JsonText.payload(json), JSON);
  }

  /** The payload of the fires, as text. */
  public ScheduleBuilder payloadText(String text) {
    return payload(text.getBytes(StandardCharsets.UTF_8), TEXT);
  }

  /**
   * The payload of the fires: an object in the JSON of {@link JacksonMapper#standard}.
   *
   * @throws PayloadException if the object has no form in JSON
   */
  public ScheduleBuilder payload(Object value) {
    return payload(value, JacksonMapper.standard());
  }

  /**
   * The payload of the fires: an object in the form of your mapper.
   *
   * @throws PayloadException if the mapper fails
   */
  public ScheduleBuilder payload(Object value, PayloadMapper mapper) {
    return payload(new Payloads(mapper).write(value), mapper.contentType());
  }

  /**
   * The payload of the fires.
   *
   * @param contentType the media type, such as {@code application/pdf}
   */
  public ScheduleBuilder payload(byte[] bytes, String contentType) {
    schedule.setPayload(ByteBuffer.wrap(bytes.clone()));
    schedule.setContentType(contentType);
    return this;
  }

  /** Adds a header to every fire. */
  public ScheduleBuilder header(String name, String value) {
    schedule.setHeaders(with(schedule.getHeaders(), name, value));
    return this;
  }

  /** The name of a queue, for workers. */
  public ScheduleBuilder queue(String name) {
    schedule.setQueue(name);
    return this;
  }

  /** The group of a limit: fires wait until it has room. */
  public ScheduleBuilder limit(String group) {
    schedule.setLimit(group);
    return this;
  }

  /** The priority in a worker and in a limit: lower numbers run first; 0 unless set. */
  public ScheduleBuilder priority(int priority) {
    schedule.setPriority(priority);
    return this;
  }

  /** The owner of the schedule. */
  public ScheduleBuilder owner(String owner) {
    schedule.setOwner(owner);
    return this;
  }

  /** Adds a label, for searches and for handlers. */
  public ScheduleBuilder label(String name, String value) {
    schedule.setLabels(with(schedule.getLabels(), name, value));
    return this;
  }

  /** A description, for a person. */
  public ScheduleBuilder description(String text) {
    schedule.setDescription(text);
    return this;
  }

  /** How long a run may take; half the interval unless set. At least a millisecond. */
  public ScheduleBuilder timeout(Duration time) {
    schedule.setTimeoutMs(ms("timeout", time, MILLISECOND));
    schedule.setTimeoutNone(false);
    return this;
  }

  /**
   * Runs have no time limit. Not allowed with an {@link #overlap} other than ALLOW, which would
   * wait forever for a run whose worker has died.
   */
  public ScheduleBuilder noTimeout() {
    schedule.setTimeoutMs(null);
    schedule.setTimeoutNone(true);
    return this;
  }

  /**
   * How long after its emission a worker may start a fire. At least a millisecond; no limit unless
   * set.
   */
  public ScheduleBuilder expires(Duration time) {
    schedule.setExpiresMs(ms("expires", time, MILLISECOND));
    return this;
  }

  /**
   * Workers drop a run that would start sooner than interval - tolerance after the previous one;
   * off unless set.
   */
  public ScheduleBuilder tolerance(Duration time) {
    schedule.setToleranceMs(ms("tolerance", time, Duration.ZERO));
    return this;
  }

  /** The maximum number of attempts of a fire, at least 1; 4 unless set. */
  public ScheduleBuilder maxAttempts(int attempts) {
    schedule.setMaxAttempts((int) atLeastOne("maxAttempts", attempts));
    return this;
  }

  /** The backoff before the first retry; it doubles before each later one. 0.2 s unless set. */
  public ScheduleBuilder backoff(Duration time) {
    schedule.setBackoffMs(ms("backoff", time, Duration.ZERO));
    schedule.setBackoffGrowth(BackoffGrowth.DOUBLING);
    return this;
  }

  /** The backoff before each retry, always the same. */
  public ScheduleBuilder constantBackoff(Duration time) {
    backoff(time).schedule.setBackoffGrowth(BackoffGrowth.CONSTANT);
    return this;
  }

  /**
   * Makes every put of this definition start its trigger again, even if the definition is
   * unchanged: {@code after(HOUR).rearm()} fires an hour after the last put. So with {@link
   * #after}, and with {@link #every} and {@link #rrule} without an anchor. With {@link #once}, a
   * put never moves the schedule to an earlier instant. The scheduler refuses it with other
   * triggers.
   */
  public ScheduleBuilder rearm() {
    schedule.setRearm(true);
    return this;
  }

  /**
   * Workers report the outcome of every fire except those of a backfill; by default only if {@link
   * #overlap} or {@link #pauseAfterFailures} needs it.
   */
  public ScheduleBuilder reportAll() {
    schedule.setReportAll(true);
    return this;
  }

  /**
   * The definition.
   *
   * @throws IllegalArgumentException if the end is not after the start, or if {@link #noTimeout} is
   *     set and the overlap needs a timeout
   */
  public final Schedule build() {
    Instant start = schedule.getStartAt();
    Instant end = schedule.getEndAt();
    if (start != null && end != null && !start.isBefore(end)) {
      throw refused("endAt", end, "must be after startAt, " + start, start.plusSeconds(1));
    }
    if (schedule.getTimeoutNone() && schedule.getOverlap() != Overlap.ALLOW) {
      throw refused(
          "timeout", "none", "does not go with overlap " + schedule.getOverlap(), "PT168H");
    }
    return Schedule.newBuilder(schedule).build();
  }

  private static <T> List<T> joined(List<T> before, Stream<T> more) {
    return Stream.concat(before.stream(), more).distinct().toList();
  }

  private static Map<String, String> with(Map<String, String> before, String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(before);
    all.put(name, value);
    return all;
  }

  private static long ms(String name, Duration time, Duration least) {
    atLeast(name, time, least);
    return time.toMillis();
  }

  private static void atLeast(String name, Duration time, Duration least) {
    if (time.compareTo(least) < 0) {
      throw refused(name, time, "must be at least " + least, "PT90S");
    }
    if (!time.truncatedTo(ChronoUnit.MILLIS).equals(time)) {
      throw refused(name, time, "must be whole milliseconds", time.truncatedTo(ChronoUnit.MILLIS));
    }
  }

  private static long atLeastOne(String name, long value) {
    if (value < 1) {
      throw refused(name, value, "must be at least 1", "1");
    }
    return value;
  }

  private static Instant whole(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }

  private static IllegalArgumentException refused(
      String name, Object value, String rule, Object example) {
    return new IllegalArgumentException(
        name + " " + value + " " + rule + ", for example " + example);
  }
}
