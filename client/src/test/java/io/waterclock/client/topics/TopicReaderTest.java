package io.waterclock.client.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class TopicReaderTest {
  private static final String FIRES = "fires";
  private static final TopicPartition FIRST = new TopicPartition(FIRES, 0);
  private static final TopicPartition ADDED = new TopicPartition(FIRES, 1);

  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());

  @Test
  void follow_reads_a_partition_that_the_topic_gets_from_its_beginning() {
    assertThat(followed(UnaryOperator.identity())).containsExactly("fires-0@3", "fires-1@0");
  }

  @Test
  void follow_goes_to_the_partition_where_an_id_belongs_now() {
    String moved = "d";
    assertThat(followed(all -> List.of(Partitions.home(moved, all))))
        .containsExactly("fires-0@3", "fires-1@0");
  }

  @Test
  void follow_leaves_out_partitions_that_are_not_wanted() {
    assertThat(followed(all -> all.subList(0, 1))).containsExactly("fires-0@3");
  }

  /** The positions of what is read while the topic gets a second partition, with one record. */
  private List<String> followed(UnaryOperator<List<TopicPartition>> wanted) {
    List<String> read = new ArrayList<>();
    consumer.updatePartitions(FIRES, List.of(partition(0)));
    consumer.updateBeginningOffsets(Map.of(FIRST, 0L, ADDED, 0L));
    consumer.schedulePollTask(() -> consumer.addRecord(record(FIRST, 3)));
    consumer.schedulePollTask(
        () -> consumer.updatePartitions(FIRES, List.of(partition(0), partition(1))));
    consumer.schedulePollTask(
        () -> {
          if (consumer.assignment().contains(ADDED)) {
            consumer.addRecord(record(ADDED, 0));
          }
        });
    int[] polls = {0};
    TopicReader reader = new TopicReader(() -> consumer);
    assertThatThrownBy(
            () ->
                reader.follow(
                    Map.of(FIRST, 3L),
                    wanted,
                    record -> read.add(Partitions.position(record)),
                    () -> {
                      if (++polls[0] == 4) {
                        throw new CancellationException();
                      }
                    }))
        .isInstanceOf(CancellationException.class);
    return read;
  }

  private static PartitionInfo partition(int number) {
    return new PartitionInfo(FIRES, number, Node.noNode(), new Node[0], new Node[0]);
  }

  private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset) {
    return new ConsumerRecord<>(
        FIRES, partition.partition(), offset, "key".getBytes(UTF_8), new byte[0]);
  }
}
