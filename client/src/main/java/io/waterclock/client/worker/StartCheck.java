package io.waterclock.client.worker;

import io.waterclock.client.WaterclockException;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * Finds, before a worker starts, problems that would keep it from ever running a fire. It waits for
 * a cluster that does not answer.
 */
record StartCheck(WorkerContext worker) {
  private static final Logger LOG = SafeLogger.of(StartCheck.class);
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(500);

  /** About a minute, where no question is answered. */
  private static final int QUESTIONS_PER_WARNING = 12;

  /** A broker may not know yet a topic that was created a moment ago. */
  private static final int CERTAIN = 4;

  /**
   * Returns when there is no problem, or when the worker is to stop.
   *
   * @throws Exception if the worker can never run a fire
   */
  void run() throws Exception {
    for (FireHandler handler : worker.config().handlers().all()) {
      handler.check();
    }
    Admin admin = Admin.create(worker.config().admin());
    try {
      awaitTopic(admin);
    } finally {
      admin.close(
          Duration.ZERO); // otherwise it waits for requests that the cluster does not answer
    }
  }

  private void awaitTopic(Admin admin) throws Exception {
    String topic = worker.config().topics().fires();
    int unknown = 0;
    int unanswered = 0;
    while (worker.goesOn().getAsBoolean()) {
      try {
        admin
            .describeTopics(List.of(topic))
            .allTopicNames()
            .get(ANSWER_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        noAnswer(unanswered++, "no answer within " + ANSWER_BOUND.toSeconds() + " s");
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          if (++unknown == CERTAIN) {
            throw new WaterclockException(
                ("there is no topic %s: the scheduler creates it at its first start. If it is"
                        + " running, set prefix(...) to its prefix, for example \"waterclock\"")
                    .formatted(topic));
          }
        } else if (e.getCause() instanceof RetriableException retriable) {
          noAnswer(unanswered++, RootCause.of(retriable));
        } else {
          throw e.getCause() instanceof Exception certain ? certain : e;
        }
      }
      LockSupport.parkNanos(BETWEEN_QUESTIONS.toNanos());
    }
  }

  /**
   * @param before how many questions had no answer before this one
   */
  private void noAnswer(int before, String why) {
    if (before % QUESTIONS_PER_WARNING == 0) {
      LOG.warn(
          "No Kafka broker answers at {} ({}); the worker of the group {} waits",
          worker.config().address(),
          why,
          worker.config().groupId());
    }
    worker
        .found()
        .accept(
            WorkerStatus.of(
                WorkerStatus.State.CONNECTING,
                "no Kafka broker answers at "
                    + worker.config().address()
                    + ", or it refuses the connection"));
  }
}
