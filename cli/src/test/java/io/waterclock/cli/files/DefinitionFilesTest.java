package io.waterclock.cli.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.json.ScheduleJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionFilesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @TempDir Path dir = Path.of("");

  private static DefinitionFiles yaml(String... lines) {
    return DefinitionFiles.of(
        "a.yaml", (String.join("\n", lines) + "\n").getBytes(UTF_8), ZoneOffset.UTC);
  }

  private static DefinitionFiles json(String text) {
    return DefinitionFiles.of("a.json", text.getBytes(UTF_8), ZoneOffset.UTC);
  }

  private static List<String> problems(DefinitionFiles files) {
    return files.problems().stream().map(FileProblem::toString).toList();
  }

  @Test
  void a_yaml_file_has_schedules_and_calendars_as_documents_and_in_lists() {
    DefinitionFiles files =
        yaml(
            "# comment",
            "schedule: reports/daily",
            "cron: \"0 9 * * 1-5\"",
            "payload: {amount: 12.50, ok: true, on: yes}",
            "---",
            "- calendar: holidays-de",
            "  dates: [2026-12-25, 2026-12-31/2027-01-01]",
            "- schedule: b",
            "  every: 5m",
            "---",
            "---");
    assertThat(problems(files)).isEmpty();
    assertThat(files.schedules())
        .extracting(one -> one.id().value())
        .containsExactly("reports/daily", "b");
    assertThat(files.calendars())
        .extracting(one -> one.name().value())
        .containsExactly("holidays-de");
    FileSchedule first = files.schedules().get(0);
    assertThat(first.schedule().getTrigger()).isEqualTo(new CronTrigger("0 9 * * 1-5"));
    assertThat(UTF_8.decode(first.schedule().getPayload()).toString())
        .isEqualTo("{\"amount\":12.50,\"ok\":true,\"on\":\"yes\"}");
    assertThat(files.schedules().get(1).source().place()).hasToString("a.yaml:8");
  }

  @Test
  void a_json_file_has_one_definition_or_a_list_or_one_on_each_line() {
    assertThat(json("{\"schedule\":\"a\",\"every\":\"5m\"}").schedules()).hasSize(1);
    assertThat(
            json("[{\"schedule\":\"a\",\"every\":\"5m\"},{\"schedule\":\"b\",\"in\":\"5m\"}]")
                .schedules())
        .hasSize(2);
    DefinitionFiles lines =
        json("{\"schedule\":\"a\",\"every\":\"5m\"}\n{\"calendar\":\"c\",\"dates\":[]}\n");
    assertThat(problems(lines)).isEmpty();
    assertThat(lines.calendars().get(0).source().line()).isEqualTo(2);
  }

  @Test
  void all_problems_have_their_line() {
    DefinitionFiles files =
        yaml(
            "schedule: a",
            "cron: \"0 9 * * *\"",
            "grace: 5x",
            "skip:",
            "  - 2026-12-24T09:00:00Z",
            "  - tomorrow",
            "target:",
            "  topc: t",
            "---",
            "schedule: b c",
            "every: 5m",
            "---",
            "every: 5m",
            "---",
            "just text",
            "---",
            "calendar: c",
            "dates:",
            "- 2026-13-01",
            "---",
            "schedule: a",
            "every: 5m");
    assertThat(problems(files))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("a.yaml:3: a: grace: \"5x\" is not a duration"),
            one -> assertThat(one).startsWith("a.yaml:6: a: skip[1]: \"tomorrow\""),
            one -> assertThat(one).startsWith("a.yaml:7: a: target.topic: is missing"),
            one -> assertThat(one).startsWith("a.yaml:8: a: target.topc: is an unknown field"),
            one -> assertThat(one).startsWith("a.yaml:10: "),
            one -> assertThat(one).startsWith("a.yaml:13: is no definition; write"),
            one -> assertThat(one).startsWith("a.yaml:15: is no definition"),
            one -> assertThat(one).startsWith("a.yaml:19: c: dates[0]: \"2026-13-01\""),
            one -> assertThat(one).isEqualTo("a.yaml:21: a is defined at a.yaml:1, too"));
  }

  @Test
  void json_problems_have_their_line() {
    assertThat(problems(json("[\n{\"schedule\":\"a\",\n\"every\":\"5m\",\n\"grce\":\"1m\"},\n{}]")))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("a.json:4: a: grce: is an unknown field"),
            one -> assertThat(one).startsWith("a.json:5: is no definition"));
    assertThat(problems(json("{\"schedule\":\"a\",\n\"every\":\"5m\",\n\"every\":\"6m\"}")))
        .singleElement()
        .asString()
        .startsWith("a.json:3: is not JSON: Duplicate field 'every'");
    assertThat(problems(json("{\"schedule\":\"a\",\"every\":\"5m\",\"priority\":1e999999999}")))
        .hasSize(1);
    assertThat(problems(json("[".repeat(100_000)))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cron: */5 * * * *            | a.yaml:2: is not YAML",
        "cron: 'a                     | a.yaml:",
        "payload: *nobody             | a.yaml:2: names *nobody, which no value before it is",
        "payload: !!binary aGk=       | a.yaml:2: has the tag tag:yaml.org,2002:binary",
        "payload: !java.net.URL [x]   | a.yaml:2: ",
        "<<: {every: 5m}              | a.yaml:2: has a merge key",
        "schedule: b                  | a.yaml:2: schedule is given twice",
        "? [a]                        | a.yaml:2: has a key that is no text",
      })
  void broken_yaml_is_named_with_its_line(String line, String problem) {
    assertThat(problems(yaml("schedule: a", line))).singleElement().asString().startsWith(problem);
  }

  @Test
  void an_alias_stands_for_its_value() {
    DefinitionFiles files =
        yaml(
            "- schedule: a",
            "  every: 5m",
            "  labels: &team {team: x}",
            "- schedule: b",
            "  every: 5m",
            "  labels: *team");
    assertThat(problems(files)).isEmpty();
    assertThat(files.schedules().get(1).schedule().getLabels()).containsEntry("team", "x");
  }

  @Test
  void aliases_of_aliases_cost_no_more_than_a_bound() {
    StringBuilder bomb = new StringBuilder("schedule: a\nevery: 5m\npayload:\n  a0: &a0 [x]\n");
    for (int i = 1; i < 40; i++) {
      bomb.append("  a%d: &a%d [%s]\n".formatted(i, i, "*a%d, ".formatted(i - 1).repeat(9)));
    }
    assertThat(
            problems(DefinitionFiles.of("a.yaml", bomb.toString().getBytes(UTF_8), ZoneOffset.UTC)))
        .singleElement()
        .asString()
        .contains("more than 2000000 values");
    assertThat(problems(yaml("a: &a [*a]"))).hasSize(1);
    StringBuilder deep = new StringBuilder("schedule: a\nevery: 5m\npayload:\n  a0: &a0 [x]\n");
    for (int i = 1; i < 200; i++) {
      deep.append(
          "  a%d: &a%d %s*a%d%s\n".formatted(i, i, "[".repeat(150), i - 1, "]".repeat(150)));
    }
    assertThat(
            problems(DefinitionFiles.of("a.yaml", deep.toString().getBytes(UTF_8), ZoneOffset.UTC)))
        .containsExactly("a.yaml:6: is nested too deeply");
    assertThat(problems(yaml("payload: " + "[".repeat(100_000)))).hasSize(1);
    assertThat(problems(yaml("- ".repeat(50_000) + "a"))).hasSize(1);
  }

  @Test
  void a_folder_has_the_files_below_it_without_hidden_ones() throws IOException {
    Files.createDirectories(dir.resolve("team/.git"));
    Files.writeString(dir.resolve("team/b.yml"), "schedule: b\nevery: 5m\n");
    Files.writeString(dir.resolve("a.JSON"), "{\"schedule\":\"a\",\"every\":\"5m\"}");
    Files.writeString(dir.resolve("team/.git/c.yaml"), "schedule: c\nevery: 5m\n");
    Files.writeString(dir.resolve("README.md"), "# no definition");
    DefinitionFiles files = DefinitionFiles.read(List.of(dir), ZoneOffset.UTC);
    assertThat(problems(files)).isEmpty();
    assertThat(files.schedules()).extracting(one -> one.id().value()).containsExactly("a", "b");
    Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("team"));
    assertThat(DefinitionFiles.read(List.of(link), ZoneOffset.UTC).schedules()).hasSize(1);
    Files.delete(link);
    Files.createSymbolicLink(dir.resolve("team/loop"), dir);
    assertThat(problems(DefinitionFiles.read(List.of(dir), ZoneOffset.UTC)))
        .singleElement()
        .asString()
        .contains("team/loop leads back to itself");
    assertThat(problems(DefinitionFiles.read(List.of(dir.resolve("none")), ZoneOffset.UTC)))
        .singleElement()
        .asString()
        .contains("there is no such file");
  }

  @Test
  void a_definition_may_name_a_calendar_of_another_file() {
    DefinitionFiles files =
        yaml("schedule: a", "every: 1d", "except: [x, y, z]", "---", "calendar: x", "dates: []");
    assertThat(files.invalid(Set.of("y"), ZoneOffset.UTC, NOW))
        .singleElement()
        .asString()
        .startsWith("a.yaml:3: a: except: there is no calendar \"z\"");
  }

  @Test
  void what_the_writer_writes_is_read_as_the_same() {
    String form =
        "{\"cron\":\"*/5 * * * *\",\"timezone\":\"Europe/Berlin\",\"catch_up\":\"REPLAY\","
            + "\"skip\":[\"2026-12-24T09:00:00Z\"],\"owner\":\"yes\",\"labels\":{\"a b\":\"0x1F\","
            + "\"on\":\"\",\"n\":\"~\"},\"description\":\"two\\nlines \\u2028 and: # no comment\","
            + "\"payload\":{\"list\":[1,2.50,null,true,[],{}],\"text\":\"null\",\"big\":"
            + "123456789012345678901234567890},\"headers\":{\"k\":\"- v\"},\"priority\":-3}";
    StringBuilder out = new StringBuilder();
    DefinitionWriter writer = new DefinitionWriter(out);
    var schedule = ScheduleJson.read(form.getBytes(UTF_8), ZoneOffset.UTC);
    assertThat(schedule.problems()).isEmpty();
    writer.schedule("a", schedule.schedule(), List.of("a comment\nof two lines"));
    writer.schedule("b:~@/-.", schedule.schedule(), List.of());
    var calendar = yaml("calendar: c", "dates: [2026-12-25]", "weekdays: [SAT]").calendars().get(0);
    writer.calendar("c", calendar.calendar(), List.of());
    DefinitionFiles read = yaml(out.toString());
    assertThat(problems(read)).as(out.toString()).isEmpty();
    assertThat(read.schedules()).hasSize(2);
    assertThat(read.schedules())
        .allSatisfy(one -> assertThat(one.schedule()).isEqualTo(schedule.schedule()));
    assertThat(read.calendars())
        .extracting(FileCalendar::calendar)
        .containsExactly(calendar.calendar());
  }
}
