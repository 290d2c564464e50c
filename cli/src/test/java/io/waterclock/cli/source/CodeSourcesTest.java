package io.waterclock.cli.source;

import static io.waterclock.cli.source.Sources.forms;
import static io.waterclock.cli.source.Sources.left;
import static io.waterclock.cli.source.Sources.notes;
import static io.waterclock.cli.source.Sources.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spring and db-scheduler: sources that keep a part of their schedules in code. */
final class CodeSourcesTest {
  private static final String ON_DEV = "spring.config.activate.on-profile";

  @TempDir Path dir;

  @Test
  void long_and_broken_sources_are_left_behind_with_a_reason() throws Exception {
    Files.writeString(
        dir.resolve("Long.java"),
        "class Long { @Scheduled(fixedRate = 9223372036854775807 * 2) void far() {}\n"
            + "@Scheduled(cron = \"0 0 9 * * *\") @X("
            + "a".repeat(3_900)
            + ") void annotated() {}\n@Scheduled(cron = \""
            + "\\\\a".repeat(100_000)
            + "\") void literal() {}\n@Scheduled(fixedRate = 1"
            + "*1".repeat(100_000)
            + ") void product() {} }");
    Moving moving = SpringSchedules.read(dir, settings());
    assertThat(left(moving))
        .anyMatch(why -> why.contains("its fixedRate is code, not a literal: 9223372036854775807"))
        .anyMatch(why -> why.startsWith("Long.java:3 literal"));
    assertThat(moving.schedules().stream().map(MovedSchedule::id))
        .containsExactly("Long.annotated", "Long.product");
    Path properties = Files.writeString(dir.resolve("jobs.properties"), "report=\\u12\n");
    assertThatThrownBy(() -> SpringSchedules.read(properties, settings()))
        .isInstanceOf(BrokenSourceException.class)
        .hasMessageContaining("Malformed");
  }

  @Test
  void no_symbolic_link_leads_out_of_the_folder() throws Exception {
    Path outside = Files.createDirectories(dir.resolve("outside"));
    String source = "class %s { @Scheduled(cron = \"${beat}\") void beat() {} }";
    Files.writeString(outside.resolve("Secret.java"), source.formatted("Secret"));
    Files.writeString(outside.resolve("application.properties"), "beat=0 0 1 * * *\n");
    Path inside = Files.createDirectories(dir.resolve("inside"));
    Files.writeString(inside.resolve("Own.java"), source.formatted("Own"));
    for (String name : List.of("Secret.java", "application.properties")) {
      Files.createSymbolicLink(inside.resolve(name), outside.resolve(name));
    }
    Files.createSymbolicLink(inside.resolve("folder"), outside);

    Moving moving = SpringSchedules.read(inside, settings());
    assertThat(moving.schedules()).isEmpty();
    assertThat(left(moving))
        .hasSize(3)
        .anyMatch(why -> why.startsWith("Own.java:1 beat | ") && why.contains("beat"))
        .contains(
            "Secret.java | it is a symbolic link, which may lead out of the folder",
            "application.properties | it is a symbolic link, which may lead out of the folder");

    Path given = Files.createSymbolicLink(dir.resolve("given"), outside);
    assertThat(SpringSchedules.read(given, settings()).schedules())
        .extracting(MovedSchedule::id)
        .containsExactly("Secret.beat");
  }

