package io.waterclock.client.retry;

import io.waterclock.client.rules.PastAttempts;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.schemas.Topics;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Has a group of workers run a fire again, by the topic of retries: the same fire with the same id,
 * for that group alone, whose attempts count on, so that deduplicators let it pass.
 */
public final class Rerun {
  private Rerun() {}

  /** The group of the worker that reported on a run; empty if none has, or it names no group. */
  public static Optional<String> group(FireRun run) {
    return run.worker()
        .filter(worker -> worker.lastIndexOf('/') > 0)
        .map(worker -> worker.substring(0, worker.lastIndexOf('/')));
  }

  /**
   * The record that has a fire run again.
   *
   * @param fire a record of the topic fires, in whose partition the fire returns
   * @param attempts so far, 0 or more
   * @param why for those who look at the record; cut after 2 KiB
   */
  public static ProducerRecord<byte[], byte[]> record(
      ConsumerRecord<byte[], byte[]> fire, Topics topics, String group, int attempts, String why) {
    return new ProducerRecord<>(
        topics.retries(),
        fire.partition(),
        null,
        fire.key(),
        fire.value(),
        RetryHeaders.waiting(fire.headers(), group, PastAttempts.of(0, attempts), why));
  }
}
