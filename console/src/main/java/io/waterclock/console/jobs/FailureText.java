package io.waterclock.console.jobs;

import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;

/** What went wrong, for people who do not know Kafka's clients. */
public final class FailureText {
  private FailureText() {}

  /** A sentence without its full stop; never the words of a client that waited in vain. */
  public static String of(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof TimeoutException || cause instanceof DisconnectException) {
      return "the Kafka brokers do not answer";
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
