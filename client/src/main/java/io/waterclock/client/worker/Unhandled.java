package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.log.SafeLogger;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;

/**
 * Counts the fires that no handler takes, by the prefix of their schedule ids up to the first
 * slash, and warns once: a topic of fires usually has those of other services. Thread-safe.
 */
final class Unhandled {
  private static final Logger LOG = SafeLogger.of(Unhandled.class);

  /** Counts the fires of all further prefixes. */
  private static final String OTHERS = "";

  private static final int MOST_PREFIXES = 1_000;

  private final String groupId;
  private final Optional<OnUnhandled> chosen;
  private final Optional<WorkerListener> listener;
  private final Map<String, Long> byPrefix = new TreeMap<>();

  /**
   * @param chosen empty if the service has not set an action
   */
  Unhandled(String groupId, Optional<OnUnhandled> chosen, Optional<WorkerListener> listener) {
    this.groupId = groupId;
    this.chosen = chosen;
    this.listener = listener;
  }

  /** Counts a fire that no handler takes, and returns the handler of the chosen action. */
  Optional<FireHandler> found(Fire fire, String place) {
    if (isFirst(prefix(fire.getScheduleId())) && chosen.isEmpty()) {
      LOG.warn(
          "No handler of the group {} takes the fires of {}, for example the one at {}: the"
              + " worker skips them, and others like them without another warning; unhandled()"
              + " counts them. That is right if they are for other services, which need group ids"
              + " of their own: a service of the same group does not get them. onUnhandled(...)"
              + " sets what happens to them, and ends this warning",
          groupId,
          fire.getScheduleId(),
          place);
    }
    listener.ifPresent(watching -> watching.onUnhandled(fire));
    return chosen.flatMap(OnUnhandled::handler);
  }

  synchronized Map<String, Long> counts() {
    return Map.copyOf(byPrefix);
  }

  /** Counts a fire; true for the first one of all. */
  private synchronized boolean isFirst(String prefix) {
    boolean isFirst = byPrefix.isEmpty();
    boolean hasRoom = byPrefix.containsKey(prefix) || byPrefix.size() < MOST_PREFIXES;
    byPrefix.merge(hasRoom ? prefix : OTHERS, 1L, Long::sum);
    return isFirst;
  }

  private static String prefix(String scheduleId) {
    int slash = scheduleId.indexOf('/');
    return slash < 0 ? scheduleId : scheduleId.substring(0, slash + 1);
  }
}
