package io.waterclock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.bench.run.Json;
import io.waterclock.bench.run.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  private static String printed(Report report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    report.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_figure_stands_beside_its_baseline_and_their_ratio() {
    Report report = new Report("worker");
    report.add("rate", 12_345.6, 6_172.8, "fires/s");

    assertThat(printed(report))
        .containsPattern("Waterclock +baseline +ratio")
        .containsPattern("rate, fires/s +12,346 +6,173 +2\\.00");
  }

  @Test
  void words_and_a_baseline_of_zero_have_no_ratio() {
    Report report = new Report("worker");
    report.add("fires", 3, 0, "fires");
    report.add("CPU", List.of("1 s", "2 s"));
    report.add("replay", List.of(1.5, Report.NONE), "s");

    assertThat(printed(report).lines())
        .anyMatch(line -> line.matches("  fires, fires +3\\.00 +0\\.00"))
        .anyMatch(line -> line.matches("  CPU +1 s +2 s"))
        .anyMatch(line -> line.matches("  replay, s +1\\.50 +-"));
  }

  @Test
  void a_report_of_several_columns_has_no_ratio_and_marks_what_is_absent() {
    Report report = new Report("recovery", new Options(), List.of("a", "b"));
    report.each("back", List.of(4, 0), s -> s == 0 ? Optional.empty() : Optional.of(s / 2.0), "s");

    assertThat(printed(report)).doesNotContain("ratio").containsPattern("back, s +2\\.00 +-");
  }

  @Test
  void json_has_the_figures_by_column_with_their_unit(@TempDir Path dir) {
    Report report = new Report("worker");
    report.with("rounds", "5");
    report.add("rate", 2.0, 1.0, "fires/s");
    report.writeJson(Optional.of(dir.resolve("new/worker.json")));

    JsonNode json = Json.read(dir.resolve("new/worker.json"));
    assertThat(json.path("title").asText()).isEqualTo("worker");
    assertThat(json.path("configuration").path("rounds").asText()).isEqualTo("5");
    JsonNode rate = json.path("figures").path("rate");
    assertThat(rate.path("waterclock").asDouble()).isEqualTo(2.0);
    assertThat(rate.path("baseline").asDouble()).isEqualTo(1.0);
    assertThat(rate.path("unit").asText()).isEqualTo("fires/s");
  }
}
