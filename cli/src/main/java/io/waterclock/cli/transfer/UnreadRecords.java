package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.Headers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What was written to the schedules topic and not read by the scheduler yet, to be written again
 * behind what it knows.
 *
 * <p>Of a partition that it has read, these are the records after where it was, in their order. Of
 * one that it has not read, such as that of a topic made anew, only the last word on each schedule
 * counts: what was said before may be what it knows.
 */
final class UnreadRecords {
  private final TopicReader reader;
  private final Map<TopicPartition, Long> read;
  private final Map<TopicPartition, Long> ends;

  /**
   * @param read up to where the scheduler has read, exclusive
   * @param ends of all partitions, exclusive
   */
  UnreadRecords(
      TopicReader reader, Map<TopicPartition, Long> read, Map<TopicPartition, Long> ends) {
    this.reader = reader;
    this.read = Map.copyOf(read);
    this.ends = Map.copyOf(ends);
  }

  /** Hands over each as it is to be written, and where it was found. */
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
    reader.toEnd(
        List.of(partition),
        record -> {
          if (isUnread(record)) {
            String id = record.key() == null ? "" : new String(record.key(), UTF_8);
            last.remove(id);
            last.put(id, record);
          }
          return true;
        });
    return last;
  }

  private boolean isUnread(ConsumerRecord<byte[], byte[]> record) {
    return record.offset() < end(new TopicPartition(record.topic(), record.partition()))
        && record.key() != null
        && record.headers().lastHeader(Headers.MOVED) == null
        && record.headers().lastHeader(Headers.ORIGIN) == null;
  }

  private long end(TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }

  /** The record as it is to be written: at home, as if it had been produced there. */
  static ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> record) {
    ProducerRecord<byte[], byte[]> copy =
        new ProducerRecord<>(
            record.topic(),
            null,
            record.timestamp(),
            record.key(),
            record.value(),
            record.headers());
    copy.headers().remove(Headers.STRAY);
    return copy;
  }
}
