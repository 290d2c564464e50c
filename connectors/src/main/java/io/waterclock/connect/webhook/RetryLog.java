package io.waterclock.connect.webhook;

import io.waterclock.connect.rules.UrlPattern;
import io.waterclock.schemas.log.SafeLogger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Logs retries of requests: one line a minute for each server, however many fires wait for it.
 * Thread-safe.
 */
final class RetryLog {
  private static final Logger LOG = SafeLogger.of(RetryLog.class);
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Map<String, Instant> logged = new ConcurrentHashMap<>();

  void again(URI url, Delivery delivery, String reason, Instant now) {
    String server = UrlPattern.origin(url);
    boolean isDue =
        logged
            .compute(
                server,
                (key, last) -> last == null || !now.isBefore(last.plus(SILENCE)) ? now : last)
            .equals(now);
    if (isDue) {
      LOG.warn(
          "The connector retries requests to {}; attempt {} for {}: {}",
          server,
          delivery.attempts(),
          delivery.fireKey(),
          reason);
    } else {
      LOG.debug("The connector retries {}: {}", delivery.fireKey(), reason);
    }
  }
}
