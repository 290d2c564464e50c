package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.source.MovingList.Draft;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The table of db-scheduler. A one-time task becomes a schedule that fires once. The schedule of a
 * recurring task is in the code of its service, unless it is persistent and its data is JSON:
 * {@link MovingSettings#values} gives it by the task's name, in the form of {@code Schedules.parse}
 * or as a cron expression of Spring.
 */
public final class DbSchedulerTable {
  private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.]{1,100}");
  private static final Pattern DAILY =
      Pattern.compile(
          "DAILY\\|(\\d\\d:\\d\\d(?::\\d\\d)?(?:,\\d\\d:\\d\\d(?::\\d\\d)?)*)(?:\\|(.+))?");
  private static final Pattern FIXED_DELAY = Pattern.compile("FIXED_DELAY\\|(\\d{1,9})s");
  private static final String RECURRING = "recurring";
  private static final int SERIALISED = 0xAC;

  private final MovingSettings settings;
  private final MovingList list;

  private DbSchedulerTable(MovingSettings settings) {
    this.settings = settings;
    this.list = new MovingList(settings);
  }

  /**
   * @param table {@code scheduled_tasks} by default in db-scheduler
   * @throws BrokenSourceException if the database has no such table
   */
  public static Moving read(Connection database, String table, MovingSettings settings) {
    if (!TABLE.matcher(table).matches()) {
      throw new BrokenSourceException("\"" + table + "\" is no name of a table");
    }
    DbSchedulerTable tasks = new DbSchedulerTable(settings);
    String query = "SELECT * FROM " + table + " ORDER BY task_name, task_instance";
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      boolean hasPriority = hasPriority(rows.getMetaData());
      while (rows.next()) {
        byte[] data = rows.getBytes("task_data");
        Timestamp time = rows.getTimestamp("execution_time");
        int priority = hasPriority ? rows.getInt("priority") : 0;
        tasks.task(
            String.valueOf(rows.getString("task_name")),
            String.valueOf(rows.getString("task_instance")),
            priority == 0 ? List.of() : List.of("priority " + priority),
            data == null ? new byte[0] : data,
            time == null ? settings.now() : time.toInstant());
      }
    } catch (SQLException e) {
      throw new BrokenSourceException(
          "the table " + table + " of db-scheduler cannot be read: " + e.getMessage(), e);
    }
    return tasks.list.moved();
  }

  /** Tables of db-scheduler before version 15 have no such column. */
  private static boolean hasPriority(ResultSetMetaData columns) throws SQLException {
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      if (columns.getColumnLabel(i).equalsIgnoreCase("priority")) {
        return true;
      }
    }
    return false;
  }

  private void task(String name, String instance, List<String> leftOut, byte[] data, Instant time) {
    String what = "task " + name + ", instance " + instance;
    boolean isSerialised = data.length > 0 && (data[0] & 0xFF) == SERIALISED;
    Optional<JsonNode> json = isSerialised ? Optional.empty() : json(data);
    Optional<JsonNode> schedule =
        json.map(tree -> tree.path("schedule")).filter(JsonNode::isObject);
    String given = settings.values().get(name);
    String id = name + "/" + instance;
    Draft draft = Draft.empty();
    draft.form().put("type", name);
    leftOut.forEach(draft::leaveOut);
    json.map(tree -> tree.has("schedule") || tree.has("cronPattern") ? tree.path("data") : tree)
        .filter(tree -> !tree.isMissingNode() && !tree.isNull())
        .ifPresent(tree -> draft.form().set("payload", tree));
    if (given != null) {
      list.attempt(what, () -> text(what, id, given, draft));
    } else if (json.isPresent() && json.get().has("cronPattern")) {
      JsonNode cron = json.get();
      list.attempt(
          what,
          () -> {
            ZoneId zone = zone(cron.path("zoneId"), draft);
            cron(what, id, draft, cron.path("cronPattern").asText(), zone);
          });
    } else if (schedule.isPresent()) {
      list.attempt(what, () -> persistent(what, id, draft, schedule.get()));
    } else if (instance.equals(RECURRING) || isSerialised) {
      list.leave(
          what,
          instance.equals(RECURRING)
              ? "its schedule is in the code of the task; give it with --value '%s=DAILY|10:30' or a"
                      .formatted(name)
                  + " cron expression"
              : "its data is a serialised Java object of %d bytes, which is not opened"
                  .formatted(data.length));
    } else {
      draft.form().put("at", time.toString());
      if (json.isEmpty() && data.length > 0) {
        draft.form().put("payload", new String(data, StandardCharsets.UTF_8));
      }
      list.add(what, id, draft);
    }
  }

  private static Optional<JsonNode> json(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    if (!text.stripLeading().startsWith("{")) {
      return Optional.empty();
    }
    try {
      return Documents.yaml(text).stream().findFirst();
    } catch (BrokenSourceException e) {
      return Optional.empty();
    }
  }

  /** What {@code Schedules.parse} reads, or a cron expression. */
  private void text(String what, String id, String text, Draft draft) {
    Matcher daily = DAILY.matcher(text);
    Matcher delay = FIXED_DELAY.matcher(text);
    if (text.equals("-")) {
      list.leave(what, "its schedule is disabled");
    } else if (daily.matches()) {
      Optional<String> named = Optional.ofNullable(daily.group(2));
      List<LocalTime> times =
          Stream.of(String.valueOf(daily.group(1)).split(",", -1)).map(LocalTime::parse).toList();
      daily(what, id, draft, times, zone(named, draft));
    } else if (delay.matches()) {
      delay(what, id, draft, Duration.ofSeconds(Long.parseLong(String.valueOf(delay.group(1)))));
    } else {
      cron(what, id, draft, text, zone(Optional.empty(), draft));
    }
  }

  private void persistent(String what, String id, Draft draft, JsonNode schedule) {
    String type = schedule.path("type").asText(schedule.path("@type").asText(""));
    String kind = type.toLowerCase(Locale.ROOT);
    if (kind.endsWith("daily")) {
      List<LocalTime> times =
          Documents.list(schedule.path("times")).map(DbSchedulerTable::localTime).toList();
      daily(what, id, draft, times, zone(schedule.path("zone"), draft));
    } else if (kind.endsWith("fixeddelay")) {
      JsonNode duration = schedule.path("duration");
      delay(
          what,
          id,
          draft,
          duration.isTextual()
              ? Duration.parse(duration.textValue())
              : Duration.ofMillis(Math.round(duration.asDouble() * 1000)));
    } else if (schedule.has("pattern")) {
      String style = schedule.path("cronStyle").asText("SPRING53");
      if (style.equals("QUARTZ") || style.equals("UNIX")) {
        draft.form().put("dialect", style.toLowerCase(Locale.ROOT));
      }
      cron(
          what, id, draft, schedule.path("pattern").asText(), zone(schedule.path("zoneId"), draft));
    } else {
      list.leave(what, "a schedule of type \"" + type + "\" has no equal");
    }
  }

  private static LocalTime localTime(JsonNode time) {
    try {
      return time.isArray()
          ? LocalTime.of(time.path(0).asInt(), time.path(1).asInt(), time.path(2).asInt())
          : LocalTime.parse(time.asText());
    } catch (DateTimeException e) {
      throw new BrokenSourceException("it has no time of day: " + time, e);
    }
  }

  private void cron(String what, String id, Draft draft, String text, ZoneId zone) {
    if (text.equals("-")) {
      list.leave(what, "its schedule is disabled");
      return;
    }
    if (!draft.form().has("dialect")) {
      draft.form().put("dialect", "spring");
    }
    draft.form().put("cron", text).put("timezone", zone.getId());
    boolean isSpring = draft.form().path("dialect").asText().equals("spring");
    SourceTrigger source = new SourceTrigger(SourceEngine.DB_SCHEDULER, text, zone);
    list.add(what, id, isSpring ? draft.from(source) : draft);
  }

  /** A schedule for each time. */
  private void daily(String what, String id, Draft draft, List<LocalTime> times, ZoneId zone) {
    if (times.isEmpty()) {
      list.leave(what, "it has no times of day");
    }
    for (LocalTime time : times) {
      Draft each = draft.copy();
      String cron = time.getSecond() + " " + time.getMinute() + " " + time.getHour() + " * * *";
      each.form().put("cron", cron).put("timezone", zone.getId());
      String daily = "DAILY|" + time + (zone.equals(settings.zone()) ? "" : "|" + zone);
      String text = time.getSecond() == 0 ? daily : cron; // Schedules.parse reads no seconds
      list.add(
          what,
          times.size() == 1 ? id : id + "-" + time.toString().replace(":", ""),
          each.from(new SourceTrigger(SourceEngine.DB_SCHEDULER, text, zone)));
    }
  }

  private void delay(String what, String id, Draft draft, Duration delay) {
    draft.form().put("every", delay.toString()).put("overlap", "skip");
    draft.note(
        "db-scheduler counts its delay from the end of the last run; here it is a grid, and a run"
            + " that takes longer leaves occurrences out.");
    list.add(what, id, draft);
  }

  private ZoneId zone(JsonNode zone, Draft draft) {
    return zone(Optional.ofNullable(zone.textValue()), draft);
  }

  private ZoneId zone(Optional<String> name, Draft draft) {
    return list.zone(name, "", "db-scheduler uses that of its JVM", draft);
  }
}
