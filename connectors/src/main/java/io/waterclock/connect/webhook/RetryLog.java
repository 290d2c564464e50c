package io.waterclock.connect.webhook;

import io.waterclock.connect.rules.UrlPattern;
import io.waterclock.schemas.log.SafeLogger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;

/**
 * Logs retries of requests: one line a minute for each server, however many fires wait for it, and
 * for a bounded number of servers. Thread-safe.
 */
final class RetryLog {
  private static final Logger LOG = SafeLogger.of(RetryLog.class);
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private static final int MOST_SERVERS = 1_000;

  /** The servers with a line in the last minute, the oldest line first. */
  private final Map<String, Instant> logged = new LinkedHashMap<>();

  void again(URI url, Delivery delivery, String reason, Instant now) {
    String server = UrlPattern.origin(url);
    if (isDue(server, now)) {
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

  /** Whether a line for a server is due at an instant, and is written then. */
  synchronized boolean isDue(String server, Instant now) {
    Instant last = logged.get(server);
    if (last != null && now.isBefore(last.plus(SILENCE))) {
      return false;
    }
    logged.remove(server);
    if (logged.size() == MOST_SERVERS) {
      Iterator<Instant> oldest = logged.values().iterator();
      if (now.isBefore(oldest.next().plus(SILENCE))) {
        return false;
      }
      oldest.remove();
    }
    logged.put(server, now);
    return true;
  }
}
