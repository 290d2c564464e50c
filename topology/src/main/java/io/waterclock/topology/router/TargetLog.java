package io.waterclock.topology.router;

import io.waterclock.schemas.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Says in the log when fires of a target begin to go to the dead-letter topic: a line for each
 * target and reason, not for each fire, and again after an hour without any. Where the reason is
 * with the topic it also says when fires reach it again; where it is with single fires (too large,
 * say), others reach it all the while. Thread-safe.
 */
final class TargetLog {
  private static final Logger LOG = SafeLogger.of(TargetLog.class);
  private static final Duration QUIET = Duration.ofHours(1);

  /** Beyond this many targets in trouble, no more are named. */
  private static final int MOST = 1_000;

  private record Trouble(String topic, Undelivered reason) {}

  private final InstantSource clock;
  private final Map<Trouble, Instant> told = new ConcurrentHashMap<>();

  TargetLog(InstantSource clock) {
    this.clock = clock;
  }

  void dead(Route.Dead dead, String fireKey) {
    Trouble trouble = new Trouble(dead.topic(), dead.reason());
    Instant now = clock.instant();
    if (told.size() >= MOST && !told.containsKey(trouble)) {
      told.values().removeIf(last -> last.plus(QUIET).isBefore(now));
      return;
    }
    Instant last = told.put(trouble, now);
    if (last == null || last.plus(QUIET).isBefore(now)) {
      LOG.warn(
          "Fires for the target {} go to the dead-letter topic ({}), from {} on: {}",
          dead.topic(),
          dead.reason(),
          fireKey,
          dead.why());
    }
  }

  void delivered(String topic, String fireKey) {
    if (told.isEmpty()) {
      return;
    }
    for (Undelivered reason : Undelivered.values()) {
      if (reason.isOfTopic() && told.remove(new Trouble(topic, reason)) != null) {
        LOG.info("The target {} is given fires again, from {} on", topic, fireKey);
      }
    }
  }
}
