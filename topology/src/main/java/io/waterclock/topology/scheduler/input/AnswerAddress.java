package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.HeaderNames;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * The address for an answer, from the headers of an input record.
 *
 * @param partition of the answers topic
 */
public record AnswerAddress(String correlationId, int partition) {

  private static final int LONGEST_CORRELATION_ID = 255;

  /**
   * Empty when the record requests no answer, or its partition is invalid, or its correlation id
   * has more than 255 characters.
   */
  public static Optional<AnswerAddress> of(Headers headers) {
    Optional<String> correlationId = HeaderNames.text(headers, HeaderNames.CORRELATION_ID);
    if (correlationId.isEmpty() || correlationId.get().length() > LONGEST_CORRELATION_ID) {
      return Optional.empty();
    }
    try {
      int partition =
          HeaderNames.text(headers, HeaderNames.ANSWER_PARTITION).map(Integer::parseInt).orElse(0);
      return Optional.of(new AnswerAddress(correlationId.get(), partition));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
