package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
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
  void of_servers_without_number_it_remembers_the_newest() {
    for (int i = 0; i < 5_000; i++) {
      log.isDue("https://h" + i + ".example.com", NINE);
    }
    assertThat(log.isDue("https://h4000.example.com", NINE)).isFalse();
    assertThat(log.isDue("https://h3999.example.com", NINE)).as("it is forgotten").isTrue();
  }
}
