package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

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

  /**
   * The same headers, or the last of them if there are too many: one more than the most, so that
   * {@link #problem} refuses them and nothing else looks at all the others.
   */
  static Headers cut(Headers headers) {
    int number = number(headers);
    if (number <= MOST) {
      return headers;
    }
    return new RecordHeaders(Arrays.copyOfRange(headers.toArray(), number - MOST - 1, number));
  }

  /** The problem that a record has too many headers, whatever their bytes; empty if it has not. */
  public static Optional<Problem> tooMany(Headers headers) {
    return number(headers) > MOST
        ? Optional.of(Problems.of("", "the record has more than %s headers".formatted(MOST)))
        : Optional.empty();
  }

  private static int number(Headers headers) {
    int number = 0;
    for (Header unused : headers) {
      number++;
    }
    return number;
  }

  /** The problem that a record has too many headers, or too large ones; empty if it has neither. */
  public static Optional<Problem> problem(Headers headers) {
    Optional<Problem> tooMany = tooMany(headers);
    if (tooMany.isPresent()) {
      return tooMany;
    }
    long bytes = 0;
    for (Header header : headers) {
      if (!header.key().equals(HeaderNames.IMPORT)) {
        bytes += RecordSize.of(header);
      }
    }
    return bytes > MOST_BYTES
        ? Optional.of(
            Problems.of(
                "",
                "the headers of the record have %s bytes; at most %s".formatted(bytes, MOST_BYTES)))
        : Optional.empty();
  }
}
