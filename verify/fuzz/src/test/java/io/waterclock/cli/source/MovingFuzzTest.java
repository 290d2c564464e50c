package io.waterclock.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.cli.source.QuartzTriggers.JobData;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.json.ScheduleJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Schedules of other schedulers. A source that cannot be read is a {@link BrokenSourceException};
 * what is read has valid, distinct ids and definitions without problems, and what is left behind
 * has a reason.
 */
final class MovingFuzzTest {
  private static final MovingSettings SETTINGS =
      new MovingSettings(
          ZoneId.of("Europe/Berlin"),
          "moved/",
          Instant.parse("2026-11-24T12:00:00Z"),
          Map.of("report.cron", "0 0 9 * * *"),
          Optional.empty());

  @FuzzTest
  @DictionaryEntries({
    "0 9 * * 1-5 root /usr/bin/backup\\x0a",
    "CRON_TZ=Asia/Tokyo\\x0a",
    "@reboot x\\x0a",
    "MAILTO=\\x22\\x22\\x0a",
    "*/5 * * * * a%b\\x5c%c\\x0a",
    "# comment\\x0a",
    "@daily x\\x0a"
  })
  void crontab(@NotNull String text) throws Exception {
    check(text, () -> Crontab.read(text, false, SETTINGS));
    check(text, () -> Crontab.read(text, true, SETTINGS));
  }

  @FuzzTest
  @DictionaryEntries({
    "apiVersion: batch/v1\\x0akind: CronJob\\x0ametadata:\\x0a  name: a\\x0a  namespace:"
        + " b\\x0aspec:\\x0a  schedule: \\x220 9 * * *\\x22\\x0a",
    "  timeZone: Europe/Berlin\\x0a",
    "  concurrencyPolicy: Forbid\\x0a",
    "  suspend: true\\x0a",
    "  startingDeadlineSeconds: 9223372036854775807\\x0a",
    "---\\x0a",
    "kind: List\\x0aitems:\\x0a- ",
    "&a",
    "*a"
  })
  void kubernetes(@NotNull String text) throws Exception {
    check(text, () -> CronJobs.read(text, SETTINGS));
  }

  @FuzzTest
  @DictionaryEntries({
    "<job-scheduling-data><schedule><trigger><cron><name>a</name>",
    "<cron-expression>0 0 9 ? * MON-FRI</cron-expression>",
    "<time-zone>Europe/Berlin</time-zone>",
    "</cron></trigger></schedule></job-scheduling-data>",
    "<simple>",
    "<repeat-count>-1</repeat-count>",
    "<repeat-interval>1000</repeat-interval>",
    "<calendar-interval>",
    "<misfire-instruction>",
    "<!DOCTYPE a [<!ENTITY b \\x22c\\x22>]>",
    "&b;",
    "<start-time>2026-11-24T12:00:00Z</start-time>",
    "<job-data-map><entry><key>k</key><value>v</value></entry></job-data-map>"
  })
  void quartz(@NotNull String text) throws Exception {
    check(text, () -> QuartzXml.read(text, SETTINGS));
  }

  @FuzzTest
  @DictionaryEntries({
    "{\\x22Schedules\\x22:[{\\x22Name\\x22:\\x22a\\x22,\\x22GroupName\\x22:\\x22g\\x22,",
    "\\x22ScheduleExpression\\x22:\\x22rate(5 minutes)\\x22",
    "\\x22cron(0 9 ? * MON-FRI *)\\x22",
    "\\x22at(2026-12-24T18:00:00)\\x22",
    "\\x22ScheduleExpressionTimezone\\x22:",
    "\\x22FlexibleTimeWindow\\x22:{\\x22Mode\\x22:\\x22FLEXIBLE\\x22,\\x22MaximumWindowInMinutes\\x22:15}",
    "\\x22State\\x22:\\x22DISABLED\\x22",
    "\\x22StartDate\\x22:\\x222026-11-24T12:00:00Z\\x22",
    "1e99999999999",
    "\\x22Target\\x22:{\\x22Input\\x22:\\x22{}\\x22}"
  })
  void eventbridge(@NotNull String text) throws Exception {
    check(text, () -> EventBridgeSchedules.read(text, SETTINGS));
  }

