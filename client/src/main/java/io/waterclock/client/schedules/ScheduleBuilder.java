package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.json.JsonPayload;
import io.waterclock.schemas.text.Interval;
import io.waterclock.schemas.text.InvalidValueException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes a definition. It begins with its one trigger; everything else has a default.
 *
 * <pre>{@code
 * ScheduleBuilder.cron("0 9 * * 1-5")
 *     .timezone("Europe/Berlin")
 *     .catchUp(CatchUp.REPLAY)
 *     .payloadJson("{\"kind\":\"daily\"}")
 * }</pre>
 *
 * <p>What can be told here is refused here, with an {@link IllegalArgumentException} that says what
 * would be right: amounts out of range, zones that do not exist, text that is no JSON. Instants are
 * cut to milliseconds. What a cron expression or a rule means, whether there is a calendar of a
 * name and what the operator allows is for the scheduler to say, in its answer. Not thread-safe.
 */
public class ScheduleBuilder {
  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";

  private final Schedule schedule;

  private ScheduleBuilder(Object trigger) {
    this(Schedule.newBuilder().setTrigger(trigger).build());
  }

  private ScheduleBuilder(Schedule schedule) {
    this.schedule = schedule;
  }

  /** Definitions whose trigger counts from an anchor. */
  public static final class Anchored extends ScheduleBuilder {
    private Anchored(Object trigger) {
      super(trigger);
    }

    /**
     * Where it counts from: of a grid the first occurrence, of a rule what iCalendar calls DTSTART.
     * The timestamp of the record that first defines this trigger unless set; a grid then first
     * occurs one interval later.
     */
    public ScheduleBuilder anchor(Instant anchor) {
      Instant at = whole(anchor);
      Schedule made = definition();
      if (made.getTrigger() instanceof EveryTrigger every) {
        every.setAnchor(at);
      } else if (made.getTrigger() instanceof RRuleTrigger rule) {
        rule.setAnchor(at);
      }
      return this;
    }
  }

  /**
   * Occurs where a cron expression matches the clock of the time zone.
   *
   * @param expression five fields, six with seconds first, or an alias such as {@code @daily}
   */
  public static ScheduleBuilder cron(String expression) {
    return new ScheduleBuilder(new CronTrigger(expression));
  }

  /** Occurs every so often; a day of this kind has 24 hours. At least a millisecond. */
  public static Anchored every(Duration interval) {
    atLeast("every", interval, MILLISECOND);
    return every(interval.toString());
  }

  /** Occurs every n units; days to years are those of the time zone. At least 1. */
  public static Anchored every(long n, Unit unit) {
    if (n < 1) {
      throw refused("every", n, "must be at least 1", "1");
    }
    return new Anchored(new EveryTrigger(n, unit, null));
  }

  /**
   * The same as text: {@code 5m}, {@code 1 month}, {@code PT90S}.
   *
   * @throws InvalidValueException if that is no interval
   */
  public static Anchored every(String interval) {
    Interval read = Interval.parse(interval);
    return new Anchored(new EveryTrigger(read.n(), read.unit(), null));
  }

  /** Occurs by a recurrence rule of iCalendar, such as {@code FREQ=MONTHLY;BYDAY=-1FR}. */
  public static Anchored rrule(String rule) {
    return new Anchored(new RRuleTrigger(rule, null));
  }

  /** Occurs once; at once if the instant is past. */
  public static ScheduleBuilder once(Instant at) {
    return new ScheduleBuilder(new OnceTrigger(whole(at), null));
  }

  /** Occurs once, so long after the record that first defines it; zero for at once. */
  public static ScheduleBuilder after(Duration time) {
    return new ScheduleBuilder(new OnceTrigger(null, ms("in", time, Duration.ZERO)));
  }

  /** Begins with a definition that there is, to change some of it; that one stays as it is. */
  public static ScheduleBuilder from(Schedule definition) {
    return new ScheduleBuilder(Schedule.newBuilder(definition).build());
  }

  /** In which the trigger is read; the scheduler's {@code default.timezone} unless set. */
  public ScheduleBuilder timezone(ZoneId zone) {
    schedule.setTimezone(zone.getId());
    return this;
  }

