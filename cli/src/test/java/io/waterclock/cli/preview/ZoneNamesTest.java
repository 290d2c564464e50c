package io.waterclock.cli.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.waterclock.cli.CliRun;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.text.Problems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ZoneNamesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Eastern Time (US & Canada) | America/New_York",
        "Eastern Standard Time      | America/New_York",
        "London                     | Europe/London",
        "EST                        | America/New_York",
        "PST                        | America/Los_Angeles",
      })
  void every_reader_of_zones_suggests_the_same_one(String name, String zone) throws IOException {
    assertThat(
            List.of(
                json(name),
                avro(name),
                java(name),
                CliRun.of("next", "--cron=0 9 * * *", "--zone=" + name).err(),
                CliRun.of("import-from", "crontab", file("0 9 * * * /bin/a"), "--zone=" + name)
                    .err(),
                CliRun.of("import-from", "crontab", file("CRON_TZ=" + name + "\n0 9 * * * /bin/a"))
                    .err()))
        .allSatisfy(
            message ->
                assertThat(message)
                    .contains(
                        "\""
                            + name
                            + "\" is not a time zone; the nearest one is \""
                            + zone
                            + "\""));
  }

  private static String json(String name) {
    String json = "{\"cron\":\"0 9 * * *\",\"timezone\":\"" + name + "\"}";
    return Problems.text(
        ScheduleJson.read(json.getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC).problems());
  }

  private static String avro(String name) {
    Schedule schedule =
        Schedule.newBuilder().setTrigger(new CronTrigger("0 9 * * *")).setTimezone(name).build();
    return Problems.text(
        new Validation(Duration.ofSeconds(1), ZoneOffset.UTC)
            .problems("a", schedule, List.of(), Instant.EPOCH, Set.of()));
  }

  private static String java(String name) {
    return catchThrowable(() -> ScheduleBuilder.cron("0 9 * * *").timezone(name)).getMessage();
  }

  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "a", ".txt"), text + "\n").toString();
  }
}
