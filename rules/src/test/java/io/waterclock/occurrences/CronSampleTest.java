package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases on which at least three independent libraries agree. The set beside the repository is
 * preferred, where there is one, over the copy in it.
 */
class CronSampleTest {

  private static final Path BESIDE = Path.of("..", "..", "shared", "data", "cron-sample.tsv");

  record Case(String kind, String expression, ZoneId zone, Instant start, String expected) {

    static Case of(String line) {
      String[] columns = line.split("\t");
      return new Case(
          columns[0], columns[1], ZoneId.of(columns[2]), Instant.parse(columns[3]), columns[4]);
    }

    @Override
    public String toString() {
      return expression + " in " + zone + " from " + start;
    }
  }

  static Stream<Case> agreed() {
    return cases().filter(c -> !c.expected.equals("END"));
  }

  static Stream<Case> never() {
    return cases().filter(c -> c.expected.equals("END"));
  }

  private static Stream<Case> cases() {
    return lines().stream().filter(line -> !line.startsWith("#")).map(Case::of);
  }

  private static List<String> lines() {
    try (InputStream copy = CronSampleTest.class.getResourceAsStream("/cron-sample.tsv")) {
      return Files.exists(BESIDE)
          ? Files.readAllLines(BESIDE)
          : new String(Objects.requireNonNull(copy).readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("agreed")
  void next_ten_occurrences_are_those_that_other_libraries_agree_on(Case c) {
    Cron cron = Cron.parse(c.expression, c.zone);
    List<String> found = new ArrayList<>();
    Instant t = c.start;
    for (int i = 0; i < 10; i++) {
      t = cron.nextAfter(t).orElseThrow();
      found.add(t.toString());
    }
    assertThat(String.join(",", found)).isEqualTo(c.expected);
  }

  @ParameterizedTest
  @MethodSource("agreed")
  void last_at_or_before_finds_the_same_occurrences_going_back(Case c) {
    Cron cron = Cron.parse(c.expression, c.zone);
    String[] expected = c.expected.split(",");
    Instant t = Instant.parse(expected[expected.length - 1]);
    for (int i = expected.length - 1; i >= 0; i--) {
      Instant found = cron.lastAtOrBefore(t).orElseThrow();
      assertThat(found).hasToString(expected[i]);
      assertThat(cron.count(c.start, found, Long.MAX_VALUE)).isEqualTo(new Count(i + 1L, true));
      assertThat(cron.nthAfter(c.start, i + 1L)).contains(found);
      t = found.minusNanos(1);
    }
  }

  @ParameterizedTest
  @MethodSource("never")
  void an_expression_that_never_occurs_is_rejected_when_defined(Case c) {
    assertThatThrownBy(() -> Cron.parse(c.expression, c.zone))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining(c.expression)
        .hasMessageContaining("names no day of any year");
  }
}
