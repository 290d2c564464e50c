package io.waterclock.cli.calendar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.schemas.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class CalendarCommandTest {
  @TempDir static Path dir;
  @RegisterExtension static final Broker broker = new Broker();

  private static String file(String name, String text) throws Exception {
    return Files.writeString(dir.resolve(name), text).toString();
  }

  @Test
  void a_calendar_is_put_listed_shown_changed_and_deleted() throws Exception {
    Topics topics = broker.topics("life");
    String first =
        file(
            "a.json",
            "{\"dates\":[\"2026-12-25\",\"2026-12-31/2027-01-01\"],\"weekdays\":[\"SAT\"]}");
    String second = file("b.yaml", "dates: [\"2026-12-25\"]\ndescription: Feiertage\n");
    String use = "{\"cron\":\"0 9 * * *\",\"except\":[\"holidays-de\"]}";

    assertThat(broker.run(topics, "calendar", "put", "holidays-de", "--file", first).out())
        .isEqualToIgnoringNewLines("holidays-de created: excludes 3 dates and SAT");
    assertThat(broker.run(topics, "calendar", "put", "holidays-de", "-f", first).out())
        .isEqualToIgnoringNewLines("holidays-de unchanged: excludes 3 dates and SAT");
    assertThat(broker.run(topics, "calendar", "put", "holidays-de", "-f", second).out())
        .startsWith("holidays-de changed: excludes 1 date, for occurrences after 20");
    assertThat(broker.run(topics, "calendar", "list").lines())
        .containsExactly(
            "NAME         EXCLUDES  LAST DATE   DESCRIPTION",
            "holidays-de  1 date    2026-12-25  Feiertage",
            "1 calendar");
    assertThat(broker.run(topics, "calendar", "get", "holidays-de").out())
        .contains("\"2026-12-25\"", "\"Feiertage\"");

    broker.write(topics.schedules(), "daily", use.getBytes(UTF_8));
    CliRun deleted = broker.run(topics, "calendar", "delete", "holidays-de");
    assertThat(deleted.out())
        .startsWith("holidays-de deleted: names no date for occurrences after ");
    assertThat(deleted.err()).contains("1 schedule names it", ": daily");
    assertThat(deleted.exitCode()).isZero();
    assertThat(broker.run(topics, "calendar", "list").lines()).contains("0 calendars");
    CliRun again = broker.run(topics, "calendar", "delete", "holidays-de");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("There is no calendar holidays-de.");
  }

  @Test
  void a_delete_that_ends_schedules_names_them_and_asks() throws Exception {
    Topics topics = broker.topics("only");
    String weekdays = file("only.json", "{\"weekdays\":[\"MON\",\"TUE\",\"WED\"]}");
    for (String name : List.of("trading", "other")) {
      assertThat(broker.run(topics, "calendar", "put", name, "--file", weekdays).exitCode())
          .isZero();
    }
    for (String names :
        List.of(
            "\"only\":[\"trading\"]",
            "\"only\":[\"trading\",\"other\"]",
            "\"except\":[\"trading\"]")) {
      broker.write(
          topics.schedules(),
          "s" + names.replaceAll("\\W", ""),
          ("{\"cron\":\"0 9 * * *\"," + names + "}").getBytes(UTF_8));
    }
    CliRun asked = broker.run(topics, "calendar", "delete", "trading");
    assertThat(asked.exitCode()).isEqualTo(1);
    assertThat(asked.err())
        .contains(
            "1 schedule would never fire again, as it occurs only on its dates: sonlytrading;"
                + " delete trading?",
            "Nothing was changed.");
    assertThat(broker.run(topics, "calendar", "get", "trading").exitCode()).isZero();
    CliRun deleted = broker.run(topics, "calendar", "delete", "trading", "--yes");
    assertThat(deleted.exitCode()).isZero();
    assertThat(deleted.err()).contains("never fire again", "3 schedules name it");
  }

  @Test
  void programs_get_json() throws Exception {
    Topics topics = broker.topics("calendar-programs");
    String first = file("c.json", "{\"weekdays\":[\"SAT\"]}");
    String second = file("d.json", "{\"weekdays\":[\"SUN\"]}");
    JsonNode created = json(topics, "put", "off", "--file", first);
    assertThat(created.get("done").asText()).isEqualTo("created");
    assertThat(created.has("counts_after")).isFalse();
    JsonNode changed = json(topics, "put", "off", "--file", second);
    assertThat(changed.get("done").asText()).isEqualTo("changed");
    assertThat(changed.get("counts_after").asText()).startsWith("20");
    for (String command : List.of("list", "get off")) {
      JsonNode calendar = json(topics, command.split(" "));
      assertThat(calendar.get("name").asText()).isEqualTo("off");
      assertThat(calendar.at("/calendar/weekdays/0").asText()).isEqualToIgnoringCase("sun");
    }
    broker.write(
        topics.schedules(),
        "daily",
        "{\"cron\":\"0 9 * * *\",\"except\":[\"off\"]}".getBytes(UTF_8));
    JsonNode deleted = json(topics, "delete", "off");
    assertThat(deleted.get("done").asText()).isEqualTo("deleted");
    assertThat(deleted.at("/used_by/0").asText()).isEqualTo("daily");
    assertThat(broker.run(topics, "calendar", "list", "--json").out()).isEmpty();
  }

  private static JsonNode json(Topics topics, String... command) throws Exception {
    String[] args =
        Stream.of(Stream.of("calendar"), Stream.of(command), Stream.of("--json"))
            .flatMap(part -> part)
            .toArray(String[]::new);
    CliRun run = broker.run(topics, args);
    assertThat(run.err()).isEmpty();
    return new ObjectMapper().readTree(run.lines().get(0));
  }

  @Test
  void an_invalid_calendar_is_rejected_and_nothing_is_written() throws Exception {
    Topics topics = broker.topics("wrong-calendar");
    String bad = file("bad.json", "{\"dates\":[\"2026-12-25\",\"2026-02-30\"],\"weekday\":[]}");
    CliRun run = broker.run(topics, "calendar", "put", "holidays", "--file", bad);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("holidays was refused", "dates[1]", "\"weekdays\"");
    assertThat(broker.run(topics, "calendar", "list").lines()).contains("0 calendars");
    assertThat(broker.run(topics, "calendar", "put", "a b", "--file", bad).err())
        .contains("has a space at position 1");
    assertThat(CliRun.of("calendar").exitCode()).isEqualTo(2);
  }
}
