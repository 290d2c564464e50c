package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.source.MovingList.Draft;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Turns triggers of Quartz, from XML or from tables, into schedules. The end of a cron trigger is
 * inclusive there; those of the other triggers are exclusive, as here.
 */
final class QuartzTriggers {
  static final String RECOVERY = "the recovery of a run that a crash ended";
  private static final Set<String> DAYS = Set.of("DAY", "WEEK", "MONTH", "YEAR");
  private static final int CLOCK_CHANGES = 20;
  private static final int FOR_EVER = -1;
  private static final int IGNORE_MISFIRES = -1;
  private static final int CRON_FIRE_ONCE = 1;
  private static final int CRON_DO_NOTHING = 2;

  private final MovingSettings settings;
  private final MovingList list;

  QuartzTriggers(MovingSettings settings) {
    this.settings = settings;
    this.list = new MovingList(settings);
  }

  /**
   * What every trigger has.
   *
   * @param key group and name
   * @param misfire as in Quartz: 0 is the smart policy
   * @param data of the job, under that of the trigger
   */
  record Common(
      String key,
      Job job,
      Optional<Instant> start,
      Optional<Instant> end,
      Optional<String> calendar,
      int misfire,
      boolean paused,
      int priority,
      JobData data) {
    String what() {
      return "trigger " + key;
    }
  }

  /**
   * What a trigger starts.
   *
   * @param key group and name
   * @param leftOut what of the job and of its trigger has no equal
   */
  record Job(
      String key,
      String type,
      Optional<String> description,
      boolean concurrent,
      List<String> leftOut) {}

  /**
   * The data of a trigger over that of its job.
   *
   * @param notes what of it cannot be read, and what else is to be said about the trigger
   */
  record JobData(Map<String, String> values, List<String> notes) {}

  /** What Quartz does in a calendar interval of days if the clock skips the time of day. */
  enum Gap {
    MOVES_ALL_AFTER_IT,
    MOVES_ONE,
    LEAVES_OUT;

    static Gap of(boolean preservesHour, boolean skipsDay) {
      if (!preservesHour) {
        return MOVES_ALL_AFTER_IT;
      }
      return skipsDay ? LEAVES_OUT : MOVES_ONE;
    }
  }

  MovingList list() {
    return list;
  }

  /**
   * @throws BrokenSourceException if no zone has that name
   */
  void cron(Common common, String expression, Optional<String> zoneId) {
    Draft draft = Draft.empty();
    ZoneId zone = zone(zoneId, draft);
    draft.form().put("cron", expression.strip()).put("dialect", "quartz");
    draft.form().put("timezone", zone.getId());
    common
        .start()
        .filter(start -> start.isAfter(settings.now()))
        .map(start -> start.truncatedTo(ChronoUnit.SECONDS)) // as Quartz does
        .ifPresent(start -> draft.form().put("start_at", start.toString()));
    common.end().map(MovingList::after).ifPresent(end -> draft.form().put("end_at", end));
    draft.form().put("catch_up", catchUp(common));
    SourceTrigger source =
        new SourceTrigger(SourceEngine.QUARTZ, expression.strip(), zone)
            .between(common.start(), common.end());
    add(common, draft.from(source));
  }

  private static String catchUp(Common common) {
    return switch (common.misfire()) {
      case IGNORE_MISFIRES -> "replay";
      case CRON_DO_NOTHING -> "skip";
      case CRON_FIRE_ONCE -> "collapse";
      default -> "collapse";
    };
  }

