package io.waterclock.cli.source;

import static io.waterclock.cli.source.Sources.forms;
import static io.waterclock.cli.source.Sources.left;
import static io.waterclock.cli.source.Sources.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quartz.CalendarIntervalScheduleBuilder.calendarIntervalSchedule;
import static org.quartz.CronScheduleBuilder.cronSchedule;
import static org.quartz.DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule;
import static org.quartz.SimpleScheduleBuilder.simpleSchedule;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.JacksonSerializer;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.PlainScheduleAndData;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTaskWithPersistentSchedule;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.CronSchedule;
import com.github.kagkarlsson.scheduler.task.schedule.Daily;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Date;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import org.jobrunr.jobs.lambdas.JobLambda;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.calendar.HolidayCalendar;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Tables in PostgreSQL that Quartz, db-scheduler and JobRunr have filled themselves. */
final class PostgresSourcesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

  private static EmbeddedPostgres postgres;
  private static Connection database;

  @BeforeAll
  static void start() throws Exception {
    postgres = EmbeddedPostgres.builder().start();
    database = postgres.getPostgresDatabase().getConnection();
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
    postgres.close();
  }

  /** Never runs. */
  public static final class Report implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      throw new AssertionError("ran");
    }
  }

  @Test
  @Tag("all")
  void the_triggers_that_quartz_has_stored_occur_as_quartz_says() throws Exception {
    try (InputStream ddl =
        Job.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
      execute(new String(ddl.readAllBytes(), StandardCharsets.UTF_8));
    }
    Scheduler quartz = quartz();
    quartz.addCalendar("bank", new HolidayCalendar(), false, false);
    JobDetail job =
        JobBuilder.newJob(Report.class)
            .withIdentity("report", "billing")
            .withDescription("Sends the report")
            .usingJobData("to", "ops, and \u00e4nn")
            .storeDurably()
            .build();
    quartz.addJob(job, true);
    add(quartz, "cron", cronSchedule("0 0 9 ? * 2-6").inTimeZone(TimeZone.getTimeZone(BERLIN)));
    add(
        quartz,
        "paused",
        cronSchedule("0 0 9 ? * 6L")
            .inTimeZone(TimeZone.getTimeZone(BERLIN))
            .withMisfireHandlingInstructionDoNothing());
    quartz.pauseTrigger(TriggerKey.triggerKey("paused", "g"));
    add(quartz, "simple", simpleSchedule().withIntervalInHours(1).withRepeatCount(9));
    add(
        quartz,
        "months",
        calendarIntervalSchedule()
            .inTimeZone(TimeZone.getTimeZone(BERLIN))
            .withIntervalInMonths(1));
    add(quartz, "day times", dailyTimeIntervalSchedule().withIntervalInMinutes(7));
    quartz.scheduleJob(
        trigger("holiday", cronSchedule("0 0 9 ? * 6L")).modifiedByCalendar("bank").build());
    quartz.shutdown();

    Moving moving = QuartzTables.read(database, "QRTZ_", settings());
    String details =
        "\"description\":\"Sends the report\",\"type\":\""
            + Report.class.getName()
            + "\",\"payload\":{\"to\":\"ops, and \u00e4nn\"}}";
    assertThat(forms(moving))
        .containsExactly(
            "g/cron {\"cron\":\"0 0 9 ? * 2-6\",\"dialect\":\"quartz\","
                + "\"timezone\":\"Europe/Berlin\",\"start_at\":\"2026-12-01T00:00:00Z\","
                + "\"catch_up\":\"collapse\","
                + details,
            "g/months {\"every\":\"1 month\",\"anchor\":\"2026-12-01T00:00:00Z\","
                + "\"timezone\":\"Europe/Berlin\","
                + details,
            "g/paused {\"cron\":\"0 0 9 ? * 6L\",\"dialect\":\"quartz\","
                + "\"timezone\":\"Europe/Berlin\",\"start_at\":\"2026-12-01T00:00:00Z\","
                + "\"catch_up\":\"skip\",\"enabled\":false,"
                + details,
            "g/simple {\"every\":\"PT1H\",\"anchor\":\"2026-12-01T00:00:00Z\","
                + "\"catch_up\":\"collapse\",\"end_at\":\"2026-12-01T09:00:00.001Z\","
                + details);
    assertThat(left(moving))
        .satisfiesExactly(
            why -> assertThat(why).startsWith("trigger g/day times | "),
            why ->
                assertThat(why)
                    .startsWith("trigger g/holiday | it leaves out the Quartz calendar bank"));
    prove(moving, 1_000);
  }

  private static void add(Scheduler quartz, String name, ScheduleBuilder<?> schedule)
      throws Exception {
    quartz.scheduleJob(trigger(name, schedule).build());
  }

  private static <T extends Trigger> TriggerBuilder<T> trigger(
      String name, ScheduleBuilder<T> schedule) {
    return TriggerBuilder.newTrigger()
        .withIdentity(name, "g")
        .forJob("report", "billing")
        .startAt(Date.from(START))
        .withSchedule(schedule);
  }

  private static Scheduler quartz() throws Exception {
    DBConnectionManager.getInstance()
        .addConnectionProvider(
            "pg",
            new ConnectionProvider() {
              @Override
              public Connection getConnection() throws SQLException {
                return postgres.getPostgresDatabase().getConnection();
              }

              @Override
              public void shutdown() {}

              @Override
              public void initialize() {}
            });
    Properties properties = new Properties();
    properties.put("org.quartz.scheduler.instanceName", "app");
    properties.put("org.quartz.threadPool.threadCount", "1");
    properties.put("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    properties.put(
        "org.quartz.jobStore.driverDelegateClass",
        "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
    properties.put("org.quartz.jobStore.useProperties", "true");
    properties.put("org.quartz.jobStore.dataSource", "pg");
    return new StdSchedulerFactory(properties).getScheduler();
  }

  @Test
  void the_tasks_that_db_scheduler_has_stored_occur_as_it_says() throws Exception {
    execute(
        """
        create table scheduled_tasks (task_name text not null, task_instance text not null,
          task_data bytea, execution_time timestamp with time zone not null, picked boolean not null,
          picked_by text, last_success timestamp with time zone,
          last_failure timestamp with time zone, consecutive_failures int,
          last_heartbeat timestamp with time zone, version bigint not null, priority smallint,
          PRIMARY KEY (task_name, task_instance))
        """);
    OneTimeTask<String> mail = Tasks.oneTime("mail", String.class).execute((task, context) -> {});
    RecurringTaskWithPersistentSchedule<PlainScheduleAndData> persistent =
        Tasks.recurringWithPersistentSchedule("persistent", PlainScheduleAndData.class)
            .execute((task, context) -> {});
    OneTimeTask<int[]> lists = Tasks.oneTime("lists", int[].class).execute((task, context) -> {});
    SchedulerClient tasks =
        SchedulerClient.Builder.create(postgres.getPostgresDatabase(), mail, lists, persistent)
            .serializer(new JacksonSerializer())
            .build();
    tasks.scheduleIfNotExists(mail.instance("42", "to ops"), START);
    tasks.scheduleIfNotExists(lists.instance("7", new int[] {1, 2}), START);
    Map<String, Schedule> schedules =
        Map.of(
            "cron",
            new CronSchedule("0 0 9 * * MON-FRI", BERLIN),
            "daily",
            new Daily(BERLIN, LocalTime.of(10, 30), LocalTime.of(16, 45, 30)),
            "delay",
            FixedDelay.of(Duration.ofSeconds(90)));
    schedules.forEach(
        (id, schedule) ->
            tasks.scheduleIfNotExists(
                persistent.schedulableInstance(id, new PlainScheduleAndData(schedule, "data"))));
    Moving moving = DbSchedulerTable.read(database, "scheduled_tasks", settings());
    String persistently = "{\"type\":\"persistent\",\"payload\":\"data\",";
    String berlin = "\"timezone\":\"Europe/Berlin\"}";
    assertThat(forms(moving))
        .containsExactly(
            "lists/7 {\"type\":\"lists\",\"at\":\"2026-12-01T00:00:00Z\",\"payload\":\"[1,2]\"}",
            "mail/42 {\"type\":\"mail\",\"at\":\"2026-12-01T00:00:00Z\","
                + "\"payload\":\"\\\"to ops\\\"\"}",
            "persistent/cron "
                + persistently
                + "\"dialect\":\"spring\",\"cron\":\"0 0 9 * * MON-FRI\","
                + berlin,
            "persistent/daily-1030 " + persistently + "\"cron\":\"0 30 10 * * *\"," + berlin,
            "persistent/daily-164530 " + persistently + "\"cron\":\"30 45 16 * * *\"," + berlin,
            "persistent/delay " + persistently + "\"every\":\"PT1M30S\",\"overlap\":\"skip\"}");
    assertThat(left(moving)).isEmpty();
    prove(moving, 1_000);
  }

  @Test
  @Tag("all")
  void the_recurring_jobs_that_jobrunr_has_stored_occur_as_it_says() {
    StorageProvider storage = SqlStorageProviderFactory.using(postgres.getPostgresDatabase());
    storage.setJobMapper(new org.jobrunr.jobs.mappers.JobMapper(new JacksonJsonMapper()));
    JobScheduler jobs = new JobScheduler(storage);
    JobLambda job = () -> System.out.println("report");
    jobs.scheduleRecurrently("report", "0 9 * * 1-5", BERLIN, job);
    jobs.scheduleRecurrently("poll", Duration.ofMinutes(10), job);
    jobs.shutdown();
    storage.close();
    Moving moving = JobRunrJobs.read(database, "", settings());
    String common =
        "\"type\":\"java.lang.System.println\",\"payload\":{\"jobParameters\":[{\"className\":"
            + "\"java.lang.String\",\"actualClassName\":\"java.lang.String\","
            + "\"object\":\"report\"}]},\"overlap\":\"skip\"}";
    assertThat(forms(moving))
        .satisfiesExactly(
            poll ->
                assertThat(poll)
                    .startsWith("poll {")
                    .contains("\"every\":\"PT10M\",\"anchor\":\"2")
                    .endsWith("\"overlap\":\"skip\"}"),
            report ->
                assertThat(report)
                    .isEqualTo(
                        "report {\"timezone\":\"Europe/Berlin\",\"catch_up\":\"skip\","
                            + "\"cron\":\"0 9 * * 1-5\","
                            + common));
    assertThat(left(moving)).isEmpty();
    prove(moving, 1_000);
  }

  private static void prove(Moving moving, int occurrences) {
    for (MovedSchedule schedule : moving.schedules()) {
      if (schedule.source().isPresent()) {
        Proof proof = Proof.of(schedule, Sources.NOW, occurrences, Sources.ENGINES);
        assertThat(proof.differences()).as(schedule.id()).isEmpty();
        assertThat(proof.agreed()).as(schedule.id()).isPositive();
      }
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(sql);
    }
  }
}
