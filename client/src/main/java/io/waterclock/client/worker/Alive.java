package io.waterclock.client.worker;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/** A group's last sign of life in a partition, as it stands beside the committed offset. */
final class Alive {
  private static final String PREFIX = "alive=";

  private Alive() {}

  static OffsetAndMetadata with(long offset, Optional<Instant> at) {
    return new OffsetAndMetadata(offset, at.map(instant -> PREFIX + instant).orElse(""));
  }

  /** Empty when there is none, as when someone else has set the offset. */
  static Optional<Instant> in(OffsetAndMetadata committed) {
    String text = committed.metadata();
    if (!text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text.substring(PREFIX.length())));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
