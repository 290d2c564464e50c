package io.waterclock.cli.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
  @Test
  void words_occurrences_and_clock_changes() {
    CliRun run = CliRun.of("explain", "--cron=30 2 * * *", "--zone=Europe/Berlin");
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .startsWith("At 02:30 every day, Europe/Berlin.", "")
        .contains("Sun 2026-11-22 02:30:00  +01:00 CET  2026-11-22T01:30:00Z  in 15 h 30 min")
        .endsWith(
            "Clock changes that affect it within a year:",
            "  Sun 2027-03-28, 02:00 becomes 03:00: 02:30 does not exist, so it occurs once at 03:00",
            "  Sun 2027-10-31, 03:00 becomes 02:00: 02:30 occurs twice, only the first time counts");
  }

  @Test
  void an_h_of_jenkins_is_the_minute_that_the_id_gets() {
    CliRun run =
        CliRun.of("explain", "--cron=H H(0-7) * * *", "--dialect=jenkins", "--for=billing/report");
    assertThat(run.lines()).startsWith("At 05:32 every day, UTC.");

    CliRun nameless = CliRun.of("explain", "--cron=@daily", "--dialect=jenkins");
    assertThat(nameless.exitCode()).isEqualTo(1);
    assertThat(nameless.err())
        .contains("H gets its value from the schedule's id; name it with --for");
  }

  @Test
  void a_trigger_that_no_clock_change_affects_says_so() {
    assertThat(CliRun.of("explain", "--cron=0 9 * * 1-5", "--zone=Europe/Berlin").lines())
        .startsWith("At 09:00 on Monday to Friday, Europe/Berlin.")
        .endsWith("No clock change affects it within a year.");
    assertThat(CliRun.of("explain", "--every=90m").lines())
        .startsWith(
            "Every 90 minutes from 2026-11-21 10:00 on, independently of the wall clock, UTC.")
        .contains("Sat 2026-11-21 11:30:00  +00:00 UTC  2026-11-21T11:30:00Z  in 1 h 30 min");
    assertThat(CliRun.of("explain", "--at=2020-01-01T00:00:00Z").lines())
        .contains("There is no occurrence after 2026-11-21T10:00:00Z.");
  }

  @Test
  void programs_get_json() throws Exception {
    CliRun run = CliRun.of("explain", "--cron=30 2 * * *", "--zone=Europe/Berlin", "--json");
    JsonNode tree = new ObjectMapper().readTree(run.out());
    assertThat(tree.get("description").asText()).startsWith("At 02:30");
    assertThat(tree.get("zone").asText()).isEqualTo("Europe/Berlin");
    assertThat(tree.get("next")).hasSize(5);
    assertThat(tree.at("/next/0").asText()).isEqualTo("2026-11-22T01:30:00Z");
    assertThat(tree.at("/changes_of_clocks/0/at").asText()).isEqualTo("2027-03-28T01:00:00Z");
    assertThat(tree.at("/changes_of_clocks/0/effect").asText()).isEqualTo("moved");
    assertThat(tree.at("/changes_of_clocks/1/effect").asText()).isEqualTo("first_pass");
  }

  @Test
  void a_language_of_cron_utils_is_shown_where_it_reads_the_expression_alike() throws Exception {
    String[] german = {"explain", "--cron=0 9 * * 1-5", "--zone=Europe/Berlin", "--language=de"};
    CliRun run = CliRun.of(german);
    assertThat(run.lines())
        .startsWith("Um 09:00 jede Tag zwischen Montag und Freitag, Europe/Berlin.")
        .endsWith("No clock change affects it within a year.");
    assertThat(run.err()).isEmpty();
    CliRun other = CliRun.of("explain", "--cron=0 0 */2 * 3", "--language=de");
    assertThat(other.out()).startsWith("At 00:00 on");
    assertThat(other.err()).contains("no words in de: cron-utils");
    JsonNode tree =
        new ObjectMapper()
            .readTree(CliRun.of("explain", "--every=5m", "--language=fr", "--json").out());
    assertThat(tree.get("language").asText()).isEqualTo("en");
    assertThat(CliRun.of("explain", "--cron=0 9 * * *", "--language=en").lines())
        .startsWith("At 09:00 every day, UTC.");
    CliRun unknown = CliRun.of("explain", "--cron=0 9 * * *", "--language=xx");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("--language must be one of de, el", "not \"xx\"");
  }

  @Test
  void what_never_occurs_or_cannot_be_is_refused() {
    CliRun never = CliRun.of("explain", "--cron=0 0 30 2 *");
    assertThat(never.exitCode()).isEqualTo(1);
    assertThat(never.err()).contains("cron: \"0 0 30 2 *\" names no day of any year");
    CliRun rule = CliRun.of("explain", "--rrule=FREQ=DAILY;UNTIL=20200101");
    assertThat(rule.exitCode()).isEqualTo(1);
    assertThat(rule.err()).contains("never occurs");
    assertThat(CliRun.of("explain").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("explain", "an-id", "--every=5m").exitCode()).isEqualTo(2);
  }
}
