package io.waterclock.cli.transfer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import java.io.PrintWriter;

/**
 * Writes an export as lines of JSON: a header, one for each calendar, one for each schedule, and an
 * end that contains the counts. Keeps nothing in memory.
 */
final class ExportWriter {
  static final int VERSION = 1;

  private final PrintWriter out;
  private long calendars;
  private long schedules;

  ExportWriter(PrintWriter out) {
    this.out = out;
  }

  void begin(ExportHeader header) {
    ObjectNode line = line().put("waterclock_export", VERSION);
    line.put("prefix", header.prefix());
    line.put("cluster_id", header.clusterId());
    line.put("exported_at", header.exportedAt().toString());
    line.put("running", header.running());
    line.put("tzdb", header.tzdb());
    out.println(line);
  }

  void write(String name, Calendar calendar) {
    calendars++;
    ObjectNode line = line().put("calendar", name);
    line.set("definition", RecordCodecs.calendar().toJson(calendar));
    out.println(line);
  }

  void write(ExportedSchedule schedule) {
    schedules++;
    ObjectNode line = line().put("schedule", schedule.id().value());
    line.set("definition", RecordCodecs.schedule().toJson(schedule.definition()));
    line.set("state", RecordCodecs.exportedState().toJson(schedule.state()));
    out.println(line);
  }

  void end() {
    out.println(line().put("end", true).put("calendars", calendars).put("schedules", schedules));
  }

  private static ObjectNode line() {
    return JsonNodeFactory.instance.objectNode();
  }

  long schedules() {
    return schedules;
  }

  long calendars() {
    return calendars;
  }
}
