package io.waterclock.cli.source;

import io.waterclock.cli.source.QuartzTriggers.Common;
import io.waterclock.cli.source.QuartzTriggers.Gap;
import io.waterclock.cli.source.QuartzTriggers.Job;
import io.waterclock.cli.source.QuartzTriggers.JobData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tables of Quartz's JDBC job store. Data of jobs is carried over where the store keeps it as
 * properties ({@code useProperties=true}); serialised Java objects are not opened.
 */
public final class QuartzTables {
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.]{0,100}");
  private static final String FAILED = "ERROR";
  private static final int SERIALISED = 0xAC;

  private static final String TRIGGERS =
      """
      SELECT t.TRIGGER_GROUP, t.TRIGGER_NAME, t.JOB_GROUP, t.JOB_NAME, t.PRIORITY, t.TRIGGER_STATE,
             t.TRIGGER_TYPE, t.START_TIME, t.END_TIME, t.CALENDAR_NAME, t.MISFIRE_INSTR,
             t.DESCRIPTION, t.JOB_DATA, j.JOB_CLASS_NAME, j.IS_NONCONCURRENT, j.IS_UPDATE_DATA, j.REQUESTS_RECOVERY,
             j.DESCRIPTION AS JOB_DESCRIPTION, j.JOB_DATA AS DATA_OF_JOB,
             c.CRON_EXPRESSION, c.TIME_ZONE_ID, s.REPEAT_COUNT, s.REPEAT_INTERVAL,
             s.TIMES_TRIGGERED, p.STR_PROP_1, p.STR_PROP_2, p.INT_PROP_1, p.BOOL_PROP_1, p.BOOL_PROP_2
        FROM %1$sTRIGGERS t
        LEFT JOIN %1$sJOB_DETAILS j ON j.SCHED_NAME = t.SCHED_NAME
          AND j.JOB_NAME = t.JOB_NAME AND j.JOB_GROUP = t.JOB_GROUP
        LEFT JOIN %1$sCRON_TRIGGERS c ON c.SCHED_NAME = t.SCHED_NAME
          AND c.TRIGGER_NAME = t.TRIGGER_NAME AND c.TRIGGER_GROUP = t.TRIGGER_GROUP
        LEFT JOIN %1$sSIMPLE_TRIGGERS s ON s.SCHED_NAME = t.SCHED_NAME
          AND s.TRIGGER_NAME = t.TRIGGER_NAME AND s.TRIGGER_GROUP = t.TRIGGER_GROUP
        LEFT JOIN %1$sSIMPROP_TRIGGERS p ON p.SCHED_NAME = t.SCHED_NAME
          AND p.TRIGGER_NAME = t.TRIGGER_NAME AND p.TRIGGER_GROUP = t.TRIGGER_GROUP
       ORDER BY t.SCHED_NAME, t.TRIGGER_GROUP, t.TRIGGER_NAME
      """;

  private final QuartzTriggers triggers;

  private QuartzTables(MovingSettings settings) {
    this.triggers = new QuartzTriggers(settings);
  }

  /**
   * @param prefix of the tables, {@code QRTZ_} by default in Quartz
   * @throws BrokenSourceException if the database has no such tables
   */
  public static Moving read(Connection database, String prefix, MovingSettings settings) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new BrokenSourceException("\"" + prefix + "\" is no prefix of tables");
    }
    QuartzTables tables = new QuartzTables(settings);
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(TRIGGERS.formatted(prefix))) {
      while (rows.next()) {
        tables.row(rows);
      }
    } catch (SQLException e) {
      throw new BrokenSourceException(
          "the tables of Quartz with the prefix " + prefix + " cannot be read: " + e.getMessage(),
          e);
    }
    return tables.triggers.list().moved();
  }

  private void row(ResultSet row) throws SQLException {
    Common common = common(row);
    String type = text(row, "TRIGGER_TYPE").orElse("");
    if (text(row, "TRIGGER_STATE").orElse("").equals("COMPLETE")) {
      triggers.list().leave(common.what(), "it is complete");
    } else if (type.equals("CRON")) {
      String cron = text(row, "CRON_EXPRESSION").orElse("");
      Optional<String> zone = text(row, "TIME_ZONE_ID");
      triggers.list().attempt(common.what(), () -> triggers.cron(common, cron, zone));
    } else if (type.equals("SIMPLE")) {
      triggers.simple(
          common,
          Duration.ofMillis(row.getLong("REPEAT_INTERVAL")),
          row.getLong("REPEAT_COUNT"),
          row.getLong("TIMES_TRIGGERED"));
    } else if (type.equals("CAL_INT")) {
      long n = row.getLong("INT_PROP_1");
      String unit = text(row, "STR_PROP_1").orElse("DAY");
      Optional<String> zone = text(row, "STR_PROP_2");
      Gap gap = Gap.of(row.getBoolean("BOOL_PROP_1"), row.getBoolean("BOOL_PROP_2"));
      triggers
          .list()
          .attempt(common.what(), () -> triggers.calendarInterval(common, n, unit, zone, gap));
    } else {
      triggers.unknown(common, type);
    }
  }

  private Common common(ResultSet row) throws SQLException {
    String key = key(row, "TRIGGER_GROUP", "TRIGGER_NAME");
    JobData data = new JobData(new LinkedHashMap<>(), new ArrayList<>());
    read(row.getBytes("DATA_OF_JOB"), data);
    read(row.getBytes("JOB_DATA"), data);
    String state = text(row, "TRIGGER_STATE").orElse("");
    if (state.equals(FAILED)) {
      data.notes().add("Quartz does not fire it, as its state is ERROR; here it is disabled.");
    }
    Optional<String> description = text(row, "DESCRIPTION");
    Job job =
        new Job(
            key(row, "JOB_GROUP", "JOB_NAME"),
            text(row, "JOB_CLASS_NAME").orElse("unknown"),
            description.isPresent() ? description : text(row, "JOB_DESCRIPTION"),
            !row.getBoolean("IS_NONCONCURRENT"),
            leftOut(row));
    return new Common(
        key,
        job,
        time(row, "START_TIME"),
        time(row, "END_TIME"),
        text(row, "CALENDAR_NAME"),
        row.getInt("MISFIRE_INSTR"),
        state.startsWith("PAUSED") || state.equals(FAILED),
        row.getInt("PRIORITY"),
        data);
  }

  private static List<String> leftOut(ResultSet row) throws SQLException {
    List<String> leftOut = new ArrayList<>();
    if (row.getBoolean("REQUESTS_RECOVERY")) {
      leftOut.add(QuartzTriggers.RECOVERY);
    }
    if (row.getBoolean("IS_UPDATE_DATA")) {
      leftOut.add("the job data that a run writes");
    }
    return leftOut;
  }

  private static String key(ResultSet row, String group, String name) throws SQLException {
    return text(row, group).orElse("DEFAULT") + "/" + text(row, name).orElse("unnamed");
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column))
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }

  /** Quartz writes 0 or NULL for no time. */
  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() || millis <= 0
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** Adds the data of a job or trigger, or a note why it is not carried over. */
  static void read(byte @Nullable [] blob, JobData data) {
    if (blob == null || blob.length == 0) {
      return;
    }
    if ((blob[0] & 0xFF) == SERIALISED) {
      data.notes()
          .add(
              "Its job data is a serialised Java object of %d bytes, which is not carried over."
                  .formatted(blob.length));
      return;
    }
    Properties properties = new Properties();
    try {
      properties.load(new ByteArrayInputStream(blob));
    } catch (IOException | IllegalArgumentException e) {
      data.notes().add("Its job data cannot be read: %s.".formatted(e.getMessage()));
      return;
    }
    properties.stringPropertyNames().stream()
        .sorted()
        .forEach(name -> data.values().put(name, properties.getProperty(name)));
  }
}
