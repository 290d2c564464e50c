package io.waterclock.client.worker;

import io.waterclock.client.WaterclockException;
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
    while (worker.goesOn().getAsBoolean()) {
      try {
        admin
            .describeTopics(List.of(topic))
            .allTopicNames()
            .get(ANSWER_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        noAnswer(e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          if (++unknown == CERTAIN) {
            throw new WaterclockException(
                ("there is no topic %s: the scheduler creates it at its first start. If it is"
                        + " running, set prefix(...) to its prefix, for example \"waterclock\"")
                    .formatted(topic));
          }
        } else if (e.getCause() instanceof RetriableException retriable) {
          noAnswer(retriable);
        } else {
          throw e.getCause() instanceof Exception certain ? certain : e;
        }
      }
      LockSupport.parkNanos(BETWEEN_QUESTIONS.toNanos());
    }
  }

  private void noAnswer(Exception why) {
    LOG.warn(
        "The cluster does not answer; the worker of the group {} waits for it",
        worker.config().groupId(),
        why);
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
