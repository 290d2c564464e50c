package io.waterclock.topology.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a task asks for a commit before its interval is over: as soon as something was sent, since
 * who waits for a fire or an answer reads committed records only.
 *
 * <p>While records come in, though, each commit is followed by a while of reading. Kafka Streams
 * hands out a single record after a commit before it looks at the time again; if that led to the
 * next commit, a backlog would be read one record a commit.
 */
final class Commits {
  private static final Duration READING = Duration.ofMillis(25);
  private static final Duration IDLE = Duration.ofSeconds(1);

  private Instant latest = Instant.EPOCH;
  private Optional<Instant> readSince = Optional.empty();
  private boolean sent;

  /** Something was sent. */
  void sent() {
    sent = true;
  }

  /** A record was read. */
  void read(Instant now) {
    if (readSince.isEmpty()) {
      readSince = Optional.of(now);
    }
  }

  /** True when a commit is due; it counts as made. */
  boolean isDue(Instant now) {
    boolean reading =
        readSince.isPresent()
            && now.isBefore(readSince.get().plus(READING))
            && now.isBefore(latest.plus(IDLE));
    if (!sent || reading) {
      return false;
    }
    latest = now;
    readSince = Optional.empty();
    sent = false;
    return true;
  }
}
