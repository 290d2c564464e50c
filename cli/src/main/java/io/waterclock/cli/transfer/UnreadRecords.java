package io.waterclock.cli.transfer;

import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.HeaderNames;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records of the schedules topic that the scheduler has not read yet, to be written again
 * behind the imported schedules.
 *
 * <p>If the scheduler has read a partition, these are the records after its offset, in their order.
 * If not, as in a topic that was created again, it is the newest record of each schedule: earlier
 * ones may be in the state already.
 *
 * @param read the offsets up to which the scheduler has read, exclusive
 * @param ends the ends of all partitions, exclusive
 */
record UnreadRecords(
    TopicReader reader, Map<TopicPartition, Long> read, Map<TopicPartition, Long> ends) {
  void forEach(Consumer<ConsumerRecord<byte[], byte[]>> each) {
    Map<TopicPartition, Long> rest = new HashMap<>();
    read.forEach(
        (partition, offset) -> {
          if (offset < end(partition)) {
            rest.put(partition, offset);
          }
        });
    if (!rest.isEmpty()) {
      reader.from(
          rest,
          record -> {
            if (isUnread(record)) {
              each.accept(record);
            }
            return true;
          });
    }
    for (TopicPartition partition : ends.keySet()) {
      if (!read.containsKey(partition) && end(partition) > 0) {
        newestRecords(partition).values().forEach(each);
      }
    }
  }

  private Map<String, ConsumerRecord<byte[], byte[]>> newestRecords(TopicPartition partition) {
    Map<String, ConsumerRecord<byte[], byte[]>> last = new LinkedHashMap<>();
    reader.each(
        List.of(partition),
        record -> {
          if (isUnread(record)) {
            String id = Partitions.key(record);
            last.remove(id);
            last.put(id, record);
          }
        });
    return last;
  }

  private boolean isUnread(ConsumerRecord<byte[], byte[]> record) {
    return record.offset() < end(new TopicPartition(record.topic(), record.partition()))
        && record.key() != null
        && record.headers().lastHeader(HeaderNames.MOVED) == null
        && record.headers().lastHeader(HeaderNames.ORIGIN) == null;
  }

  private long end(TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }

  /** The record to write: to the home partition of its key, as if it had been produced there. */
  static ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> record) {
    ProducerRecord<byte[], byte[]> copy =
        new ProducerRecord<>(
            record.topic(),
            null,
            record.timestamp(),
            record.key(),
            record.value(),
            record.headers());
    copy.headers().remove(HeaderNames.STRAY);
    return copy;
  }
}