  @FuzzTest
  @DictionaryEntries({
    "{\\x22schedules\\x22:[{\\x22scheduleId\\x22:\\x22a\\x22,",
    "\\x22schedule\\x22:{\\x22spec\\x22:{",
    "\\x22interval\\x22:\\x223600s\\x22",
    "\\x22structuredCalendar\\x22:[{\\x22hour\\x22:[{\\x22start\\x22:9,\\x22end\\x22:17,\\x22step\\x22:2}]}]",
    "\\x22phase\\x22:\\x221s\\x22",
    "\\x22jitter\\x22:\\x2210s\\x22",
    "\\x22timezoneName\\x22:\\x22Europe/Berlin\\x22",
    "\\x22startTime\\x22:\\x222026-11-24T12:00:00Z\\x22",
    "\\x22policies\\x22:{\\x22overlapPolicy\\x22:\\x22SCHEDULE_OVERLAP_POLICY_SKIP\\x22,\\x22catchupWindow\\x22:\\x2260s\\x22}",
    "\\x22state\\x22:{\\x22paused\\x22:true,\\x22notes\\x22:\\x22n\\x22}",
    "\\x22cronString\\x22:[\\x220 9 * * *\\x22]",
    "\\x22excludeCalendar\\x22:[",
    "1e99999999999"
  })
  void temporal(@NotNull String text) throws Exception {
    check(text, () -> TemporalSchedules.read(text, SETTINGS));
  }

  @FuzzTest
  @DictionaryEntries({
    "[{\\x22id\\x22:\\x22a\\x22,\\x22jobSignature\\x22:\\x22b.c()\\x22,",
    "\\x22scheduleExpression\\x22:\\x220 9 * * *\\x22",
    "\\x22PT10S\\x22",
    "\\x22zoneId\\x22:\\x22Europe/Berlin\\x22",
    "\\x22createdAt\\x22:\\x222026-11-24T12:00:00Z\\x22",
    "\\x22jobDetails\\x22:{",
    "1e99999999999"
  })
  void jobrunr(@NotNull String text) throws Exception {
    check(text, () -> JobRunrJobs.read(text, SETTINGS));
  }

  /** Sources of Java: whatever is between, before and after annotations. */
  @FuzzTest
  @DictionaryEntries({
    "@Scheduled(cron = \\x220 0 9 * * *\\x22, zone = \\x22Europe/Berlin\\x22)\\x0avoid a() {}",
    "@Scheduled(fixedRate = 5_000)",
    "@Scheduled(fixedDelayString = \\x22${d:PT5S}\\x22)",
    "@Schedules({",
    "/* ",
    " */",
    "//",
    "\\x22\\x22\\x22",
    "\\x5cu0022",
    "timeUnit = TimeUnit.MINUTES",
    "1000 * 60",
    "@A(b = @C(\\x22d\\x22))",
    "initialDelay = 1"
  })
  void spring(@NotNull String text) throws Exception {
    for (ScheduledMethods.Found found :
        Claims.bounded(text.length(), () -> ScheduledMethods.in(text))) {
      assertThat(found.line()).isPositive().isLessThanOrEqualTo(text.length() + 1);
      assertThat(found.attributes()).doesNotContainKey("");
    }
  }

  /** The files of an application of Spring: each form gets the whole text. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/spring.dict")
  void spring_files(@NotNull String text) throws Exception {
    Path folder = Files.createTempDirectory("spring");
    List<Path> files = new ArrayList<>();
    try {
      for (String name : List.of("tasks.json", "named.properties")) {
        files.add(Files.writeString(folder.resolve(name), text));
        check(text, () -> SpringSchedules.read(folder.resolve(name), SETTINGS));
      }
      for (String name : List.of("application.properties", "application.yml", "A.java", "B.kt")) {
        files.add(Files.writeString(folder.resolve(name), text));
      }
      check(text.repeat(files.size()), () -> SpringSchedules.read(folder, SETTINGS));
    } finally {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }

  /** The data of a job in a table of Quartz: values, or a note for people. */
  @FuzzTest
  @DictionaryEntries({"a=b\\x0a", "\\x5cu00", "\\xac\\xed\\x00\\x05", "#", "!", ":"})
  void quartz_data(byte @NotNull [] blob) throws Exception {
    JobData data = new JobData(new LinkedHashMap<>(), new ArrayList<>());
    Claims.bounded(
        blob.length,
        () -> {
          QuartzTables.read(blob, data);
          return data;
        });
    assertThat(data.notes()).noneMatch(String::isBlank).hasSizeLessThan(2);
    assertThat(data.values().isEmpty() || data.notes().isEmpty()).isTrue();
  }

  /** Each second byte may be a schedule, whose rules cost as much as those of a long one. */
  private static void check(String text, Callable<Moving> reader) throws Exception {
    Moving moved;
    try {
      moved = Claims.bounded(10 * text.length(), reader);
    } catch (BrokenSourceException e) {
      Claims.rejected(e);
      return;
    }
    assertThat(moved.schedules().stream().map(MovedSchedule::id)).doesNotHaveDuplicates();
    for (MovedSchedule schedule : moved.schedules()) {
      assertThat(ScheduleId.parse(schedule.id()).value()).startsWith("moved/");
      assertThat(ScheduleJson.read(schedule.form(), SETTINGS.zone()).problems()).isEmpty();
    }
    assertThat(moved.leftBehind()).allMatch(left -> !left.why().isBlank());
    assertThat(reader.call()).isEqualTo(moved);
  }
}
