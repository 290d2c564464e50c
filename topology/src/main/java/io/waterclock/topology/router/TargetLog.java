package io.waterclock.topology.router;

import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Logs when fires of a target begin to go to the dead-letter topic: one line for each target and
 * reason, not for each fire, and another after an hour without dead letters. If the topic is the
 * reason, it also logs when fires reach the topic again; if single fires are the reason (too
 * large), other fires reach the topic meanwhile. Thread-safe.
 */
final class TargetLog {
  private static final Logger LOG = SafeLogger.of(TargetLog.class);
  private static final Duration QUIET = Duration.ofHours(1);

  /** The largest number of problems that the log names at a time. */
  private static final int MOST = 1_000;

  private record Problem(String topic, Undelivered reason) {}

  private final InstantSource clock;
  private final Map<Problem, Instant> logged = new ConcurrentHashMap<>();

  TargetLog(InstantSource clock) {
    this.clock = clock;
  }

  void dead(Route.Dead dead, String fireKey) {
    Problem problem = new Problem(dead.topic(), dead.reason());
    Instant now = clock.instant();
    if (logged.size() >= MOST && !logged.containsKey(problem)) {
      logged.values().removeIf(last -> last.plus(QUIET).isBefore(now));
      return;
    }
    Instant last = logged.put(problem, now);
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
    if (logged.isEmpty()) {
      return;
    }
    for (Undelivered reason : Undelivered.values()) {
      if (reason.isOfTopic() && logged.remove(new Problem(topic, reason)) != null) {
        LOG.info("The target {} receives fires again, from {} on", topic, fireKey);
      }
    }
  }
}
