package io.waterclock.client.schedules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** A catalogue holds the newest values of the topics, and nothing else of their records. */
final class CatalogueTest {
  private static final int RECORDS = 24;
  private static final byte[] HOURLY = "{\"every\":\"1h\"}".getBytes(UTF_8);

  private final Topics topics = new Topics("waterclock");
  private final TopicPartition schedules = new TopicPartition(topics.schedules(), 0);
  private final List<WeakReference<RecordHeaders>> read = new ArrayList<>();
  private int held;

  @Test
  void no_header_of_a_record_stays_in_memory() {
    assertThat(catalogue().all()).hasSize(RECORDS);
    assertThat(read).hasSize(RECORDS);
    assertThat(held).as("records whose headers were in memory with the last one").isZero();
  }

  private Catalogue catalogue() {
    return new Catalogue(new TopicReader(this::consumer), topics, SchemaSource.none());
  }

  /** One record a poll. */
  private MockConsumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    Stream.of(topics.schedules(), topics.revisions(), topics.status())
        .forEach(
            topic -> {
              TopicPartition partition = new TopicPartition(topic, 0);
              consumer.updatePartitions(
                  topic,
                  List.of(new PartitionInfo(topic, 0, Node.noNode(), new Node[0], new Node[0])));
              consumer.updateBeginningOffsets(Map.of(partition, 0L));
              consumer.updateEndOffsets(
                  Map.of(partition, partition.equals(schedules) ? (long) RECORDS : 0L));
            });
    for (int i = 0; i < RECORDS; i++) {
      long offset = i;
      consumer.schedulePollTask(() -> consumer.addRecord(record(offset)));
    }
    return consumer;
  }

  private ConsumerRecord<byte[], byte[]> record(long offset) {
    if (offset == RECORDS - 1) {
      System.gc();
      // the consumer itself may still know the last one
      held = (int) read.stream().limit(offset - 1).filter(each -> each.get() != null).count();
    }
    RecordHeaders headers = new RecordHeaders();
    headers.add("a", new byte[0]);
    read.add(new WeakReference<>(headers));
    byte[] key = ("id-" + offset).getBytes(UTF_8);
    return new ConsumerRecord<>(
        schedules.topic(),
        schedules.partition(),
        offset,
        0,
        TimestampType.CREATE_TIME,
        key.length,
        HOURLY.length,
        key,
        HOURLY,
        headers,
        Optional.empty());
  }
}
