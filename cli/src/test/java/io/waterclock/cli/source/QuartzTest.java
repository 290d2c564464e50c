package io.waterclock.cli.source;

import static io.waterclock.cli.source.Sources.forms;
import static io.waterclock.cli.source.Sources.left;
import static io.waterclock.cli.source.Sources.notes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.cli.source.Proof.Difference;
import io.waterclock.cli.source.Proof.Reason;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.impl.triggers.CalendarIntervalTriggerImpl;

final class QuartzTest {
  private static final String XML =
      """
      <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
        <schedule>
          <job>
            <name>report</name><group>billing</group>
            <description>Sends the report</description>
            <job-class>com.example.ReportJob</job-class>
            <job-data-map><entry><key>to</key><value>ops</value></entry></job-data-map>
          </job>
          %s
        </schedule>
      </job-scheduling-data>
      """;
  private static final String CRON =
      """
      <trigger><cron>
        <name>%s</name><group>%s</group>
        <job-name>report</job-name><job-group>billing</job-group>
        <misfire-instruction>MISFIRE_INSTRUCTION_DO_NOTHING</misfire-instruction>
        <cron-expression>0 0 9 ? * 2-6</cron-expression><time-zone>Europe/Berlin</time-zone>
      </cron></trigger>
      """;

  /** Valid expressions of Quartz's own CronExpressionTest. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "* * * * * ? *",
        "* * * * * ?",
        "0 * * * * ? *",
        "0 * 5 * * ?",
        "0 0 0 * * ? *",
        "0 0 0 1W * ?",
        "0 0 0 L-2 * ? *",
        "0 0 0 LW * ? *",
        "0 0 5 * * ? *",
        "0 15 10 * * ? 2005",
        "0 15 10 1,L * ? 2010",
        "0 15 10 12 * ? 2005",
        "0 15 10 2W,16 * ? 2010",
        "0 15 10 L * ? 2005",
        "0 15 10 L 2 ? 2004",
        "0 15 10 L 2 ? 2005",
        "0 15 10 L-1 * ? 2005",
        "0 15 10 L-1 * ? 2010",
        "0 15 10 L-1W * ? 2010",
        "0 15 10 L-1W,L-1 * ? 2010",
        "0 15 10 L-2 * ? 2005",
        "0 15 10 L-2 * ? 2010",
        "0 15 10 L-3 2 ? 2000",
        "0 15 10 L-3 2 ? 2005",
        "0 15 10 L-5W * ? 2010",
        "0 43 9 ? * 5L",
        "0/15 * * * * ? *",
        "0/30 1 2 * * ? *",
        "19 15 10 4 Apr ?",
        "59 59 23 L * ?"
      })
  void quartz_s_own_expressions_occur_as_quartz_says(String expression) {
    Proof proof =
        Proof.of(
            Cron.parse(expression, CronDialect.QUARTZ, ZoneOffset.UTC),
            new SourceTrigger(SourceEngine.QUARTZ, expression, ZoneOffset.UTC),
            Instant.parse("2000-01-01T00:00:00Z"),
            1_000,
            Sources.ENGINES);
    Reason known = expression.contains("W") ? Reason.QUARTZ_WORKDAY : Reason.QUARTZ_END;
    assertThat(proof.differences()).allMatch(one -> one.reason() == known);
    assertThat(proof.agreed()).isPositive();
  }

  @Test
  void a_trigger_of_the_xml_becomes_a_schedule_with_the_data_of_its_job() {
    Moving moving =
        QuartzXml.read(XML.formatted(CRON.formatted("daily", "mail")), Sources.settings());
    assertThat(left(moving)).isEmpty();
    assertThat(forms(moving))
        .containsExactly(
            "mail/daily {\"cron\":\"0 0 9 ? * 2-6\",\"dialect\":\"quartz\","
                + "\"timezone\":\"Europe/Berlin\",\"catch_up\":\"skip\","
                + "\"description\":\"Sends the report\",\"type\":\"com.example.ReportJob\","
                + "\"payload\":{\"to\":\"ops\"}}");
    Proof proof = Proof.of(moving.schedules().get(0), Sources.NOW, 10_000, Sources.ENGINES);
    assertThat(proof.differences()).isEmpty();
    assertThat(proof.agreed()).isEqualTo(10_000);
  }

  @Test
  void elements_without_an_equal_and_jobs_without_a_trigger_are_listed() {
    Moving moving =
        QuartzXml.read(
            """
            <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData">
              <pre-processing-commands/>
              <processing-directives/>
              <schedule>
                <listener/>
                <job><name>a</name><job-class>A</job-class><durability>true</durability>
                  <recover>true</recover><volatility>false</volatility></job>
                <job><name>lonely</name><job-class>B</job-class></job>
                <trigger><cron><name>t</name><job-name>a</job-name><volatility>true</volatility>
                  <repeat-count>3</repeat-count>
                  <cron-expression>0 0 9 * * ?</cron-expression><time-zone>UTC</time-zone>
                </cron></trigger>
              </schedule>
            </job-scheduling-data>
            """,
            Sources.settings());
    assertThat(notes(moving))
        .containsExactly(
            "Left out, as it has no equal here: trigger.volatility, trigger.repeat-count,"
                + " job.volatility, the recovery of a run that a crash ended.");
    assertThat(left(moving))
        .containsExactly(
            "<pre-processing-commands> | it has no equal",
            "<listener> | it has no equal",
            "job DEFAULT/lonely | no trigger starts it");
  }

  @Test
  void the_end_of_a_cron_trigger_is_its_last_occurrence() {
    Moving moving =
        QuartzXml.read(
            XML.formatted(
                """
                <trigger><cron>
                  <name>a</name><job-name>report</job-name><job-group>billing</job-group>
                  <start-time>2026-12-01T09:00:00.500Z</start-time>
                  <end-time>2026-12-03T09:00:00Z</end-time>
                  <cron-expression>0 0 9 * * ?</cron-expression><time-zone>UTC</time-zone>
                </cron></trigger>
                """),
            Sources.settings());
    assertThat(forms(moving))
        .singleElement()
        .asString()
        .contains(
            "\"start_at\":\"2026-12-01T09:00:00Z\"", "\"end_at\":\"2026-12-03T09:00:00.001Z\"");
    assertThat(Proof.of(moving.schedules().get(0), Sources.NOW, 10, Sources.ENGINES))
        .isEqualTo(new Proof(3, List.of(), Instant.parse("2026-12-03T09:00:00Z")));
  }

  @Test
  void the_end_of_a_simple_trigger_and_of_a_calendar_interval_is_no_occurrence() throws Exception {
    Moving moving =
        QuartzXml.read(
            XML.formatted(
                """
                <trigger><simple>
                  <name>a</name><job-name>report</job-name><job-group>billing</job-group>
                  <start-time>2026-12-01T09:00:00Z</start-time>
                  <end-time>2026-12-03T09:00:00Z</end-time>
                  <repeat-count>-1</repeat-count><repeat-interval>86400000</repeat-interval>
                </simple></trigger>
                <trigger><simple>
                  <name>b</name><job-name>report</job-name><job-group>billing</job-group>
                  <start-time>2026-12-01T09:00:00Z</start-time>
                  <end-time>2026-12-03T09:00:00Z</end-time>
                  <repeat-count>2</repeat-count><repeat-interval>86400000</repeat-interval>
                </simple></trigger>
                <trigger><calendar-interval>
                  <name>c</name><job-name>report</job-name><job-group>billing</job-group>
                  <start-time>2026-12-01T09:00:00Z</start-time>
                  <end-time>2026-12-03T09:00:00Z</end-time>
                  <repeat-interval>1</repeat-interval><repeat-interval-unit>DAY</repeat-interval-unit>
                </calendar-interval></trigger>
                """),
            Sources.settings());
    assertThat(forms(moving))
        .hasSize(3)
        .allMatch(form -> form.contains("\"end_at\":\"2026-12-03T09:00:00Z\""));
    for (MovedSchedule simple : moving.schedules().subList(0, 2)) {
      assertThat(Proof.of(simple, Sources.NOW, 10, Sources.ENGINES))
          .isEqualTo(new Proof(2, List.of(), Instant.parse("2026-12-02T09:00:00Z")));
    }
    CalendarIntervalTriggerImpl there = new CalendarIntervalTriggerImpl();
    there.setStartTime(Date.from(Instant.parse("2026-12-01T09:00:00Z")));
    there.setEndTime(Date.from(Instant.parse("2026-12-03T09:00:00Z")));
    there.setRepeatInterval(1);
    there.setRepeatIntervalUnit(IntervalUnit.DAY);
    assertThat(there.getFireTimeAfter(Date.from(Instant.parse("2026-12-02T09:00:00Z")))).isNull();
  }

  @Test
  void a_trigger_that_counts_from_the_import_says_so() {
    Moving moving =
        QuartzXml.read(
            XML.formatted(
                """
                <trigger><simple>
                  <name>a</name><job-name>report</job-name><job-group>billing</job-group>
                  <repeat-count>2</repeat-count><repeat-interval>86400000</repeat-interval>
                </simple></trigger>
                <trigger><calendar-interval>
                  <name>b</name><job-name>report</job-name><job-group>billing</job-group>
                  <start-time-seconds-in-future>60</start-time-seconds-in-future>
                  <repeat-interval>1</repeat-interval><repeat-interval-unit>DAY</repeat-interval-unit>
                </calendar-interval></trigger>
                <trigger><simple>
                  <name>c</name><job-name>report</job-name><job-group>billing</job-group>
                  <start-time>2026-12-01T09:00:00Z</start-time>
                  <repeat-count>2</repeat-count><repeat-interval>86400000</repeat-interval>
                </simple></trigger>
                """),
            Sources.settings());
    String note =
        "It has no start-time, so Quartz counts from when it loads the file; here it counts from"
            + " the import.";
    assertThat(moving.schedules()).hasSize(3);
    assertThat(moving.schedules().get(0).notes()).containsExactly(note);
    assertThat(moving.schedules().get(1).notes()).contains(note);
    assertThat(moving.schedules().get(2).notes()).isEmpty();
  }

  /** An end that the proof took from the definition hid the last occurrence of the library. */
  @Test
  void an_occurrence_that_only_the_library_has_before_the_end_is_unexplained() {
    Instant end = Instant.parse("2026-12-03T09:00:00Z");
    Proof proof =
        Proof.of(
            Cron.parse("0 0 9 * * ?", CronDialect.QUARTZ, ZoneOffset.UTC)
                .within(Optional.empty(), Optional.of(end)),
            new SourceTrigger(SourceEngine.QUARTZ, "0 0 9 * * ?", ZoneOffset.UTC)
                .between(Optional.empty(), Optional.of(end)),
            Sources.NOW,
            100,
            Sources.ENGINES);
    assertThat(proof.differences()).containsExactly(new Difference(end, false, Reason.UNKNOWN));
    Proof tooLong =
        Proof.of(
            Cron.parse("0 0 9 * * ?", CronDialect.QUARTZ, ZoneOffset.UTC),
            new SourceTrigger(SourceEngine.QUARTZ, "0 0 9 * * ?", ZoneOffset.UTC)
                .between(Optional.empty(), Optional.of(end)),
            Sources.NOW,
            100,
            Sources.ENGINES);
    assertThat(tooLong.differences())
        .isNotEmpty()
        .allMatch(one -> one.reason() == Reason.UNKNOWN && one.ours());
  }

