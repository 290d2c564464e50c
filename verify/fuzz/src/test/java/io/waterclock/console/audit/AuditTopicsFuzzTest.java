package io.waterclock.console.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.fuzz.Claims;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * The topics that an audit reads, with keys and values of the fuzzer. The audit ends with a report:
 * it counts what it cannot read, and says which revisions it cannot check.
 */
final class AuditTopicsFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final Topics TOPICS = Topics.ofDefault();
  private static final int MOST_RECORDS = 64;

  /** The offset at which a topic begins whose older records retention has removed. */
  private static final long REMOVED = 8;

  /** Topics of the scheduler alone: here a value that cannot be read is a finding. */
  private static final Map<String, RecordCodec<?>> WRITTEN =
      Map.of(
          TOPICS.revisions(), RecordCodecs.revision(),
          TOPICS.fires(), RecordCodecs.fire(),
          TOPICS.missed(), RecordCodecs.missed(),
          TOPICS.status(), RecordCodecs.status(),
          TOPICS.watermarks(), RecordCodecs.watermark());

  private static final List<String> ALL =
      List.of(
          TOPICS.revisions(),
          TOPICS.fires(),
          TOPICS.missed(),
          TOPICS.status(),
          TOPICS.watermarks(),
          TOPICS.schedules(),
          TOPICS.commands());

  // what the byte of a record asks for
  private static final int OTHER_PARTITION = 1;
  private static final int NO_KEY = 2;
  private static final int NO_VALUE = 4;
  private static final List<String> HEADERS =
      List.of(HeaderNames.ORIGIN, HeaderNames.IMPORT, HeaderNames.MOVED);

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void audit(byte @NotNull [] description) throws Exception {
    Hostile topics = new Hostile(description);
    for (Optional<String> id : List.of(Optional.<String>empty(), Optional.of("a"))) {
      AuditTopics read = Claims.bounded(description.length, () -> topics.read(id));
      List<String> wrong = topics.unreadable();
      List<String> found =
          read.unreadable().stream().map(AuditTopics.Unreadable::position).toList();
      if (id.isEmpty()) {
        assertThat(found).containsAll(wrong);
      }
      assertThat(found)
          .doesNotHaveDuplicates()
          .allMatch(at -> wrong.contains(at) || at.startsWith(TOPICS.schedules() + "-"));
      check(
          Claims.bounded(
              description.length,
              () -> AuditReport.of(read, new Window(Instant.MIN, Instant.MAX))));
    }
  }

  private static void check(AuditReport report) {
    for (Account account : report.accounts()) {
      assertThat(account.through()).isAfterOrEqualTo(account.after());
      assertThat(account.fired()).isNotNegative();
    }
    for (Finding finding : report.findings()) {
      assertThat(finding.detail()).isNotBlank();
    }
    for (Audit.Unproven unproven : report.unproven()) {
      assertThat(unproven.reason()).isNotBlank();
    }
  }

  /** Topics as the bytes describe them. */
  private static final class Hostile {
    private final ByteBuffer plan;
    private final int removed;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    Hostile(byte[] description) {
      plan = ByteBuffer.wrap(description);
      removed = number();
      for (String topic : ALL) {
        IntStream.range(0, partitions(topic))
            .forEach(n -> ends.put(new TopicPartition(topic, n), beginning(topic)));
      }
      while (plan.hasRemaining() && records.size() < MOST_RECORDS) {
        records.add(record());
      }
    }

    AuditTopics read(Optional<String> id) {
      return AuditTopics.read(
          new AuditTopics.Source(
              new TopicReader(this::consumer),
              TOPICS,
              SchemaSource.none(),
              ZoneOffset.UTC,
              Long.MAX_VALUE),
          id,
          InstantSource.fixed(NOW));
    }

    List<String> unreadable() {
      return records.stream()
          .filter(record -> WRITTEN.containsKey(record.topic()) && record.value() != null)
          .filter(
              record ->
                  WRITTEN
                      .get(record.topic())
                      .readable(record.value(), SchemaSource.none())
                      .isEmpty())
          .map(Partitions::position)
          .toList();
    }

    private ConsumerRecord<byte[], byte[]> record() {
      String topic = ALL.get(number() % ALL.size());
      int wishes = number();
      int partition = (wishes & OTHER_PARTITION) == 0 ? 0 : partitions(topic) - 1;
      long timestampMs = NOW.plusSeconds((byte) number()).toEpochMilli();
      byte[] key = some(number());
      byte[] value = some(number() << 8 | number());
      RecordHeaders headers = new RecordHeaders();
      for (int i = 0; i < HEADERS.size(); i++) {
        if ((wishes >> 3 + i & 1) != 0) {
          headers.add(HEADERS.get(i), key);
        }
      }
      long end = ends.merge(new TopicPartition(topic, partition), 1L, Long::sum);
      return new ConsumerRecord<>(
          topic,
          partition,
          end - 1,
          timestampMs,
          TimestampType.CREATE_TIME,
          key.length,
          value.length,
          (wishes & NO_KEY) != 0 ? null : key,
          (wishes & NO_VALUE) != 0 ? null : value,
          headers,
          Optional.empty());
    }

    /** The topics status and watermarks have got a partition. */
    private static int partitions(String topic) {
      return topic.equals(TOPICS.status()) || topic.equals(TOPICS.watermarks()) ? 2 : 1;
    }

    private long beginning(String topic) {
      return (removed >> ALL.indexOf(topic) & 1) == 0 ? 0 : REMOVED;
    }

    private int number() {
      return plan.hasRemaining() ? plan.get() & 0xff : 0;
    }

    private byte[] some(int length) {
      byte[] some = new byte[Math.min(length, plan.remaining())];
      plan.get(some);
      return some;
    }

    private Consumer<byte[], byte[]> consumer() {
      MockConsumer<byte[], byte[]> consumer =
          new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
      Map<TopicPartition, Long> beginnings = new HashMap<>();
      for (String topic : ALL) {
        consumer.updatePartitions(
            topic,
            IntStream.range(0, partitions(topic))
                .mapToObj(n -> new PartitionInfo(topic, n, Node.noNode(), new Node[0], new Node[0]))
                .toList());
      }
      ends.keySet().forEach(one -> beginnings.put(one, beginning(one.topic())));
      consumer.updateBeginningOffsets(beginnings);
      consumer.updateEndOffsets(ends);
      consumer.schedulePollTask(
          () ->
              records.stream()
                  .filter(
                      record ->
                          consumer
                              .assignment()
                              .contains(new TopicPartition(record.topic(), record.partition())))
                  .forEach(consumer::addRecord));
      return consumer;
    }
  }
}
