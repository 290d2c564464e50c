package io.waterclock.spring;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.spring.aot.HandlerReflection;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Declares a schedule, and handles its fires with this method, which may have the parameters of a
 * {@link FireHandler}. The application writes the definition when it starts; a definition that
 * equals the one in force changes nothing. Exactly one of {@link #cron}, {@link #every}, {@link
 * #rrule} and {@link #at} is the trigger.
 *
 * <pre>{@code
 * @WaterclockSchedule(id = "reports/daily", cron = "0 9 * * 1-5", zone = "Europe/Berlin")
 * void report() { ... }
 * }</pre>
 *
 * <p>A schedule whose annotation disappears from the code is removed as {@code
 * waterclock.schedules.removal} says; by default the application only logs it. The trigger {@code
 * "-"} removes a schedule from the code by configuration: <code>cron = "${reports.cron}"</code>
 * with {@code reports.cron=-}.
 *
 * <p>All texts may contain placeholders. The application does not start if a declaration is wrong;
 * the scheduler checks what only it knows, such as cron expressions, and the application logs its
 * rejection.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(WaterclockSchedule.Several.class)
@Reflective(HandlerReflection.class)
public @interface WaterclockSchedule {
  /** The trigger that takes the schedule out of the code. */
  String DISABLED = "-";

  /** The schedule's id. */
  String id();

  /** A cron expression with five fields, six with seconds first, or an alias: {@code @daily}. */
  String cron() default "";

  /** The dialect of {@link #cron}. */
  Dialect dialect() default Dialect.WATERCLOCK;

  /** An interval: {@code 5m}, {@code 1 month}, {@code PT90S}. */
  String every() default "";

  /** A recurrence rule of iCalendar: {@code FREQ=MONTHLY;BYDAY=-1FR}. */
  String rrule() default "";

  /** One instant in ISO-8601: {@code 2026-12-24T18:00:00Z}. */
  String at() default "";

  /**
   * For {@link #every} and {@link #rrule}: the instant from which the trigger counts, or a time in
   * {@link #zone}: {@code 2026-01-31T09:00}.
   */
  String anchor() default "";

  /** The time zone: {@code Europe/Berlin}. The scheduler's default unless set. */
  String zone() default "";

  /** Nothing occurs before this instant: {@code 2026-12-01T00:00:00Z}. */
  String startAt() default "";

  /** Nothing occurs at or after this instant. */
  String endAt() default "";

  /** Calendars on whose dates nothing occurs, or only as {@link #onExcluded} says. */
  String[] except() default {};

  /** Calendars on whose dates alone something occurs. */
  String[] only() default {};

  /**
   * Only the n-th business day of each month: {@code 1} is the first, {@code -1} the last. Business
   * days are the dates that {@link #except} and {@link #only} leave.
   */
  String businessDay() default "";

  /** What becomes of an occurrence on a date that {@link #except} or {@link #only} excludes. */
  OnExcluded onExcluded() default OnExcluded.SKIP;

  /** What the scheduler does with occurrences that it missed. */
  CatchUp catchUp() default CatchUp.COLLAPSE;

  /** How late an occurrence may be before it counts as missed: {@code 60s}. */
  String grace() default "";

  /** The limit of a delay that spreads schedules with the same occurrences: {@code 5m}. */
  String jitter() default "";

  /** What the scheduler does with an occurrence that is due while the previous fire runs. */
  Overlap overlap() default Overlap.ALLOW;

  /** How long a run may take, all attempts together: {@code 10m}, or {@code none}. */
  String timeout() default "";

  /** The maximum number of attempts of a fire. */
  String maxAttempts() default "";

  /** The pause before the first retry, which doubles from retry to retry: {@code 200ms}. */
  String backoff() default "";

  /** Another topic for the fires, which this method gets all the same. */
  String target() default "";

  /** What {@link #target} receives: the fire, or the payload alone. */
  TargetValue targetValue() default TargetValue.FIRE;

  /** Labels, for selecting schedules: {@code "team=billing"}. */
  String[] labels() default {};

  /** The payload, as JSON. */
  String payload() default "";

  /** The type of the job. */
  String type() default "";

  /** A description, for a person. */
  String description() default "";

  /** Several schedules that one method handles. */
  @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @Documented
  @interface Several {
    /** The schedules. */
    WaterclockSchedule[] value();
  }
}