  /**
   * The same by name: {@code Europe/Berlin}, {@code +02:00}.
   *
   * @throws IllegalArgumentException if there is no such zone
   */
  public ScheduleBuilder timezone(String zone) {
    try {
      return timezone(ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "timezone \"" + zone + "\" does not exist, for example \"Europe/Berlin\"", e);
    }
  }

  /** Defines it paused: what occurs is missed until a definition or a resume lets it go on. */
  public ScheduleBuilder disabled() {
    schedule.setEnabled(false);
    return this;
  }

  /** Takes {@link #disabled} back. */
  public ScheduleBuilder enabled() {
    schedule.setEnabled(true);
    return this;
  }

  /** Whether enabling it fires once for what occurred meanwhile; NOTHING unless set. */
  public ScheduleBuilder onResume(OnResume policy) {
    schedule.setOnResume(policy);
    return this;
  }

  /** What becomes of missed occurrences; {@code COLLAPSE} unless set. */
  public ScheduleBuilder catchUp(CatchUp policy) {
    schedule.setCatchUp(policy);
    return this;
  }

  /** How late an occurrence may be before it counts as missed; 60 s unless set. */
  public ScheduleBuilder grace(Duration time) {
    schedule.setGraceMs(ms("grace", time, Duration.ZERO));
    return this;
  }

  /** With REPLAY: nothing that was due longer ago is replayed. No limit unless set. */
  public ScheduleBuilder catchUpWindow(Duration time) {
    schedule.setCatchUpWindowMs(ms("catchUpWindow", time, Duration.ZERO));
    return this;
  }

  /** With REPLAY: at most so many, the newest; at least 1. 10,000 unless set. */
  public ScheduleBuilder maxReplay(long most) {
    schedule.setMaxReplay(atLeastOne("maxReplay", most));
    return this;
  }

  /** Inclusive: nothing occurs before. */
  public ScheduleBuilder startAt(Instant start) {
    schedule.setStartAt(whole(start));
    return this;
  }

  /** Exclusive: nothing occurs from then on. */
  public ScheduleBuilder endAt(Instant end) {
    schedule.setEndAt(whole(end));
    return this;
  }

  /** It is complete after so many occurrences, whatever became of them; at least 1. */
  public ScheduleBuilder maxOccurrences(long most) {
    schedule.setMaxOccurrences(atLeastOne("maxOccurrences", most));
    return this;
  }

  /** Occurrences to leave out, beside those of earlier calls. */
  public ScheduleBuilder skip(Instant... occurrences) {
    schedule.setSkip(
        joined(schedule.getSkip(), Arrays.stream(occurrences).map(ScheduleBuilder::whole)));
    return this;
  }

  /** Calendars on whose dates nothing occurs, beside those of earlier calls. */
  public ScheduleBuilder except(String... calendars) {
    schedule.setExcept(joined(schedule.getExcept(), Arrays.stream(calendars)));
    return this;
  }

  /** What becomes of occurrences on those dates; left out unless set. */
  public ScheduleBuilder onExcluded(OnExcluded policy) {
    schedule.setOnExcluded(policy);
    return this;
  }

  /** Exclusive bound of a delay that scatters schedules which occur at the same time. */
  public ScheduleBuilder jitter(Duration most) {
    schedule.setJitterMs(ms("jitter", most, Duration.ZERO));
    return this;
  }

  /** What becomes of an occurrence that is due while the fire before it runs; ALLOW unless set. */
  public ScheduleBuilder overlap(Overlap policy) {
    schedule.setOverlap(policy);
    return this;
  }

  /** Pauses the schedule after so many failed fires in a row; at least 1. */
  public ScheduleBuilder pauseAfterFailures(int failures) {
    schedule.setPauseAfterFailures((int) atLeastOne("pauseAfterFailures", failures));
    return this;
  }

  /**
   * Sends the fires to another topic, too.
   *
   * @param topic must exist, and match the operator's {@code targets.allow}
   * @param value the fire, or the bare payload with everything else in headers
   */
  public ScheduleBuilder target(String topic, TargetValue value) {
    schedule.setTarget(Target.newBuilder().setTopic(topic).setValue(value).build());
    return this;
  }

  /** The same, under a key of your own; else the key is that of the fire. */
  public ScheduleBuilder target(String topic, String key, TargetValue value) {
    schedule.setTarget(new Target(topic, key, value));
    return this;
  }