  @Test
  void scheduled_methods_are_found_with_their_constants_and_placeholders() throws Exception {
    Files.writeString(
        dir.resolve("Jobs.java"),
        """
        class Jobs {
          static final String NIGHT = "0 0 2 * * *";
          // @Scheduled(cron = "0 0 1 * * *") void commented() {}
          /* @Scheduled(cron = "0 0 1 * * *") */
          @Scheduled(cron = "0 0 9 " + "* * MON-FRI", zone = "Europe/Berlin")
          @Transactional(timeout = 5)
          public void report() {}
          @Scheduled(cron = NIGHT) void night() {}
          @Scheduled(cron = "${beat.cron:0 * * * * *}") void beat() {}
          @Scheduled(fixedRate = 5 * 60 * 1_000L) void rate() {}
          @Scheduled(fixedDelayString = "PT10M", initialDelay = 1) void delay() {}
          @Scheduled(cron = "-") void off() {}
          @Scheduled(cron = "${missing}") void missing() {}
          @Scheduled(cron = "#{@bean.cron}") void spel() {}
          @Scheduled(cron = Other.cron()) void code() {}
          @Scheduled(initialDelay = 5) void once() {}
          @Scheduled(cron = "0 0 9 * * MON", zone = "Mars") void mars() {}
          @Scheduled(cron = "no cron, (at all)") void broken() {}
        }
        """);
    Files.createDirectories(dir.resolve("resources"));
    Files.writeString(dir.resolve("resources/application.yml"), "beat:\n  cron: '30 * * * * *'\n");
    Moving moving = SpringSchedules.read(dir, settings());
    assertThat(moving.schedules().stream().map(MovedSchedule::id))
        .containsExactly("Jobs.report", "Jobs.night", "Jobs.beat", "Jobs.rate", "Jobs.delay");
    assertThat(forms(moving).get(0))
        .contains("\"cron\":\"0 0 9 * * MON-FRI\"", "\"dialect\":\"spring\"", "Europe/Berlin");
    assertThat(forms(moving).get(1)).contains("\"cron\":\"0 0 2 * * *\"");
    assertThat(forms(moving).get(2)).contains("\"cron\":\"30 * * * * *\"");
    assertThat(forms(moving).get(3)).contains("\"every\":\"PT5M\"");
    assertThat(forms(moving).get(4)).contains("\"every\":\"PT10M\"", "\"overlap\":\"skip\"");
    assertThat(notes(moving)).anyMatch(note -> note.startsWith("fixedDelay counts from the end"));
    assertThat(left(moving))
        .hasSize(7)
        .anyMatch(why -> why.equals("Jobs.java:12 off | it is disabled: its expression is \"-\""))
        .anyMatch(why -> why.contains("missing") && why.contains("--value 'missing=...'"))
        .anyMatch(why -> why.contains("SpEL"))
        .anyMatch(why -> why.contains("its cron is code, not a literal: Other.cron()"))
        .anyMatch(why -> why.contains("it runs once, at the start"))
        .anyMatch(why -> why.contains("zone: "))
        .anyMatch(why -> why.contains("expected six fields"));
    assertThat(notes(moving)).contains("Left out, as it has no equal here: initialDelay.");
    for (MovedSchedule schedule : moving.schedules().subList(0, 3)) {
      Proof proof = Proof.of(schedule, Sources.NOW, 10_000, Sources.ENGINES);
      assertThat(proof.holds()).as(schedule.id()).isTrue();
      assertThat(proof.agreed()).isGreaterThan(9_900);
    }
  }

