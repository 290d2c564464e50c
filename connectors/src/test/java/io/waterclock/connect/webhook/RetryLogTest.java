package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RetryLogTest {
  private static final Instant NINE = Instant.parse("2026-11-24T09:00:00Z");

  private final RetryLog log = new RetryLog();

  @Test
  void a_server_has_a_line_a_minute() {
    assertThat(log.isDue("https://a.example.com", NINE)).isTrue();
    assertThat(log.isDue("https://a.example.com", NINE.plusSeconds(59))).isFalse();
    assertThat(log.isDue("https://b.example.com", NINE.plusSeconds(59))).isTrue();
    assertThat(log.isDue("https://a.example.com", NINE.plusSeconds(60))).isTrue();
  }

  /** A pattern of allowed URLs may permit any number of hosts. */
  @Test
  void of_servers_without_number_a_thousand_have_a_line_in_a_minute() {
    Instant soon = NINE.plusSeconds(30);
    assertThat(lines(0, 600, NINE)).isEqualTo(600);
    assertThat(lines(600, 5_000, soon)).isEqualTo(400);
    assertThat(lines(0, 5_000, soon)).as("again").isZero();
    assertThat(lines(4_000, 5_000, NINE.plusSeconds(60))).isEqualTo(600);
  }

  private long lines(int from, int to, Instant at) {
    return IntStream.range(from, to)
        .filter(i -> log.isDue("https://h" + i + ".example.com", at))
        .count();
  }
}