  /** What kind of job this is: a name for handlers. */
  public ScheduleBuilder type(String name) {
    schedule.setType(name);
    return this;
  }

  /**
   * What the fires carry: JSON.
   *
   * @throws InvalidValueException if it is none
   */
  public ScheduleBuilder payloadJson(String json) {
    return payload(JsonPayload.bytes(json), JSON);
  }

  /** What the fires carry: text. */
  public ScheduleBuilder payloadText(String text) {
    return payload(text.getBytes(StandardCharsets.UTF_8), TEXT);
  }

  /**
   * What the fires carry.
   *
   * @param contentType the media type, such as {@code application/pdf}
   */
  public ScheduleBuilder payload(byte[] bytes, String contentType) {
    schedule.setPayload(ByteBuffer.wrap(bytes.clone()));
    schedule.setContentType(contentType);
    return this;
  }

  /** Carried to every fire, beside those of earlier calls. */
  public ScheduleBuilder header(String name, String value) {
    schedule.setHeaders(with(schedule.getHeaders(), name, value));
    return this;
  }

  /** For workers: a name, carried to every fire. */
  public ScheduleBuilder queue(String name) {
    schedule.setQueue(name);
    return this;
  }

  /** Lower runs first in a worker's buffer; 0 unless set. */
  public ScheduleBuilder priority(int priority) {
    schedule.setPriority(priority);
    return this;
  }

  /** Whose it is. */
  public ScheduleBuilder owner(String owner) {
    schedule.setOwner(owner);
    return this;
  }

  /** For finding it, and for handlers; beside those of earlier calls. */
  public ScheduleBuilder label(String name, String value) {
    schedule.setLabels(with(schedule.getLabels(), name, value));
    return this;
  }

  /** For people. */
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
   * A run may take as long as it takes. Not with an {@link #overlap} other than ALLOW, which would
   * wait for ever for a run whose worker has died.
   */
  public ScheduleBuilder noTimeout() {
    schedule.setTimeoutMs(null);
    schedule.setTimeoutNone(true);
    return this;
  }

  /** How long after it was fired a fire is still run. At least a millisecond; always unless set. */
  public ScheduleBuilder expires(Duration time) {
    schedule.setExpiresMs(ms("expires", time, MILLISECOND));
    return this;
  }

  /**
   * Drops a run that starts sooner than interval - tolerance after the one before; off unless set.
   */
  public ScheduleBuilder tolerance(Duration time) {
    schedule.setToleranceMs(ms("tolerance", time, Duration.ZERO));
    return this;
  }

  /** How often a fire is tried, at least 1; 4 unless set. */
  public ScheduleBuilder maxAttempts(int attempts) {
    schedule.setMaxAttempts((int) atLeastOne("maxAttempts", attempts));
    return this;
  }

  /**
   * How long a worker waits before the first retry, and twice as long before each later one; 0.2 s
   * unless set.
   */
  public ScheduleBuilder backoff(Duration time) {
    schedule.setBackoffMs(ms("backoff", time, Duration.ZERO));
    schedule.setBackoffGrowth(BackoffGrowth.DOUBLING);
    return this;
  }

  /** How long a worker waits before each retry. */
  public ScheduleBuilder constantBackoff(Duration time) {
    schedule.setBackoffMs(ms("backoff", time, Duration.ZERO));
    schedule.setBackoffGrowth(BackoffGrowth.CONSTANT);
    return this;
  }

  /**
   * Makes every put of this definition count anew, although it is what it was: {@code
   * after(HOUR).rearm()} fires an hour after the last one. Only with a trigger that counts from the
   * record: {@link #after}, and {@link #every} and {@link #rrule} without an anchor.
   */
  public ScheduleBuilder rearm() {
    schedule.setRearm(true);
    return this;
  }

  /**
   * Has the outcome of every fire reported, but those of a backfill; else only where {@link
   * #overlap} or {@link #pauseAfterFailures} need it.
   */
  public ScheduleBuilder reportAll() {
    schedule.setReportAll(true);
    return this;
  }

  /**
   * The definition.
   *
   * @throws IllegalArgumentException if nothing could ever occur, as the end is not after the
   *     start, or if there is no timeout and an overlap needs one
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

  final Schedule definition() {
    return schedule;
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
