package io.waterclock.cli.preview;

import io.waterclock.cli.terminal.Terminal;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Previews many cron expressions: each line {@code expression<TAB>zone<TAB>start} is written again
 * with one more column, its next ten occurrences strictly after the start.
 *
 * <p>If there are fewer than ten, {@code END} follows the last one; {@code END} alone means that
 * the expression never occurs. An invalid line gets {@code ERR:reason}. There is one output line
 * for each input line, whatever it contains; nothing is kept between lines.
 */
final class Batch {
  private static final int COUNT = 10;
  private static final String END = "END";

  private Batch() {}

  /** Copies {@code in} to the output line by line; stops when the reader closes the output. */
  static void run(BufferedReader in, Terminal terminal) throws IOException {
    long lines = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      terminal.out().append(line).append('\t').append(answer(line)).append('\n');
      if (terminal.abandoned(++lines)) {
        return;
      }
      if (!in.ready()) {
        terminal.out().flush(); // a person or a program may wait for this line
      }
    }
  }

  static String answer(String line) {
    String[] columns = line.split("\t", -1);
    if (columns.length != 3) {
      return error("expected expression<TAB>zone<TAB>start, found " + columns.length + " columns");
    }
    try {
      Instant start = Instant.parse(columns[2]);
      return occurrences(trigger(columns[0], columns[1], start), start);
    } catch (InvalidValueException e) {
      return error("timezone: " + e.getMessage());
    } catch (DateTimeParseException e) {
      return error("start is not an instant such as 2026-01-31T09:00:00Z");
    } catch (InvalidTriggerException e) {
      return e.neverOccurs() ? END : error(e.field() + ": " + e.getMessage());
    }
  }

  /** The trigger as the scheduler reads it; an interval counts from the start. */
  private static Trigger trigger(String expression, String zone, Instant start) {
    Schedule schedule =
        Schedule.newBuilder().setTrigger(new CronTrigger(expression)).setTimezone(zone).build();
    ScheduleJson.translate(schedule);
    ZoneId read = Instants.zone(zone);
    return Triggers.of("", schedule, read, Triggers.resolve(schedule, read, start));
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

  /** A reason is one column, so it must not contain tabs or line ends. */
  private static String error(String reason) {
    return "ERR:" + reason.replaceAll("\\p{Cntrl}", " ");
  }
}
