package io.waterclock.console.jobs;

import io.waterclock.schemas.brokers.RootCause;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;

/** What went wrong, for people who do not know Kafka's clients. */
public final class FailureText {
  /** What is said of a cluster that is away. */
  public static final String BROKERS_AWAY = "the Kafka brokers do not answer";

  private FailureText() {}

  /**
   * A sentence without its full stop; never the words of a client that waited in vain, or of a
   * fault of the console.
   */
  public static String of(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof KafkaException) {
      return RootCause.chain(cause).anyMatch(FailureText::isSilence)
          ? BROKERS_AWAY
          : RootCause.of(cause);
    }
    return cause.getMessage() == null || isFault(cause)
        ? "the console has failed, and its log says why"
        : cause.getMessage().replaceFirst("\\.$", "");
  }

  private static boolean isSilence(Throwable cause) {
    return cause instanceof TimeoutException || cause instanceof DisconnectException;
  }

  /** What the language throws has no words for people. */
  private static boolean isFault(Throwable cause) {
    return cause instanceof Error
        || cause instanceof NullPointerException
        || cause instanceof ClassCastException
        || cause instanceof IndexOutOfBoundsException;
  }
}
