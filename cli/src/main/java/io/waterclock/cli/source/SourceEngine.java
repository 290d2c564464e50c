package io.waterclock.cli.source;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;

/**
 * Libraries that find occurrences for other schedulers. They are called by reflection, because
 * users bring the version that they run, and most bring none.
 */
public enum SourceEngine {
  /** A cron trigger of Quartz. */
  QUARTZ("org.quartz-scheduler:quartz", "org.quartz.impl.triggers.CronTriggerImpl") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      Class<?> type = loader.loadClass(mainClass());
      Object cron = type.getConstructor().newInstance();
      type.getMethod("setCronExpression", String.class).invoke(cron, source.text());
      type.getMethod("setTimeZone", TimeZone.class)
          .invoke(cron, TimeZone.getTimeZone(source.zone()));
      return bounded(type, cron, source.start().orElse(Instant.EPOCH), source.end());
    }
  },

  /** A simple trigger of Quartz: its interval, and how often it repeats (-1: for ever). */
  QUARTZ_INTERVAL("org.quartz-scheduler:quartz", "org.quartz.impl.triggers.SimpleTriggerImpl") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      Class<?> type = loader.loadClass(mainClass());
      Object simple = type.getConstructor().newInstance();
      String[] parts = source.text().split(" ", -1);
      type.getMethod("setRepeatInterval", long.class)
          .invoke(simple, Duration.parse(parts[0]).toMillis());
      type.getMethod("setRepeatCount", int.class).invoke(simple, Integer.parseInt(parts[1]));
      return bounded(type, simple, source.start().orElseThrow(), source.end());
    }
  },

  /** A cron expression of Spring. */
  SPRING(
      "org.springframework:spring-context",
      "org.springframework.scheduling.support.CronExpression") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      Class<?> type = loader.loadClass(mainClass());
      Object cron = type.getMethod("parse", String.class).invoke(null, source.text());
      Method next = type.getMethod("next", Temporal.class);
      return t -> zoned(call(next, cron, t.atZone(source.zone())));
    }
  },

  /** A line of a crontab, read by cron-utils: cron itself has no way to print its times. */
  CRON_UTILS("com.cronutils:cron-utils", "com.cronutils.model.time.ExecutionTime") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      Class<?> cronType = loader.loadClass("com.cronutils.model.CronType");
      Class<?> definition = loader.loadClass("com.cronutils.model.definition.CronDefinition");
      Object unix =
          loader
              .loadClass("com.cronutils.model.definition.CronDefinitionBuilder")
              .getMethod("instanceDefinitionFor", cronType)
              .invoke(null, cronType.getField("UNIX").get(null));
      Class<?> parser = loader.loadClass("com.cronutils.parser.CronParser");
      Object cron =
          parser
              .getMethod("parse", String.class)
              .invoke(parser.getConstructor(definition).newInstance(unix), source.text());
      Class<?> type = loader.loadClass(mainClass());
      Object times =
          type.getMethod("forCron", loader.loadClass("com.cronutils.model.Cron"))
              .invoke(null, cron);
      Method next = type.getMethod("nextExecution", ZonedDateTime.class);
      return t ->
          ((Optional<?>) call(next, times, t.atZone(source.zone())).orElseThrow())
              .map(at -> ((ZonedDateTime) at).toInstant());
    }
  },

  /** A schedule of db-scheduler as its text: {@code DAILY|10:30}, or a cron expression. */
  DB_SCHEDULER(
      "com.github.kagkarlsson:db-scheduler",
      "com.github.kagkarlsson.scheduler.task.schedule.Schedules") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      Class<?> schedules = loader.loadClass(mainClass());
      Class<?> type = loader.loadClass("com.github.kagkarlsson.scheduler.task.schedule.Schedule");
      Object schedule =
          source.text().contains("|")
              ? schedules.getMethod("parseSchedule", String.class).invoke(null, source.text())
              : schedules
                  .getMethod("cron", String.class, ZoneId.class)
                  .invoke(null, source.text(), source.zone());
      Method next = type.getMethod("getInitialExecutionTime", Instant.class);
      Instant never = (Instant) type.getField("NEVER").get(null);
      return t ->
          call(next, schedule, t)
              .map(Instant.class::cast)
              .filter(at -> at.isAfter(t) && at.isBefore(never));
    }
  },

  /** A cron expression of JobRunr. */
  JOBRUNR("org.jobrunr:jobrunr", "org.jobrunr.scheduling.cron.CronExpression") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      return ofJobRunr(loader.loadClass(mainClass()), source, Instant.EPOCH);
    }
  },

  /** A CronJob of Kubernetes, by arithmetic of our own: its library is written in Go. */
  ROBFIG("robfig/cron", "io.waterclock.cli.source.RobfigCron") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) {
      return RobfigCron.of(source.text(), source.zone());
    }
  },

  /** An interval of JobRunr, which counts from the creation of its job. */
  JOBRUNR_INTERVAL("org.jobrunr:jobrunr", "org.jobrunr.scheduling.interval.Interval") {
    @Override
    SourceOccurrences open(Rule source, ClassLoader loader) throws ReflectiveOperationException {
      return ofJobRunr(loader.loadClass(mainClass()), source, source.start().orElseThrow());
    }
  };

  /**
   * What an engine gets.
   *
   * @param text in the form that the engine reads
   * @param zone of the wall clock that it reads
   * @param start as the other scheduler has it
   * @param end as the other scheduler has it: the engine decides whether it is an occurrence
   */
  public record Rule(String text, ZoneId zone, Optional<Instant> start, Optional<Instant> end) {}

  private final String library;
  private final String mainClass;

  SourceEngine(String library, String mainClass) {
    this.library = library;
    this.mainClass = mainClass;
  }

  /** The Maven coordinates of the library, without a version. */
  public String library() {
    return library;
  }

  String mainClass() {
    return mainClass;
  }

  public boolean isIn(ClassLoader loader) {
    try {
      loader.loadClass(mainClass);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  abstract SourceOccurrences open(Rule source, ClassLoader loader)
      throws ReflectiveOperationException;

  /**
   * @throws EngineFailure if the library is missing or refuses the text
   */
  SourceOccurrences occurrences(Rule source, ClassLoader loader) {
    try {
      return open(source, loader);
    } catch (InvocationTargetException e) {
      throw new EngineFailure(library + " refuses \"" + source.text() + "\": " + message(e), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new EngineFailure(
          library + " cannot be called; it is missing or too different: " + e, e);
    }
  }

  private static SourceOccurrences ofJobRunr(Class<?> type, Rule source, Instant created)
      throws ReflectiveOperationException {
    Object schedule = type.getConstructor(String.class).newInstance(source.text());
    Method next = type.getMethod("next", Instant.class, Instant.class, ZoneId.class);
    return t -> call(next, schedule, created, t, source.zone()).map(Instant.class::cast);
  }

  /** Sets the bounds of a trigger of Quartz, which decides itself whether the end is one. */
  private static SourceOccurrences bounded(
      Class<?> type, Object trigger, Instant start, Optional<Instant> end)
      throws ReflectiveOperationException {
    type.getMethod("setStartTime", Date.class).invoke(trigger, Date.from(start));
    if (end.isPresent()) {
      type.getMethod("setEndTime", Date.class).invoke(trigger, Date.from(end.get()));
    }
    Method next = type.getMethod("getFireTimeAfter", Date.class);
    return t -> instant(call(next, trigger, Date.from(t)));
  }

  private static Optional<Object> call(Method method, Object target, Object... arguments) {
    try {
      return Optional.ofNullable(method.invoke(target, arguments));
    } catch (InvocationTargetException e) {
      throw new EngineFailure("the engine fails: " + message(e), e);
    } catch (IllegalAccessException e) {
      throw new EngineFailure("the engine cannot be called: " + e.getMessage(), e);
    }
  }

  private static String message(InvocationTargetException e) {
    return String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
  }

  private static Optional<Instant> instant(Optional<Object> date) {
    return date.map(at -> ((Date) at).toInstant());
  }

  private static Optional<Instant> zoned(Optional<Object> time) {
    return time.map(at -> ((ZonedDateTime) at).toInstant());
  }
}