  @Test
  void the_same_name_in_two_groups_is_two_schedules_and_the_same_key_twice_is_numbered() {
    String triggers =
        CRON.formatted("daily", "a") + CRON.formatted("daily", "b") + CRON.formatted("daily", "a");
    Moving moving = QuartzXml.read(XML.formatted(triggers), Sources.settings());
    assertThat(moving.schedules().stream().map(MovedSchedule::id))
        .containsExactly("a/daily", "b/daily", "a/daily-2");
  }

  @Test
  void entities_are_refused_and_open_nothing(@TempDir Path dir) throws Exception {
    Path secret = Files.writeString(dir.resolve("secret"), "s3cret");
    String external =
        "<!DOCTYPE x [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]>" + XML.formatted("&e;");
    String bomb =
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
            + XML.formatted("&b;");
    for (String hostile : List.of(external, bomb)) {
      assertThatThrownBy(() -> QuartzXml.read(hostile, Sources.settings()))
          .isInstanceOf(BrokenSourceException.class)
          .hasMessageContaining("DOCTYPE")
          .hasMessageNotContaining("s3cret");
    }
    assertThatThrownBy(() -> QuartzXml.read("<beans/>", Sources.settings()))
        .hasMessage("the root element is <beans>, not <job-scheduling-data>");
    assertThatThrownBy(() -> QuartzXml.read("0 9 * * *", Sources.settings()))
        .isInstanceOf(BrokenSourceException.class)
        .hasMessageStartingWith("line 1: ");
  }

