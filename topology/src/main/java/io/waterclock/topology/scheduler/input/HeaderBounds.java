package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.util.Optional;
import org.apache.kafka.common.header.Header;

/**
 * The bounds of a record's headers. In memory each header takes about 90 bytes more than in the
 * record, where an empty one takes two: a record of a megabyte with nothing but headers takes 45
 * MB.
 */
public final class HeaderBounds {
  /** Inclusive. */
  static final int MOST = 1_000;

  /** Inclusive, in bytes of names and values, without the header of an import. */
  static final int MOST_BYTES = 64 << 10;

  private HeaderBounds() {}

  /** The problem that a record has too many headers, or too large ones; empty if it has neither. */
  public static Optional<Problem> problem(Inbound inbound) {
    int number = 0;
    long bytes = 0;
    for (Header header : inbound.headers()) {
      number++;
      if (!header.key().equals(Headers.IMPORT)) {
        bytes += RecordSize.of(header);
      }
    }
    return number > MOST || bytes > MOST_BYTES
        ? Optional.of(
            Problems.of(
                "",
                "the record has %s headers with %s bytes; at most %s with %s bytes"
                    .formatted(number, bytes, MOST, MOST_BYTES)))
        : Optional.empty();
  }
}
