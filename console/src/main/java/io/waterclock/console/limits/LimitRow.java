package io.waterclock.console.limits;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.waterclock.limits.ClosedTimes;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.avro.Limit;
import java.time.Instant;
import java.util.Optional;

/**
 * A limit and what its group does now.
 *
 * @param isDefined false for a name that schedules use and that no record defines: their fires
 *     start at once
 * @param text what it bounds, for example "4 at a time, 50 a second"
 * @param schedules how many name it, of those that may be shown
 * @param isCut true if more wait or run than the reader has room for
 * @param running how many fires have started and not ended, by the reports of their workers and
 *     their time-outs
 * @param oldest what waits longest; empty if nothing waits
 * @param startsInMinute how many have started in the last 60 to 70 seconds
 * @param startsInHour how many have started in the last hour
 * @param isClosed whether nothing starts now: a person or a window has closed it
 * @param window when a window closes it: now, or the next time; empty without windows
 */
public record LimitRow(
    String name,
    @JsonProperty("defined") boolean isDefined,
    String text,
    Optional<String> description,
    long schedules,
    long waiting,
    @JsonProperty("cut") boolean isCut,
    long running,
    Optional<Oldest> oldest,
    long startsInMinute,
    long startsInHour,
    @JsonProperty("closed") boolean isClosed,
    Optional<Pause> pause,
    Optional<ClosedTimes.Span> window) {

  /** A fire that waits. */
  public record Oldest(String schedule, Instant due) {}

  /**
   * A person's pause that is in force.
   *
   * @param since the time of the oldest record with it that was read
   * @param until when it ends by itself; empty if it lasts
   */
  public record Pause(
      Optional<String> author, Optional<String> note, Instant since, Optional<Instant> until) {}

  /** The same for a person who may not see the schedule that waits longest. */
  public LimitRow withoutSchedule() {
    return new LimitRow(
        name,
        isDefined,
        text,
        description,
        schedules,
        waiting,
        isCut,
        running,
        oldest.map(one -> new Oldest("", one.due())),
        startsInMinute,
        startsInHour,
        isClosed,
        pause,
        window);
  }

  /** What a limit bounds, for example "4 at a time, 50 a second, 1 lane, 1 closed window". */
  public static String text(Limit limit) {
    StringBuilder text = new StringBuilder();
    add(text, limit.getMaxRunning() == null ? "" : limit.getMaxRunning() + " at a time");
    add(text, limit.getPerSecond() == null ? "" : limit.getPerSecond() + " a second");
    add(text, count(limit.getLanes().size(), "lane"));
    add(text, count(limit.getClosed().size(), "closed window"));
    return text.isEmpty() ? "no bound" : text.toString();
  }

  private static String count(int number, String what) {
    return number == 0 ? "" : Words.number(number, what);
  }

  private static void add(StringBuilder text, String part) {
    text.append(text.isEmpty() || part.isEmpty() ? "" : ", ").append(part);
  }
}