  @Test
  void deep_xml_is_refused_with_its_line() {
    String deep = "<x>".repeat(200_000) + "</x>".repeat(200_000);
    String text = XML.formatted(CRON.formatted("daily", deep));
    assertThatThrownBy(() -> QuartzXml.read(text, Sources.settings()))
        .isInstanceOf(BrokenSourceException.class)
        .hasMessageStartingWith("line ")
        .hasMessageContaining("depth");
  }

  @Test
  void tables_with_every_kind_of_trigger_are_read() throws Exception {
    try (Connection database = tables("kinds")) {
      insert(database, "cron", "CRON", "WAITING", 0);
      insert(database, "paused", "CRON", "PAUSED", 0);
      insert(database, "simple", "SIMPLE", "WAITING", 0);
      insert(database, "once", "SIMPLE", "WAITING", 0);
      insert(database, "weird", "BLOB", "WAITING", 0);
      insert(database, "no zone", "CRON", "WAITING", 0);
      insert(database, "holiday", "CRON", "WAITING", 0);
      update(
          database,
          "INSERT INTO QRTZ_CRON_TRIGGERS VALUES('S','cron','g','0 0 9 ? * 6L','Europe/Berlin')",
          "INSERT INTO QRTZ_CRON_TRIGGERS VALUES('S','paused','g','0 0 9 ? * 6L',NULL)",
          "INSERT INTO QRTZ_CRON_TRIGGERS VALUES('S','no zone','g','0 0 9 ? * 6L','GMT+25:00')",
          "INSERT INTO QRTZ_CRON_TRIGGERS VALUES('S','holiday','g','0 0 9 ? * 6L','UTC')",
          "INSERT INTO QRTZ_SIMPLE_TRIGGERS VALUES('S','simple','g',9,3600000,0)",
          "INSERT INTO QRTZ_SIMPLE_TRIGGERS VALUES('S','once','g',0,0,0)",
          "UPDATE QRTZ_JOB_DETAILS SET REQUESTS_RECOVERY=TRUE, IS_UPDATE_DATA=TRUE",
          "UPDATE QRTZ_TRIGGERS SET CALENDAR_NAME='bank' WHERE TRIGGER_NAME='holiday'");
      Moving moving = QuartzTables.read(database, "QRTZ_", Sources.settings());
      assertThat(forms(moving))
          .containsExactly(
              "g/cron {\"cron\":\"0 0 9 ? * 6L\",\"dialect\":\"quartz\","
                  + "\"timezone\":\"Europe/Berlin\",\"start_at\":\"2026-12-01T00:00:00Z\","
                  + "\"catch_up\":\"collapse\",\"type\":\"com.example.Job\"}",
              "g/once {\"at\":\"2026-12-01T00:00:00Z\",\"type\":\"com.example.Job\"}",
              "g/paused {\"cron\":\"0 0 9 ? * 6L\",\"dialect\":\"quartz\",\"timezone\":\"Z\","
                  + "\"start_at\":\"2026-12-01T00:00:00Z\",\"catch_up\":\"collapse\","
                  + "\"enabled\":false,\"type\":\"com.example.Job\"}",
              "g/simple {\"every\":\"PT1H\",\"anchor\":\"2026-12-01T00:00:00Z\","
                  + "\"catch_up\":\"collapse\",\"end_at\":\"2026-12-01T09:00:00.001Z\","
                  + "\"type\":\"com.example.Job\"}");
      assertThat(moving.schedules().get(0).notes())
          .containsExactly(
              "Left out, as it has no equal here: the recovery of a run that a crash ended, the job"
                  + " data that a run writes.");
      assertThat(moving.schedules().get(2).notes())
          .contains("It names no zone, so Quartz uses that of its JVM; here it is Z.");
      assertThat(left(moving))
          .hasSize(3)
          .anyMatch(
              why -> why.startsWith("trigger g/holiday | it leaves out the Quartz calendar bank"))
          .anyMatch(why -> why.startsWith("trigger g/no zone | timezone: "))
          .anyMatch(why -> why.startsWith("trigger g/weird | a trigger of type BLOB has no equal"));
      for (MovedSchedule schedule : moving.schedules()) {
        if (schedule.source().isPresent()) {
          Proof proof = Proof.of(schedule, Sources.NOW, 1_000, Sources.ENGINES);
          assertThat(proof.differences()).as(schedule.id()).isEmpty();
          assertThat(proof.agreed()).isEqualTo(schedule.id().equals("g/simple") ? 10 : 1_000);
        }
      }
    }
  }

