package io.waterclock.runtime.brokers;

import io.waterclock.schemas.brokers.Reachability;
import io.waterclock.schemas.brokers.RootCause;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/**
 * Waits for the brokers' answers at the start, and words the error when an answer is missing.
 *
 * @param client how to reach the cluster, {@code bootstrap.servers} included
 */
record BrokerAnswers(Map<String, Object> client) {
  static final int TIMEOUT_S = 30;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * Asks questions with a new client, and closes it.
   *
   * @throws TopicException if the client cannot be created; also any exception of {@code questions}
   */
  <T> T ask(Function<Admin, T> questions) {
    Admin admin;
    try {
      admin = Admin.create(client);
    } catch (KafkaException e) {
      throw new TopicException(
          "cannot connect to bootstrap.servers=" + servers() + ": " + RootCause.of(e));
    }
    try {
      return questions.apply(admin);
    } finally {
      // an ordinary close waits for the time-outs of unanswered requests
      admin.close(Duration.ZERO);
    }
  }

  /**
   * Returns the answer.
   *
   * @param what was asked for, as in "cannot WHAT"
   * @throws TopicException if no answer comes, or the brokers refuse
   */
  <T> T get(KafkaFuture<T> future, String what) {
    try {
      return getOrCause(future, what);
    } catch (ExecutionException e) {
      throw refused(what, e);
    }
  }

  /**
   * Returns the answer, for callers that handle a refusal themselves.
   *
   * @throws ExecutionException with the brokers' reason; {@link #refused} words it
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

  /**
   * Tries again until there is an answer: brokers need a moment to see new topics.
   *
   * @return empty if they still do not see them after {@link #TIMEOUT_S}
   */
  static <T> Optional<T> retry(Supplier<Optional<T>> attempt) {
    long start = System.nanoTime();
    Optional<T> answer = attempt.get();
    while (answer.isEmpty() && System.nanoTime() - start <= TimeUnit.SECONDS.toNanos(TIMEOUT_S)) {
      LockSupport.parkNanos(RETRY_NANOS);
      answer = attempt.get();
    }
    return answer;
  }

  TopicException refused(String what, ExecutionException e) {
    return new TopicException("cannot " + what + " at " + servers() + ": " + RootCause.of(e));
  }

  private TopicException silence(String what) {
    return new TopicException(
        "cannot %s: no answer from bootstrap.servers=%s: %s"
            .formatted(what, servers(), Reachability.of(client).text()));
  }

  String servers() {
    return String.valueOf(client.get("bootstrap.servers"));
  }
}
