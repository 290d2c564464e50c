package io.waterclock.bench.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the table "What other schedulers do" of docs/time.md says about the libraries that run here:
 * when one of them changes its mind, so must the page.
 */
class OtherSchedulersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # at a fixed time in a gap
          WATERCLOCK | 30 2 * * *     | Europe/Berlin | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z 2026-03-30T00:30:00Z
          CRON_UTILS | 0 30 2 * * *   | Europe/Berlin | 2026-03-28T12:00:00Z | 2026-03-30T00:30:00Z 2026-03-31T00:30:00Z
          SPRING     | 0 30 2 * * *   | Europe/Berlin | 2026-03-28T12:00:00Z | 2026-03-30T00:30:00Z 2026-03-31T00:30:00Z
          QUARTZ     | 0 30 2 * * ?   | Europe/Berlin | 2026-03-28T12:00:00Z | 2026-03-30T00:30:00Z 2026-03-31T00:30:00Z
          # at a fixed time in an overlap
          WATERCLOCK | 30 2 * * *     | Europe/Berlin | 2026-10-24T12:00:00Z | 2026-10-25T00:30:00Z 2026-10-26T01:30:00Z
          CRON_UTILS | 0 30 2 * * *   | Europe/Berlin | 2026-10-24T12:00:00Z | 2026-10-25T00:30:00Z 2026-10-26T01:30:00Z
          SPRING     | 0 30 2 * * *   | Europe/Berlin | 2026-10-24T12:00:00Z | 2026-10-25T00:30:00Z 2026-10-25T01:30:00Z
          QUARTZ     | 0 30 2 * * ?   | Europe/Berlin | 2026-10-24T12:00:00Z | 2026-10-25T01:30:00Z 2026-10-26T01:30:00Z
          # every half hour through an overlap
          WATERCLOCK | */30 * * * *   | Europe/Berlin | 2026-10-24T23:45:00Z | 2026-10-25T00:00:00Z 2026-10-25T00:30:00Z 2026-10-25T01:00:00Z
          CRON_UTILS | 0 */30 * * * * | Europe/Berlin | 2026-10-24T23:45:00Z | 2026-10-25T00:00:00Z 2026-10-25T00:30:00Z 2026-10-25T01:00:00Z
          SPRING     | 0 */30 * * * * | Europe/Berlin | 2026-10-24T23:45:00Z | 2026-10-25T00:00:00Z 2026-10-25T00:30:00Z 2026-10-25T01:00:00Z
          QUARTZ     | 0 */30 * * * ? | Europe/Berlin | 2026-10-24T23:45:00Z | 2026-10-25T01:00:00Z 2026-10-25T01:30:00Z 2026-10-25T02:00:00Z
          # daily at a midnight that the clock leaves out
          WATERCLOCK | 0 0 * * *      | Africa/Cairo  | 2024-04-25T12:00:00Z | 2024-04-25T22:00:00Z 2024-04-26T21:00:00Z
          CRON_UTILS | 0 0 0 * * *    | Africa/Cairo  | 2024-04-25T12:00:00Z | 2024-04-26T21:00:00Z 2024-04-27T21:00:00Z
          SPRING     | 0 0 0 * * *    | Africa/Cairo  | 2024-04-25T12:00:00Z | 2024-04-26T21:00:00Z 2024-04-27T21:00:00Z
          QUARTZ     | 0 0 0 * * ?    | Africa/Cairo  | 2024-04-25T12:00:00Z | 2024-04-26T21:00:00Z 2024-04-27T21:00:00Z
          # the first of the month after such a midnight
          WATERCLOCK | 0 0 1 * *      | Africa/Cairo  | 2024-04-26T00:00:00Z | 2024-04-30T21:00:00Z 2024-05-31T21:00:00Z
          CRON_UTILS | 0 0 0 1 * *    | Africa/Cairo  | 2024-04-26T00:00:00Z | 2024-05-31T21:00:00Z 2024-06-30T21:00:00Z
          SPRING     | 0 0 0 1 * *    | Africa/Cairo  | 2024-04-26T00:00:00Z | 2024-04-30T21:00:00Z 2024-05-31T21:00:00Z
          QUARTZ     | 0 0 0 1 * ?    | Africa/Cairo  | 2024-04-26T00:00:00Z | 2024-04-30T21:00:00Z 2024-05-31T21:00:00Z
          # the 13th and Fridays
          WATERCLOCK | 0 0 13 * 5     | UTC           | 2026-02-01T00:00:00Z | 2026-02-06T00:00:00Z 2026-02-13T00:00:00Z
          CRON_UTILS | 0 0 0 13 * FRI | UTC           | 2026-02-01T00:00:00Z | 2026-02-13T00:00:00Z 2026-03-13T00:00:00Z
          SPRING     | 0 0 0 13 * FRI | UTC           | 2026-02-01T00:00:00Z | 2026-02-13T00:00:00Z 2026-03-13T00:00:00Z
          # 30 February
          CRON_UTILS | 0 0 0 30 2 *   | UTC           | 2026-01-01T00:00:00Z | none
          SPRING     | 0 0 0 30 2 *   | UTC           | 2026-01-01T00:00:00Z | none
          QUARTZ     | 0 0 0 30 2 ?   | UTC           | 2026-01-01T00:00:00Z | none
          """)
  void a_library_does_what_the_page_says(
      Library library, String expression, ZoneId zone, Instant after, String expected) {
    Library.NextSearch<?> search = library.search(expression, zone, List.of());
    List<String> found = new ArrayList<>();
    Optional<Instant> next = search.after(after);
    while (next.isPresent() && found.size() < expected.split(" ").length) {
      found.add(next.get().toString());
      next = search.after(next.get());
    }
    assertThat(found.isEmpty() ? "none" : String.join(" ", found)).isEqualTo(expected);
  }
}