  @Test
  void a_placeholder_has_the_value_that_the_application_has() throws Exception {
    String main = "src/main/resources/";
    file("src/main/java/Jobs.java", "class Jobs { @Scheduled(cron = \"${beat}\") void beat() {} }");
    file(
        main + "application.properties",
        "beat=0 0 1 * * *\n#---\n" + ON_DEV + "=dev\nbeat=0 0 2 * * *");
    file(
        main + "application.yml",
        "beat: 0 0 3 * * *\n---\n" + ON_DEV + ": dev\nbeat: 0 0 4 * * *\n");
    for (String other :
        List.of("src/test/resources", "target/classes", "build/x", "web/bin/main")) {
      file(other + "/application.yml", "beat: 0 0 5 * * *\n");
      file(other + "/application.properties", "beat=0 0 5 * * *\n");
    }
    for (Path folder : List.of(dir, dir.resolve("src"))) {
      assertThat(forms(SpringSchedules.read(folder, settings())))
          .singleElement()
          .asString()
          .contains("\"cron\":\"0 0 1 * * *\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.config.activate.on-profile: dev",
        "spring: {config: {activate: {on-cloud-platform: kubernetes}}}",
        "spring: {profiles: [dev, test]}",
        "spring.profiles: dev"
      })
  void a_document_with_a_condition_has_no_values(String condition) throws Exception {
    file("Jobs.java", "class Jobs { @Scheduled(cron = \"${beat}\") void beat() {} }");
    file(
        "application.yml",
        "spring.profiles.active: dev\nbeat: 0 0 1 * * *\n---\n"
            + condition
            + "\nbeat: 0 0 2 * * *\n");
    assertThat(forms(SpringSchedules.read(dir, settings())))
        .singleElement()
        .asString()
        .contains("\"cron\":\"0 0 1 * * *\"");
  }

  @Test
  void of_a_placeholder_with_two_values_none_is_taken() throws Exception {
    file("Jobs.java", "class Jobs { @Scheduled(cron = \"${beat}\") void beat() {} }");
    file("a/application.yml", "beat: 0 0 1 * * *\n");
    file("b/application.yml", "beat: 0 0 2 * * *\n");
    Moving moving = SpringSchedules.read(dir, settings());
    assertThat(moving.schedules()).isEmpty();
    assertThat(left(moving))
        .containsExactly(
            "Jobs.java:1 beat | the placeholder ${beat} has several values in the folder:"
                + " \"0 0 1 * * *\", \"0 0 2 * * *\"; give one with --value 'beat=...'");
    assertThat(forms(SpringSchedules.read(dir, settings(Map.of("beat", "0 0 3 * * *")))))
        .singleElement()
        .asString()
        .contains("\"cron\":\"0 0 3 * * *\"");
  }

  private void file(String path, String text) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void a_constant_of_another_class_is_not_one_of_the_same_name_in_this_file() throws Exception {
    file(
        "Jobs.java",
        """
        class Jobs {
          static final String NIGHT = "0 0 2 * * *";
          static final String EARLY = "0 0 4 * * *";
          @Scheduled(cron = Jobs.NIGHT) void own() {}
          @Scheduled(cron = Jobs.Crons.LATE) void nested() {}
          @Scheduled(cron = Other.NIGHT) void other() {}
          @Scheduled(cron = com.example.Jobs.NIGHT) void elsewhere() {}
          @Scheduled(cron = Crons.EARLY) void twice() {}
          interface Crons {
            String LATE = "0 0 23 * * *";
            String EARLY = "0 0 5 * * *";
          }
        }
        """);
    Moving moving = SpringSchedules.read(dir, settings());
    assertThat(moving.schedules().stream().map(MovedSchedule::id))
        .containsExactly("Jobs.own", "Jobs.nested");
    assertThat(left(moving))
        .containsExactly(
            "Jobs.java:6 other | its cron is code, not a literal: Other.NIGHT",
            "Jobs.java:7 elsewhere | its cron is code, not a literal: com.example.Jobs.NIGHT",
            "Jobs.java:8 twice | its cron is code, not a literal: Crons.EARLY");
  }

  @Test
  void the_answer_of_the_actuator_and_a_list_of_properties_are_read() throws Exception {
    Path actuator =
        Files.writeString(
            dir.resolve("tasks.json"),
            """
            {"cron":[{"runnable":{"target":"a.Jobs.report"},"expression":"0 0 9 * * MON-FRI"}],
             "fixedDelay":[],"fixedRate":[{"runnable":{"target":"a.Jobs.rate"},"interval":3000}],
             "custom":[{"runnable":{"target":"a.Jobs.own"},"trigger":"own"}]}
            """);
    assertThat(forms(SpringSchedules.read(actuator, settings())))
        .hasSize(2)
        .anyMatch(form -> form.startsWith("a.Jobs.rate {\"every\":\"PT3S\""));
    Path list = Files.writeString(dir.resolve("crons.properties"), "daily = 0 0 9 * * *\nx = y\n");
    Moving listed = SpringSchedules.read(list, settings());
    assertThat(forms(listed)).singleElement().asString().startsWith("daily ");
    assertThat(left(listed)).singleElement().asString().startsWith("property x | ");
  }

  @Test
  void a_priority_of_db_scheduler_and_a_missing_zone_are_noted() throws Exception {
    try (Connection database = DriverManager.getConnection("jdbc:h2:mem:priorities")) {
      database
          .createStatement()
          .execute(
              """
              CREATE TABLE scheduled_tasks(task_name VARCHAR(99), task_instance VARCHAR(99),
                task_data BLOB, execution_time TIMESTAMP WITH TIME ZONE, priority SMALLINT);
              INSERT INTO scheduled_tasks VALUES('a', '1', NULL, '2026-12-01 00:00:00Z', 90);
              INSERT INTO scheduled_tasks VALUES('b', '1', NULL, '2026-12-01 00:00:00Z', NULL);
              INSERT INTO scheduled_tasks VALUES('c', 'recurring', NULL, '2026-12-01 00:00:00Z', 0)
              """);
      Moving moving =
          DbSchedulerTable.read(database, "scheduled_tasks", settings(Map.of("c", "DAILY|09:00")));
      assertThat(notes(moving))
          .containsExactly(
              "Left out, as it has no equal here: priority 90.",
              "It names no zone, so db-scheduler uses that of its JVM; here it is Z.");
    }
  }

  @Test
  void one_time_tasks_fire_once_and_recurring_ones_need_their_schedule() throws Exception {
    try (Connection database = DriverManager.getConnection("jdbc:h2:mem:tasks")) {
      database
          .createStatement()
          .execute(
              "CREATE TABLE scheduled_tasks(task_name VARCHAR(99), task_instance VARCHAR(99),"
                  + " task_data BLOB, execution_time TIMESTAMP WITH TIME ZONE)");
      insert(database, "mail", "42", "{\"to\":\"ops\"}", "2026-12-01T00:00:00Z");
      insert(database, "mail", "old", "{}", "2020-01-01T00:00:00Z");
      insert(database, "java", "1", "\u00ac\u00ed\u0000", "2026-12-01T00:00:00Z");
      insert(database, "known", "recurring", "", "2026-12-01T00:00:00Z");
      insert(database, "unknown", "recurring", "", "2026-12-01T00:00:00Z");
      insert(database, "cron", "recurring", "", "2026-12-01T00:00:00Z");
      insert(
          database,
          "persistent",
          "tenant-1",
          "{\"schedule\":{\"type\":\"cron\",\"pattern\":\"0 0 9 * * *\",\"zoneId\":\"Asia/Tokyo\","
              + "\"cronStyle\":\"SPRING53\"},\"data\":{\"n\":1}}",
          "2026-12-01T00:00:00Z");
      insert(
          database,
          "delay",
          "x",
          "{\"schedule\":{\"type\":\"fixedDelay\",\"duration\":\"PT2M\"}}",
          "2026-12-01T00:00:00Z");
      Moving moving =
          DbSchedulerTable.read(
              database,
              "scheduled_tasks",
              settings(Map.of("known", "DAILY|10:30,16:45", "cron", "0 0 2 * * *")));
      assertThat(forms(moving))
          .containsExactly(
              "cron/recurring {\"type\":\"cron\",\"dialect\":\"spring\",\"cron\":\"0 0 2 * * *\","
                  + "\"timezone\":\"Z\"}",
              "delay/x {\"type\":\"delay\",\"every\":\"PT2M\",\"overlap\":\"skip\"}",
              "known/recurring-1030 {\"type\":\"known\",\"cron\":\"0 30 10 * * *\",\"timezone\":\"Z\"}",
              "known/recurring-1645 {\"type\":\"known\",\"cron\":\"0 45 16 * * *\",\"timezone\":\"Z\"}",
              "mail/42 {\"type\":\"mail\",\"payload\":{\"to\":\"ops\"},"
                  + "\"at\":\"2026-12-01T00:00:00Z\"}",
              "persistent/tenant-1 {\"type\":\"persistent\",\"payload\":{\"n\":1},"
                  + "\"dialect\":\"spring\",\"cron\":\"0 0 9 * * *\",\"timezone\":\"Asia/Tokyo\"}");
      assertThat(left(moving))
          .hasSize(3)
          .anyMatch(why -> why.contains("serialised Java object of 3 bytes"))
          .anyMatch(why -> why.contains("in the past"))
          .anyMatch(why -> why.contains("--value 'unknown=DAILY|10:30'"));
      for (MovedSchedule schedule : moving.schedules()) {
        if (schedule.source().isPresent()) {
          Proof proof = Proof.of(schedule, Sources.NOW, 1_000, Sources.ENGINES);
          assertThat(proof.differences()).as(schedule.id()).isEmpty();
        }
      }
    }
  }

  private static void insert(
      Connection database, String name, String instance, String data, String time)
      throws Exception {
    try (PreparedStatement row =
        database.prepareStatement("INSERT INTO scheduled_tasks VALUES(?,?,?,?)")) {
      row.setString(1, name);
      row.setString(2, instance);
      row.setBytes(3, data.isEmpty() ? null : data.getBytes(StandardCharsets.ISO_8859_1));
      row.setTimestamp(4, Timestamp.from(Instant.parse(time)));
      row.execute();
    }
  }
}
