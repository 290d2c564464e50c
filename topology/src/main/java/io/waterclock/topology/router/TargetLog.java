package io.waterclock.topology.router;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log when the fires of a target begin to go to the dead-letter topic, and when they
 * reach it again: a line for each change, not for each fire. Thread-safe.
 */
final class TargetLog {
  private static final Logger LOG = LoggerFactory.getLogger(TargetLog.class);

  /** Beyond this many targets in trouble, no more are named. */
  private static final int MOST = 1_000;

  private final Map<String, Undelivered> told = new ConcurrentHashMap<>();

  void dead(Route.Dead dead, String fireKey) {
    if (told.size() < MOST && told.put(dead.topic(), dead.reason()) != dead.reason()) {
      LOG.warn(
          "Fires for the target {} go to the dead-letter topic ({}), from {} on: {}",
          dead.topic(),
          dead.reason(),
          fireKey,
          dead.why());
    }
  }

  void delivered(String topic, String fireKey) {
    if (!told.isEmpty() && told.remove(topic) != null) {
      LOG.info("The target {} is given fires again, from {} on", topic, fireKey);
    }
  }
}
