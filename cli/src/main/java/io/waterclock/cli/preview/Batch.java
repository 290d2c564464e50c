package io.waterclock.cli.preview;

import io.waterclock.cli.terminal.Terminal;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Previews many cron expressions: each line {@code expression<TAB>zone<TAB>start} is written again
 * with one more column, its next ten occurrences strictly after the start.
 *
 * <p>Where there are fewer, {@code END} follows the last one, so that {@code END} alone says: it
 * never occurs. A line that cannot be used gets {@code ERR:reason}. One line out for each line in,
 * whatever it holds; nothing is kept between lines.
 */
final class Batch {
  private static final int COUNT = 10;
  private static final String END = "END";

  private Batch() {}

  /** Copies {@code in} to the output line by line; stops early when nobody reads any more. */
  static void run(BufferedReader in, Terminal terminal) throws IOException {
    long lines = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      terminal.out().append(line).append('\t').append(answer(line)).append('\n');
      if (terminal.abandoned(++lines)) {
        return;
      }
      if (!in.ready()) {
        terminal.out().flush(); // somebody may be typing, or waiting for this very line
      }
    }
  }

  private static String answer(String line) {
    String[] columns = line.split("\t", -1);
    if (columns.length != 3) {
      return error("expected expression<TAB>zone<TAB>start, found " + columns.length + " columns");
    }
    try {
      Instant start = Instant.parse(columns[2]);
      return occurrences(trigger(columns[0], columns[1], start), start);
    } catch (DateTimeParseException e) {
      return error("start is not an instant such as 2026-01-31T09:00:00Z");
    } catch (InvalidTriggerException e) {
      return e.neverOccurs() ? END : error(e.field() + ": " + e.getMessage());
    }
  }

  /** As the scheduler reads it; an interval counts from the start. */
  private static Trigger trigger(String expression, String zone, Instant start) {
    Schedule schedule =
        Schedule.newBuilder().setTrigger(new CronTrigger(expression)).setTimezone(zone).build();
    ScheduleJson.translate(schedule);
    return Triggers.of(schedule, Zones.parse(zone), Triggers.resolve(schedule, start));
  }

  private static String occurrences(Trigger trigger, Instant start) {
    StringJoiner list = new StringJoiner(",");
    Instant last = start;
    for (int i = 0; i < COUNT; i++) {
      Optional<Instant> next = trigger.nextAfter(last);
      if (next.isEmpty()) {
        return list.add(END).toString();
      }
      last = next.get();
      list.add(last.toString());
    }
    return list.toString();
  }

  /**
   * Such an expression is refused as a schedule, but here the question is when it occurs, and that
   * has an answer. The exception tells it from other mistakes by its words alone.
   */
  private static String error(String reason) {
    return "ERR:" + reason.replaceAll("\\p{Cntrl}", " ");
  }
}
