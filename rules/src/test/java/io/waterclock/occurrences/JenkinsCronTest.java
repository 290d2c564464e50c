package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JenkinsCronTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /**
   * The minutes of stuff and junk are those of Jenkins' own tests; the others were computed apart.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stuff          | H * * * *        | 56 * * * *
          stuff          | H 17 * * *       | 56 17 * * *
          stuff          | H H(12-13) * * * | 56 13 * * *
          junk           | @hourly          | 20 * * * *
          nightly        | H H H H H        | 1 17 11 11 1
          billing/report | H H H H H        | 32 10 22 5 2
          folder/job     | h h h h h        | 16 15 25 8 1
          billing/report | H H(0-7) * * *   | 32 5 * * *
          billing/report | H/15 * * * *     | 2,17,32,47 * * * *
          folder/job     | H(0-29)/10 * * * * | 6,16,26 * * * *
          billing/report | @midnight        | 32 1 * * *
          billing/report | @weekly          | 32 10 * * 0
          billing/report | @daily           | 32 10 * * *
          billing/report | @monthly         | 32 10 22 * *
          billing/report | @yearly          | 32 10 22 5 *
          billing/report | H/1 9 * * *      | 32 9 * * *
          billing/report | 5,H 9 * * 1-5    | 5,32 9 * * 1-5
          billing/report | 0 9 * * 1-5      | 0 9 * * 1-5
          """)
  void an_id_gets_the_values_that_jenkins_gives_a_job_of_that_name(
      String id, String text, String spread) {
    assertThat(JenkinsCron.spread(text, id)).isEqualTo(spread);
    assertThat(Cron.parse(text, CronDialect.JENKINS, id, ZoneOffset.UTC))
        .isEqualTo(Cron.parse(spread, CronDialect.JENKINS, ZoneOffset.UTC));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          H(50-70) * * * * | minute: "H(50-70)" is out of range; this H has ranges from 0 to 59
          H(30-20) * * * * | minute: "H(30-20)" is out of range
          H/99 * * * *     | minute: "H/99" is out of range; this H has steps from 1 to 60
          H/0 * * * *      | this H has steps from 1 to 60
          0 H(0-4)/6 * * * | hour: "H(0-4)/6" is out of range; this H has steps from 1 to 5
          H(a-b) * * * *   | minute: "H(a-b)" is not part of the dialect jenkins
          HH * * * *       | minute: "HH" is not part of the dialect jenkins
          @often           | expected five fields, not 1
          H 0 30 2 *       | names no day of any year
          """)
  void an_h_that_jenkins_refuses_is_refused(String text, String problem) {
    assertThatThrownBy(() -> Cron.parse(text, CronDialect.JENKINS, "a", ZoneOffset.UTC))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("H 9 * * 1-5");
  }

  @Test
  void its_example_is_right_and_space_around_it_is_no_part_of_it() {
    String example = CronDialect.JENKINS.example();
    Trigger jenkins = Cron.parse(example, CronDialect.JENKINS, "stuff", ZoneOffset.UTC);
    assertThat(jenkins.nextAfter(START)).contains(Instant.parse("2026-01-01T09:56:00Z"));
    assertThat(Cron.parse("\r\n " + example + "\n", CronDialect.JENKINS, "stuff", ZoneOffset.UTC))
        .isEqualTo(jenkins);
  }

  @Test
  void a_day_must_match_both_day_fields() {
    Trigger both = Cron.parse("0 0 13 * 5", CronDialect.JENKINS, ZoneOffset.UTC);
    assertThat(both.nextAfter(START)).contains(Instant.parse("2026-02-13T00:00:00Z"));
    assertThat(both.nthAfter(START, 2)).contains(Instant.parse("2026-03-13T00:00:00Z"));
  }

  @Test
  void ten_thousand_nightly_jobs_spread_over_the_night_and_stay_a_day_apart() {
    Map<Instant, Integer> jobs = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      Trigger nightly =
          Cron.parse("H H(0-7) * * *", CronDialect.JENKINS, "job/" + i, ZoneOffset.UTC);
      Instant first = nightly.nextAfter(START).orElseThrow();
      assertThat(nightly.nextAfter(first)).contains(first.plus(Duration.ofDays(1)));
      jobs.merge(first, 1, Integer::sum);
    }
    // 480 minutes, 21 jobs each on average
    assertThat(jobs).hasSize(480);
    assertThat(jobs.values()).allMatch(count -> count < 50);
  }
}