  @Test
  void a_trigger_in_the_state_of_an_error_is_disabled() throws Exception {
    try (Connection database = tables("errors")) {
      insert(database, "broken", "CRON", "ERROR", 0);
      update(
          database,
          "INSERT INTO QRTZ_CRON_TRIGGERS VALUES('S','broken','g','0 0 9 ? * 6L','Europe/Berlin')");
      Moving moving = QuartzTables.read(database, "QRTZ_", Sources.settings());
      assertThat(forms(moving)).singleElement().asString().contains("\"enabled\":false");
      assertThat(notes(moving))
          .containsExactly("Quartz does not fire it, as its state is ERROR; here it is disabled.");
    }
  }

  /** 02:30 in Berlin, which the clock skips on 28 March 2027. */
  @Test
  void a_calendar_interval_whose_time_the_clock_skips_says_what_quartz_does() throws Exception {
    try (Connection database = tables("gaps")) {
      for (String name : List.of("all", "kept", "left", "night")) {
        insert(database, name, "CAL_INT", "WAITING", 0);
      }
      update(
          database,
          "UPDATE QRTZ_TRIGGERS SET START_TIME=%d WHERE TRIGGER_NAME<>'night'"
              .formatted(Instant.parse("2026-12-01T01:30:00Z").toEpochMilli()),
          interval("all", false, false),
          interval("kept", true, false),
          interval("left", true, true),
          interval("night", false, false));
      Moving moving = QuartzTables.read(database, "QRTZ_", Sources.settings());
      assertThat(notes(moving).filter(note -> note.contains("skips")))
          .containsExactly(
              "Where the clock skips its time, Quartz moves all that comes after it, too; here its"
                  + " time of day stays.",
              "Quartz leaves out a day whose clock skips its time; here it fires at the end of the"
                  + " gap.");
    }
    CalendarIntervalTriggerImpl there = new CalendarIntervalTriggerImpl();
    there.setStartTime(Date.from(Instant.parse("2026-12-01T01:30:00Z")));
    there.setRepeatInterval(1);
    there.setRepeatIntervalUnit(IntervalUnit.DAY);
    there.setTimeZone(TimeZone.getTimeZone("Europe/Berlin"));
    Date after = Date.from(Instant.parse("2027-04-10T12:00:00Z"));
    Instant kept = Instant.parse("2027-04-11T00:30:00Z");
    assertThat(there.getFireTimeAfter(after).toInstant()).isNotEqualTo(kept);
    there.setPreserveHourOfDayAcrossDaylightSavings(true);
    assertThat(there.getFireTimeAfter(after)).isEqualTo(kept);
    Date gap = Date.from(Instant.parse("2027-03-27T12:00:00Z"));
    assertThat(there.getFireTimeAfter(gap)).isBefore(Instant.parse("2027-03-28T12:00:00Z"));
    there.setSkipDayIfHourDoesNotExist(true);
    assertThat(there.getFireTimeAfter(gap)).isEqualTo(Instant.parse("2027-03-29T00:30:00Z"));
  }

