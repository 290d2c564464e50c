package io.waterclock.connect.rules;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Decides whether and when the connector retries a fire.
 *
 * <p>2xx is success. The connector retries after results that may be temporary: no answer, 408,
 * 425, 429 and 5xx except 501 and 505. All others are final: the request or its address is wrong.
 * The backoff doubles each time. The connector waits a random time between half of it and all of it
 * ("equal jitter"), and never less than {@code Retry-After}. Immutable.
 *
 * @param firstPause the backoff before the second attempt
 */
public record RetryRule(Duration firstPause, Duration longestPause) {
  private static final Set<Integer> TEMPORARY = Set.of(408, 425, 429);
  private static final Set<Integer> FINAL = Set.of(501, 505);
  private static final int MAX_SHIFT = 30;

  /**
   * @param attempt the number of the finished attempt, from 1
   * @param deadline the connector starts no attempt after it
   */
  public DeliveryDecision after(
      HttpResult result, int attempt, Instant now, Instant deadline, RandomGenerator random) {
    if (result instanceof HttpResult.None none) {
      return none.temporary()
          ? again(none.reason(), attempt, now.plus(backoff(attempt, random)), deadline)
          : new DeliveryDecision.GivenUp(none.reason());
    }
    HttpResult.Status status = (HttpResult.Status) result;
    String body = status.shown();
    String shown = "HTTP " + status.code() + (body.isEmpty() ? "" : ": " + body);
    if (status.code() >= 200 && status.code() < 300) {
      return new DeliveryDecision.Delivered(shown);
    }
    if (status.code() >= 300 && status.code() < 400) {
      return new DeliveryDecision.GivenUp(
          shown + "; the connector does not follow redirects, set the final URL");
    }
    if (!isTemporary(status.code())) {
      return new DeliveryDecision.GivenUp(shown);
    }
    Optional<Duration> asked = status.retryAfter().flatMap(header -> retryAfter(header, now));
    Duration own = backoff(attempt, random);
    Instant at = now.plus(asked.filter(wait -> wait.compareTo(own) > 0).orElse(own));
    return again(shown, attempt, at, deadline);
  }

  private static boolean isTemporary(int code) {
    return TEMPORARY.contains(code) || (code >= 500 && !FINAL.contains(code));
  }

  private static DeliveryDecision again(String reason, int attempt, Instant at, Instant deadline) {
    return at.isAfter(deadline)
        ? new DeliveryDecision.GivenUp(
            "%s; given up after %s%s, because the next one would come after %s"
                .formatted(reason, attempt, attempt == 1 ? " attempt" : " attempts", deadline))
        : new DeliveryDecision.Again(at, reason);
  }

  private Duration backoff(int attempt, RandomGenerator random) {
    Duration doubled = firstPause.multipliedBy(1L << Math.min(attempt - 1, MAX_SHIFT));
    long nanos = (doubled.compareTo(longestPause) < 0 ? doubled : longestPause).toNanos();
    return Duration.ofNanos(nanos - (long) (random.nextDouble() * nanos / 2));
  }

  /**
   * How long to wait by the header {@code Retry-After} (RFC 9110, section 10.2.3), which has
   * seconds or a date; zero for a date in the past, empty for an invalid value.
   */
  static Optional<Duration> retryAfter(String header, Instant now) {
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
