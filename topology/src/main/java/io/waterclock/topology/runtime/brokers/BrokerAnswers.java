package io.waterclock.topology.runtime.brokers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/**
 * Waits for what the brokers are asked at a start, and puts into words why they do not say.
 *
 * @param bootstrapServers where they are asked
 */
record BrokerAnswers(String bootstrapServers) {
  private static final int TIMEOUT_S = 30;

  /**
   * Asks with a client of its own.
   *
   * @param client how to reach the cluster
   * @throws TopicException if such a client cannot be, and what {@code questions} throws
   */
  <T> T ask(Map<String, Object> client, Function<Admin, T> questions) {
    Admin admin;
    try {
      admin = Admin.create(client);
    } catch (KafkaException e) {
      throw new TopicException(
          "cannot reach bootstrap.servers=" + bootstrapServers + ": " + cause(e));
    }
    try {
      return questions.apply(admin);
    } finally {
      // an ordinary close waits until requests time out that nobody answers
      admin.close(Duration.ZERO);
    }
  }

  /**
   * The answer.
   *
   * @param what was asked for, as in "cannot WHAT"
   * @throws TopicException if there is none
   */
  <T> T get(KafkaFuture<T> future, String what) {
    try {
      return getOrCause(future, what);
    } catch (ExecutionException e) {
      throw refused(what, e);
    }
  }

  /**
   * The same, for those to whom a refusal tells something.
   *
   * @throws ExecutionException with the reason of the brokers; {@link #refused} puts it into words
   */
  <T> T getOrCause(KafkaFuture<T> future, String what) throws ExecutionException {
    try {
      return future.get(TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicException("interrupted while trying to " + what);
    } catch (TimeoutException e) {
      throw silence(what);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
        throw silence(what);
      }
      throw e;
    }
  }

  TopicException refused(String what, ExecutionException e) {
    return new TopicException(
        "cannot " + what + " at " + bootstrapServers + ": " + cause(e) + remedy(e));
  }

  private TopicException silence(String what) {
    return new TopicException(
        "cannot " + what + ": no answer from bootstrap.servers=" + bootstrapServers);
  }

  private static String remedy(ExecutionException e) {
    if (e.getCause() instanceof SaslAuthenticationException) {
      return "; sasl.jaas.config holds the user and the password, sasl.mechanism says how they are"
          + " proven";
    }
    return e.getCause() instanceof SslAuthenticationException
        ? "; ssl.truststore.location holds the certificates that are trusted"
        : "";
  }

  private static String cause(Exception e) {
    Throwable cause = e.getCause();
    return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
  }
}
