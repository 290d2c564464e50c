package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.source.MovingList.Draft;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The recurring jobs of JobRunr, from its table {@code jobrunr_recurring_jobs} or as the JSON that
 * it has in its column. What the job calls becomes the payload.
 */
public final class JobRunrJobs {
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.]{0,100}");
  private static final Pattern MARGIN = Pattern.compile("([^\\[]*+)\\[[^\\]]*+]");
  private static final Pattern INTERVAL =
      Pattern.compile("P(?=[T\\d]).*", Pattern.CASE_INSENSITIVE);

  /** What is read, and what JobRunr keeps about it. */
  private static final Set<String> READ =
      Set.of("createdAt", "id", "jobDetails", "scheduleExpression", "version", "zoneId");

  private static final Set<String> READ_OF_DETAILS =
      Set.of("cacheable", "className", "jobParameters", "methodName");

  private final MovingList list;

  private JobRunrJobs(MovingSettings settings) {
    this.list = new MovingList(settings);
  }

  /**
   * @throws BrokenSourceException if the text is not JSON
   */
  public static Moving read(String text, MovingSettings settings) {
    JobRunrJobs jobs = new JobRunrJobs(settings);
    Documents.json(text).forEach(jobs::job);
    return jobs.list.moved();
  }

  /**
   * @param prefix of the tables; empty by default in JobRunr
   * @throws BrokenSourceException if the database has no such table
   */
  public static Moving read(Connection database, String prefix, MovingSettings settings) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new BrokenSourceException("\"" + prefix + "\" is no prefix of tables");
    }
    JobRunrJobs jobs = new JobRunrJobs(settings);
    String query = "SELECT id, jobAsJson FROM " + prefix + "jobrunr_recurring_jobs ORDER BY id";
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        jobs.row(String.valueOf(rows.getString(1)).strip(), String.valueOf(rows.getString(2)));
      }
    } catch (SQLException e) {
      throw new BrokenSourceException(
          "the recurring jobs of JobRunr cannot be read: " + e.getMessage(), e);
    }
    return jobs.list.moved();
  }

  private void row(String id, String json) {
    try {
      Documents.json(json).forEach(this::job);
    } catch (BrokenSourceException e) {
      list.leave("recurring job " + id, "its jobAsJson is not JSON: " + e.getMessage());
    }
  }

  private void job(JsonNode job) {
    String id = job.path("id").asText("unnamed");
    String written = job.path("scheduleExpression").asText("");
    String what = "recurring job " + id + " " + written;
    list.attempt(what, () -> job(job, what, id, written));
  }

  private void job(JsonNode job, String what, String id, String written) {
    Draft draft = Draft.empty();
    Matcher margin = MARGIN.matcher(written);
    String expression = margin.matches() ? String.valueOf(margin.group(1)).strip() : written;
    if (margin.matches()) {
      draft.note("Its carbon-aware margin has no equal; it fires at the named times.");
    }
    Optional<String> named = Optional.ofNullable(job.path("zoneId").textValue());
    ZoneId zone = list.zone(named, "", "JobRunr uses that of its JVM", draft);
    draft.form().put("timezone", zone.getId()).put("catch_up", "skip");
    Optional<SourceTrigger> source = Optional.empty();
    if (INTERVAL.matcher(expression).matches()) {
      source = interval(expression, Documents.time(job, "createdAt"), zone, draft);
    } else {
      draft.form().put("cron", expression);
      source = Optional.of(new SourceTrigger(SourceEngine.JOBRUNR, expression, zone));
    }
    JsonNode details = job.path("jobDetails");
    draft
        .form()
        .put(
            "type",
            details.path("className").asText("job")
                + "."
                + details.path("methodName").asText("run"));
    if (details.has("jobParameters")) {
      draft.form().putObject("payload").set("jobParameters", details.path("jobParameters"));
    }
    draft.form().put("overlap", "skip");
    draft.leaveOut("", job, READ);
    draft.leaveOut("jobDetails.", details, READ_OF_DETAILS);
    list.add(what, id, source.map(draft::from).orElse(draft));
  }

  /** A day of JobRunr is 24 hours, whatever the clocks do. */
  private static Optional<SourceTrigger> interval(
      String text, Optional<Instant> createdAt, ZoneId zone, Draft draft) {
    Duration every = duration(text);
    draft.form().put("every", every.toString());
    if (createdAt.isEmpty()) {
      draft.note("Its interval counts from the put, not from the creation of the job.");
      return Optional.empty();
    }
    Instant created = createdAt.get().truncatedTo(ChronoUnit.MILLIS);
    draft.form().put("anchor", first(created, every).toString());
    return Optional.of(
        new SourceTrigger(SourceEngine.JOBRUNR_INTERVAL, text, zone)
            .between(Optional.of(created), Optional.empty()));
  }

  private static Duration duration(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new BrokenSourceException(
          "\"%s\" is no duration of JobRunr, which has no weeks, months and years; e.g. \"P7D\""
              .formatted(text),
          e);
    }
  }

  /** A job does not occur at its creation, but one interval later. */
  private static Instant first(Instant created, Duration every) {
    try {
      return created.plus(every);
    } catch (DateTimeException | ArithmeticException e) {
      throw new BrokenSourceException("its interval is too long: " + every, e);
    }
  }
}
