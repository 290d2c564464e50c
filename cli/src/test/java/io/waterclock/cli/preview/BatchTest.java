package io.waterclock.cli.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waterclock.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Path SAMPLE = Path.of("../../shared/data/cron-sample.tsv");

  @Test
  void the_line_comes_back_with_ten_strictly_later_instants() {
    assertThat(batch("0 0 1 1 *\tUTC\t2026-01-01T00:00:00Z"))
        .containsExactly(
            "0 0 1 1 *\tUTC\t2026-01-01T00:00:00Z\t"
                + "2027-01-01T00:00:00Z,2028-01-01T00:00:00Z,2029-01-01T00:00:00Z,"
                + "2030-01-01T00:00:00Z,2031-01-01T00:00:00Z,2032-01-01T00:00:00Z,"
                + "2033-01-01T00:00:00Z,2034-01-01T00:00:00Z,2035-01-01T00:00:00Z,"
                + "2036-01-01T00:00:00Z");
  }

  @Test
  void end_follows_the_last_instant_when_there_are_fewer_than_ten() {
    assertThat(batch("0 0 1 1 *\tUTC\t9998-06-01T00:00:00Z"))
        .containsExactly("0 0 1 1 *\tUTC\t9998-06-01T00:00:00Z\t9999-01-01T00:00:00Z,END");
  }

  @Test
  void what_never_occurs_is_end_alone() {
    assertThat(batch("0 0 30 2 *\tUTC\t2026-01-01T00:00:00Z"))
        .containsExactly("0 0 30 2 *\tUTC\t2026-01-01T00:00:00Z\tEND");
  }

  @Test
  void one_bad_line_never_stops_the_others() {
    List<String> lines =
        batch(
            "61 * * * *\tUTC\t2026-01-01T00:00:00Z",
            "* * * * *\tEurope/Nowhere\t2026-01-01T00:00:00Z",
            "* * * * *\tUTC\tnow",
            "* * * * *",
            "",
            "# a comment",
            "* * * * *\tUTC\t2026-01-01T00:00:00Z\tmore",
            "* * * * *\tUTC\t2026-01-01T00:00:00Z");
    assertThat(lines).hasSize(8);
    assertThat(lines.subList(0, 7)).allMatch(line -> line.contains("\tERR:"));
    assertThat(lines.get(0)).startsWith("61 * * * *\tUTC\t2026-01-01T00:00:00Z\tERR:cron: minute");
    assertThat(lines.get(7)).contains("\t2026-01-01T00:01:00Z,");
  }

  @Test
  void a_reason_is_one_column_whatever_the_line_holds() {
    assertThat(batch("* * * * *\tbad\u0007zone\t2026-01-01T00:00:00Z"))
        .singleElement()
        .satisfies(line -> assertThat(line.substring(line.indexOf("ERR:"))).matches("\\P{Cntrl}+"));
  }

  @Test
  void the_sample_of_other_libraries_is_met() throws IOException {
    assumeTrue(Files.exists(SAMPLE), "the sample is not next to this checkout");
    List<String> cases =
        Files.readAllLines(SAMPLE).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.substring(line.indexOf('\t') + 1))
            .toList();
    assertThat(cases).isNotEmpty();
    String[] questions =
        cases.stream()
            .map(line -> line.substring(0, line.lastIndexOf('\t')))
            .toArray(String[]::new);
    assertThat(batch(questions)).isEqualTo(cases);
  }

  @Test
  void expressions_of_other_dialects_are_read_in_a_batch_and_in_a_flag() {
    assertThat(batch("@every 6h\tUTC\t2026-01-01T00:00:00Z").get(0))
        .contains("\t2026-01-01T06:00:00Z,2026-01-01T12:00:00Z,");
    assertThat(batch("TZ=Asia/Tokyo 0 9 * * *\tAsia/Tokyo\t2026-01-01T00:00:00Z").get(0))
        .contains("\t2026-01-02T00:00:00Z,");
    assertThat(batch("TZ=Asia/Tokyo 0 9 * * *\tUTC\t2026-01-01T00:00:00Z").get(0))
        .contains("ERR:cron: ")
        .contains("use that field alone");
    CliRun flag = CliRun.of("next", "--cron", "CRON_TZ=Asia/Tokyo 0 9 * * *", "--count", "1");
    assertThat(flag.lines()).containsExactly("2026-11-22T00:00:00Z");
  }

  @Test
  void answers_that_are_not_written_whole_are_a_failure() {
    CliRun run =
        CliRun.onFullDisk("* * * * *\tUTC\t2026-01-01T00:00:00Z\n", "next", "--batch", "-");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("not written whole");
  }

  private static List<String> batch(String... lines) {
    CliRun run = CliRun.withInput(String.join("\n", lines) + "\n", "next", "--batch", "-");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    return run.lines();
  }
}
