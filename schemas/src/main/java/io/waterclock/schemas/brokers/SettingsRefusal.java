package io.waterclock.schemas.brokers;

import java.util.Optional;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/**
 * A broker's refusal to give a topic its settings. Providers of clusters refuse with exceptions of
 * different kinds, and not always by the setting's key.
 */
public final class SettingsRefusal {
  private SettingsRefusal() {}

  /**
   * The broker's words, in one line; empty if the failure is of another kind: a missing right, a
   * login, a topic that exists, or brokers that are away.
   */
  public static Optional<String> words(@Nullable Throwable failure) {
    return failure instanceof ApiException
            && !(failure instanceof RetriableException)
            && !(failure instanceof AuthenticationException)
            && !(failure instanceof AuthorizationException)
            && !(failure instanceof TopicExistsException)
        ? Optional.of(String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " "))
        : Optional.empty();
  }
}
