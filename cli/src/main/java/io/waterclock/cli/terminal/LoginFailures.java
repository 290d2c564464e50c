package io.waterclock.cli.terminal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.waterclock.schemas.brokers.RootCause;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Keeps why a callback handler of a user got no token: Kafka's login module only logs that, with
 * its trace, and throws an exception without it. Thread-safe.
 */
public final class LoginFailures extends TurboFilter {
  private static final String MODULE =
      "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule";
  private static final String LOST =
      "An internal error occurred while retrieving token from callback handler";
  private static final AtomicReference<@Nullable String> NEWEST = new AtomicReference<>();

  /** A sentence with the reason of the newest failed login in the place of Kafka's words for it. */
  public static String explain(String sentence) {
    String reason = NEWEST.get();
    return reason == null
        ? sentence
        : sentence.replace(LOST, "its callback handler got no token: " + reason);
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] params,
      @Nullable Throwable failure) {
    if (failure == null || !logger.getName().equals(MODULE)) {
      return FilterReply.NEUTRAL;
    }
    String reason = RootCause.of(failure);
    NEWEST.set(reason);
    if (logger
        .isWarnEnabled()) { // a server, which logs in again and again; commands print failures
      logger.error("No token for the login at Kafka: {}", reason);
    }
    return FilterReply.DENY;
  }
}
