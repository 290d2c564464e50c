package io.waterclock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.bench.report.Verdict.Bound;
import io.waterclock.bench.report.Verdict.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TargetsTest {
  private static final String PEERS =
      """
      {"figures": {
        "schedules survive its end":
          {"waterclock": "yes", "ram": "no", "slow": "yes", "quick": "yes", "lost": "yes"},
        "schedules survive the machine's end":
          {"waterclock": "no", "ram": "no", "slow": "yes", "quick": "no", "lost": "yes"},
        "herd, size": {"waterclock": 1000000.0, "quick": 1000000.0},
        "lateness, p99": {"waterclock": 30.0, "ram": 1.0, "slow": 90.0, "quick": 40.0, "lost": "void"},
        "herd, rate, due to last":
          {"waterclock": 72000.0, "ram": 99999.0, "slow": 500.0, "quick": 8000.0, "lost": "void"}}}
      """;

  @Test
  void a_figure_on_its_limit_meets_at_most_and_at_least_but_is_not_below() {
    assertThat(verdict(Bound.AT_MOST).outcome()).isEqualTo(Outcome.MET);
    assertThat(verdict(Bound.AT_LEAST).outcome()).isEqualTo(Outcome.MET);
    assertThat(verdict(Bound.BELOW).outcome()).isEqualTo(Outcome.MISSED);
  }

  private static Verdict verdict(Bound bound) {
    return new Verdict("t", Optional.of(10.0), bound, Optional.of(10.0), "ms");
  }

  @Test
  void without_any_part_every_verdict_is_open() {
    assertThat(new Targets(Map.of()).verdicts())
        .isNotEmpty()
        .allMatch(verdict -> verdict.outcome() == Outcome.UNKNOWN);
  }

  @Test
  void only_peers_that_keep_their_schedules_count_and_void_runs_do_not() {
    List<Verdict> verdicts =
        new Targets(
                Map.of(
                    Targets.PEERS,
                    json(PEERS),
                    Targets.HERD,
                    json(
                        """
                        {"configuration": {"schedules": "1,000,000"}, "figures": {
                          "to define each schedule":
                            {"waterclock": 15.0, "baseline": 13.0, "unit": "us"},
                          "rate, due to last visible":
                            {"waterclock": 72000.0, "baseline": 100000.0, "unit": "fires/s"}}}
                        """)))
            .verdicts();

    assertThat(
            of(
                    verdicts,
                    "p99 beside the most punctual peer with a database, quick (void or failed: lost)")
                .limit())
        .contains(40.0);
    assertThat(of(verdicts, "p99 beside the most").outcome()).isEqualTo(Outcome.MET);
    assertThat(of(verdicts, "beside the quickest peer with a database, quick").figure())
        .contains(9.0);
    assertThat(of(verdicts, "that waits for the disk, slow").figure()).contains(144.0);
    assertThat(of(verdicts, "herd of 1,000,000, rate beside a plain").figure()).contains(0.72);
    assertThat(of(verdicts, "herd of 1,000,000, rate beside a plain").outcome())
        .isEqualTo(Outcome.MISSED);
    assertThat(of(verdicts, "to define a schedule").outcome()).isEqualTo(Outcome.MET);
  }

  @Test
  void beside_a_peer_that_could_not_be_measured_verdicts_are_open() {
    String failed = PEERS.replace("\"void\"", "\"failed\"");

    List<Verdict> verdicts = verdicts(Targets.PEERS, failed);

    assertThat(of(verdicts, "beside the quickest peer").outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(of(verdicts, "p99 beside the most").outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void at_another_size_than_its_own_a_target_is_open() {
    List<Verdict> verdicts =
        new Targets(
                Map.of(
                    Targets.PEERS,
                    json(PEERS.replace("1000000.0", "20000.0")),
                    Targets.CATCH_UP,
                    json(
                        """
                        {"configuration": {"missed": "100,000"},
                         "figures": {"p99": {"waterclock": 30.0, "baseline": 20.0}}}
                        """),
                    Targets.HERD,
                    json(
                        """
                        {"configuration": {"schedules": "200,000"}, "figures": {
                          "rate, due to last visible":
                            {"waterclock": 72000.0, "baseline": 80000.0, "unit": "fires/s"}}}
                        """)))
            .verdicts();

    assertThat(verdicts)
        .filteredOn(verdict -> verdict.outcome() != Outcome.UNKNOWN)
        .extracting(Verdict::target)
        .allMatch(target -> target.startsWith("p99 beside"));
  }

  @Test
  void a_million_idle_schedules_are_judged_and_the_tick_at_the_largest_size() {
    List<Verdict> verdicts =
        verdicts(
            Targets.IDLE,
            """
            {"figures": {
              "CPU":
                {"0": 1.0, "10,000": 1.0, "1,000,000": 4.0, "10,000,000": 9.0,
                 "unit": "%"},
              "a tick with nothing due":
                {"0": 9.0, "10,000": 8.0, "1,000,000": 9.0, "10,000,000": 10.0,
                 "unit": "us"}}}
            """);

    assertThat(of(verdicts, "1,000,000 waiting, CPU").outcome()).isEqualTo(Outcome.MISSED);
    assertThat(of(verdicts, "a tick at 10,000,000 beside one at 10,000").figure()).contains(1.25);
  }

  @Test
  void a_part_that_failed_is_reported_and_makes_the_run_incomplete() {
    Map<String, Integer> exits = new LinkedHashMap<>(Map.of("herd", 0));
    exits.put("peers", 1);
    Summary summary =
        new Summary(exits, Map.of(), List.of(verdict(Bound.BELOW)), Duration.ofMinutes(3));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    summary.print(new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(summary.isWhole()).isFalse();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("FAILED  peers, exit code 1")
        .doesNotContain("FAILED  herd")
        .containsPattern("missed +t +10 ms +wanted: below 10 ms");
  }

  @Test
  void survivors_of_a_crash_are_judged_in_milliseconds() {
    List<Verdict> verdicts =
        verdicts(
            Targets.RECOVERY,
            """
            {"configuration": {"schedules": "1,000,000"}, "figures": {
              "visible again, after the later of both":
                {"killed, no standby": 3.1, "killed, restarted alone": 1.6, "unit": "s"},
              "lateness of the other's partitions, max":
                {"killed, no standby": 501.0, "killed, restarted alone": "-",
                 "unit": "ms"}}}
            """);

    assertThat(of(verdicts, "no standby: visible").outcome()).isEqualTo(Outcome.MET);
    assertThat(of(verdicts, "restarted alone: visible").outcome()).isEqualTo(Outcome.MISSED);
    assertThat(of(verdicts, "lateness of the other's").outcome()).isEqualTo(Outcome.MISSED);
  }

  private static List<Verdict> verdicts(String part, String text) {
    return new Targets(Map.of(part, json(text))).verdicts();
  }

  private static Verdict of(List<Verdict> verdicts, String part) {
    return verdicts.stream()
        .filter(verdict -> verdict.target().contains(part))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