  private static String interval(String name, boolean preservesHour, boolean skipsDay) {
    return "INSERT INTO QRTZ_SIMPROP_TRIGGERS(SCHED_NAME,TRIGGER_NAME,TRIGGER_GROUP,STR_PROP_1,"
        + "STR_PROP_2,INT_PROP_1,BOOL_PROP_1,BOOL_PROP_2)"
        + " VALUES('S','%s','g','DAY','Europe/Berlin',1,%s,%s)"
            .formatted(name, preservesHour, skipsDay);
  }

  @Test
  void a_database_without_the_tables_and_a_hostile_prefix_are_refused() throws Exception {
    try (Connection database = DriverManager.getConnection("jdbc:h2:mem:empty")) {
      assertThatThrownBy(() -> QuartzTables.read(database, "QRTZ_", Sources.settings()))
          .isInstanceOf(BrokenSourceException.class)
          .hasMessageStartingWith("the tables of Quartz with the prefix QRTZ_ cannot be read");
      assertThatThrownBy(
              () -> QuartzTables.read(database, "x; DROP TABLE t; --", Sources.settings()))
          .hasMessageContaining("is no prefix of tables");
    }
  }

  private static Connection tables(String name) throws Exception {
    Connection database = DriverManager.getConnection("jdbc:h2:mem:" + name);
    try (InputStream ddl =
        QuartzTest.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_h2.sql")) {
      String script = new String(ddl.readAllBytes(), StandardCharsets.UTF_8);
      for (String statement : script.split(";", -1)) {
        if (!statement.isBlank() && !statement.strip().equalsIgnoreCase("COMMIT")) {
          update(database, statement);
        }
      }
    }
    update(
        database,
        "INSERT INTO QRTZ_JOB_DETAILS VALUES"
            + "('S','job','g',NULL,'com.example.Job',TRUE,FALSE,FALSE,FALSE,NULL)");
    return database;
  }

  private static void insert(
      Connection database, String name, String type, String state, int misfire)
      throws SQLException {
    long start = Instant.parse("2026-12-01T00:00:00Z").toEpochMilli();
    update(
        database,
        "INSERT INTO QRTZ_TRIGGERS(SCHED_NAME,TRIGGER_NAME,TRIGGER_GROUP,JOB_NAME,JOB_GROUP,"
            + "PRIORITY,TRIGGER_STATE,TRIGGER_TYPE,START_TIME,END_TIME,MISFIRE_INSTR) VALUES"
            + "('S','%s','g','job','g',5,'%s','%s',%d,0,%d)"
                .formatted(name, state, type, start, misfire));
  }

  private static void update(Connection database, String... statements) throws SQLException {
    try (Statement statement = database.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
