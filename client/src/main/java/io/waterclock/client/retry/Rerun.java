package io.waterclock.client.retry;

import io.waterclock.client.rules.PastAttempts;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.schemas.Topics;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Has a consumer group process a record again, and no other group. A fire returns by the topic of
 * retries: the same fire with the same id, so that deduplicators let it pass. Another record
 * returns to its topic.
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
   * The record that has a group process another one again, with all its waits.
   *
   * @param record a fire, of the topic fires or of retries, or a record of any other topic; it
   *     returns in its partition, which a topic of retries may not have: {@code Partitions.within}
   * @param attempts so far, 0 or more
   * @param why for those who look at the record; cut after 2 KiB
   */
  public static ProducerRecord<byte[], byte[]> record(
      ConsumerRecord<byte[], byte[]> record,
      Topics topics,
      String group,
      int attempts,
      String why) {
    String to = record.topic().equals(topics.fires()) ? topics.retries() : record.topic();
    return new ProducerRecord<>(
        to,
        record.partition(),
        null,
        record.key(),
        record.value(),
        RetryHeaders.waiting(record.headers(), to, group, PastAttempts.of(0, attempts), why));
  }
}