  /**
   * @param count how often it repeats after the first time, or -1 for ever
   * @param done how often it has fired
   */
  void simple(Common common, Duration interval, long count, long done) {
    Instant start = common.start().orElse(settings.now());
    Draft draft = Draft.empty();
    if (count == 0 || interval.isZero()) {
      if (done > 0) {
        list.leave(common.what(), "it has fired once and is complete");
        return;
      }
      draft.form().put("at", start.toString());
      add(common, draft);
      return;
    }
    draft.form().put("every", interval.toString()).put("anchor", start.toString());
    common.end().ifPresent(end -> draft.form().put("end_at", end.toString()));
    draft.form().put("catch_up", common.misfire() == IGNORE_MISFIRES ? "replay" : "collapse");
    if (count != FOR_EVER) {
      Instant last = start.plus(interval.multipliedBy(count));
      Instant end = common.end().filter(at -> !at.isAfter(last)).orElse(last.plusMillis(1));
      draft.form().put("end_at", end.toString());
    }
    String text = interval + " " + Math.min(count, Integer.MAX_VALUE);
    SourceTrigger source =
        new SourceTrigger(SourceEngine.QUARTZ_INTERVAL, text, settings.zone())
            .between(Optional.of(start), common.end());
    add(common, draft.from(source));
  }

  /**
   * @param unit of Quartz's DateBuilder: SECOND to YEAR
   * @throws BrokenSourceException if no zone has that name
   */
  void calendarInterval(Common common, long n, String unit, Optional<String> zoneId, Gap gap) {
    Draft draft = Draft.empty();
    ZoneId zone = zone(zoneId, draft);
    Instant anchor = common.start().orElse(settings.now());
    draft.form().put("every", n + " " + unit.toLowerCase(Locale.ROOT));
    draft.form().put("anchor", anchor.toString());
    draft.form().put("timezone", zone.getId());
    common.end().ifPresent(end -> draft.form().put("end_at", end.toString()));
    draft.note(
        "Quartz counts a month from the last one, so a 31st stays the 28th after February; here"
            + " each month counts from the anchor.");
    if (DAYS.contains(unit) && gap != Gap.MOVES_ONE && isSkippedOnce(anchor, zone)) {
      draft.note(
          gap == Gap.LEAVES_OUT
              ? "Quartz leaves out a day whose clock skips its time; here it fires at the end of the"
                  + " gap."
              : "Where the clock skips its time, Quartz moves all that comes after it, too; here its"
                  + " time of day stays.");
    }
    add(common, draft);
  }

  /** Whether the clocks of the coming years skip the time of day. */
  private static boolean isSkippedOnce(Instant anchor, ZoneId zone) {
    LocalTime time = anchor.atZone(zone).toLocalTime();
    return Stream.iterate(
            zone.getRules().nextTransition(anchor),
            Objects::nonNull,
            change -> zone.getRules().nextTransition(change.getInstant()))
        .limit(CLOCK_CHANGES)
        .filter(ZoneOffsetTransition::isGap)
        .anyMatch(
            gap ->
                !time.isBefore(gap.getDateTimeBefore().toLocalTime())
                    && time.isBefore(gap.getDateTimeAfter().toLocalTime()));
  }

  void unknown(Common common, String type) {
    list.leave(
        common.what(),
        "a trigger of type %s has no equal; define it as cron or every".formatted(type));
  }

  private ZoneId zone(Optional<String> named, Draft draft) {
    return list.zone(named, "timezone: ", "Quartz uses that of its JVM", draft);
  }

  private void add(Common common, Draft draft) {
    if (common.calendar().isPresent()) {
      list.leave(
          common.what(),
          "it leaves out the Quartz calendar %s; put its dates with waterclock calendar put, and name"
                  .formatted(common.calendar().get())
              + " that in except");
      return;
    }
    ObjectNode form = draft.form();
    if (common.paused()) {
      form.put("enabled", false);
    }
    if (!common.job().concurrent()) {
      form.put("overlap", "buffer_one");
      draft.note(
          "@DisallowConcurrentExecution holds all triggers of the job apart; overlap holds the runs"
              + " of this schedule apart.");
    }
    if (common.priority() != QuartzXml.USUAL_PRIORITY) {
      form.put("priority", QuartzXml.USUAL_PRIORITY - common.priority());
    }
    common.job().leftOut().forEach(draft::leaveOut);
    common.job().description().ifPresent(text -> form.put("description", text));
    form.put("type", common.job().type());
    if (!common.data().values().isEmpty()) {
      ObjectNode payload = form.putObject("payload");
      common.data().values().forEach(payload::put);
    }
    common.data().notes().forEach(draft::note);
    list.add(common.what(), common.key(), draft);
  }

  static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
