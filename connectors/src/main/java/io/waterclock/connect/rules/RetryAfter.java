package io.waterclock.connect.rules;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The header {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or a date. */
final class RetryAfter {
  private RetryAfter() {}

  /** How long to wait; zero for a date in the past, empty for an invalid value. */
  static Optional<Duration> parse(String header, Instant now) {
    String text = header.strip();
    if (text.matches("\\d{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
    try {
      Instant at = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
      return Optional.of(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
