package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.sun.management.ThreadMXBean;
import io.waterclock.client.topics.Partitions;
import io.waterclock.fuzz.Claims;
import io.waterclock.fuzz.HostileBatch;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.input.RecordKey;
import io.waterclock.topology.scheduler.input.RecordSize;
import io.waterclock.topology.scheduler.input.RecordTime;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.apache.kafka.common.utils.internals.CloseableIterator;
import org.apache.kafka.common.utils.internals.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Batches of every codec, intact, damaged or made by hand, on their way from a producer to our
 * readers: a broker's checks, with the setting of the topic, then a consumer.
 */
final class RecordBatchesFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  /** The limit of a topic ({@code max.message.bytes}), Kafka's default. */
  private static final int MOST = 1_048_588;

  /** What Kafka may allocate for one batch here; its own bound is the heap. */
  private static final int MOST_UNPACKED = 16 << 20;

  private static final int MOST_OF_DEAD_LETTER = 10_000;
  private static final TopicPartition PLACE = new TopicPartition("waterclock.commands", 0);
  private static final CommandReader COMMANDS = ReadersFuzzTest.COMMANDS;
  private static final OutcomeReader OUTCOMES = ReadersFuzzTest.OUTCOMES;
  private static final RecordTime TIMES = new RecordTime(() -> NOW);
  private static final List<RecordCodec<? extends SpecificRecordBase>> CODECS =
      List.of(
          RecordCodecs.schedule(),
          RecordCodecs.calendar(),
          RecordCodecs.fire(),
          RecordCodecs.missed(),
          RecordCodecs.revision(),
          RecordCodecs.status(),
          RecordCodecs.answer(),
          RecordCodecs.watermark());

  /**
   * A topic that the scheduler reads, with {@code compression.type=uncompressed}. What the broker
   * stores, every consumer can read, and no batch is larger than the limit when it is unpacked.
   */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void of_an_input_topic(byte @NotNull [] description) throws Exception {
    HostileBatch sent = new HostileBatch(description);
    Optional<MemoryRecords> stored = stored(sent, Compression.NONE);
    if (stored.isEmpty()) {
      assertThat(sent.isIntact() && sent.unpackedSize() <= MOST).as("refused").isFalse();
      return;
    }
    assertThat(stored.get().firstBatch().compressionType()).isEqualTo(CompressionType.NONE);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    var unused =
        Claims.bounded(
            stored.get().sizeInBytes(),
            () -> {
              records.clear();
              consume(stored.get(), records);
              return records;
            });
    if (sent.isIntact()) {
      assertSame(sent.records(), records);
    }
    int size = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      size += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
      admit(record);
    }
    assertThat(size).as("unpacked").isLessThan(MOST);
  }

  /**
   * A topic whose batches stay as they were sent. Kafka's consumer reads a batch or fails as Kafka
   * says; what it has read before that is read by clients.
   */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void of_an_output_topic(byte @NotNull [] description) throws Exception {
    HostileBatch sent = new HostileBatch(description);
    Optional<MemoryRecords> stored = stored(sent, Compression.of(sent.codec()).build());
    if (stored.isEmpty()) {
      assertThat(sent.isIntact() && sent.bytes().length <= MOST).as("refused").isFalse();
      return;
    }
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try {
      consume(stored.get(), records);
    } catch (KafkaException e) {
      assertThat(sent.isIntact()).isFalse();
      Claims.rejected(e);
    }
    if (sent.isIntact()) {
      assertSame(sent.records(), records);
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      assertThat(Partitions.key(record)).isNotNull();
      for (RecordCodec<? extends SpecificRecordBase> codec : CODECS) {
        var unused =
            Claims.bounded(
                Math.max(0, record.serializedValueSize()),
                () -> codec.readable(record.value(), SchemaSource.none()));
      }
    }
  }

  /**
   * What no setting of a broker or of a client bounds, where the broker stores a batch as it was
   * sent: a record of five bytes that says it has 48 MB. An {@code uncompressed} topic refuses it.
   */
  @ParameterizedTest
  @EnumSource(value = CompressionType.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void a_batch_of_a_hundred_bytes_asks_for_the_memory_that_it_claims(CompressionType codec)
      throws Exception {
    int claimed = 48 << 20;
    HostileBatch sent = claiming(claimed, codec);
    assertThat(sent.bytes()).hasSizeLessThan(101);
    MemoryRecords stored = validated(records(sent), Compression.of(codec).build());
    long before = allocated();
    assertThatThrownBy(() -> consume(stored, new ArrayList<>())).isInstanceOf(KafkaException.class);
    assertThat(allocated() - before).isGreaterThan(claimed);
    assertThatThrownBy(() -> validated(records(sent), Compression.NONE))
        .isInstanceOf(InvalidRecordException.class);
  }

  private static HostileBatch claiming(int size, CompressionType codec) throws IOException {
    ByteBufferOutputStream packed = new ByteBufferOutputStream(512);
    try (DataOutputStream record =
        new DataOutputStream(
            Compression.of(codec).build().wrapForOutput(packed, RecordBatch.CURRENT_MAGIC_VALUE))) {
      ByteUtils.writeVarint(size, record);
      record.write(new byte[3]); // attributes, and no distance from the first time and offset
      ByteUtils.writeVarint(1, record);
      record.write('k');
      ByteUtils.writeVarint(2, record);
      record.writeBytes("{}");
      ByteUtils.writeVarint(0, record); // headers
    }
    ByteBuffer payload = packed.buffer().flip();
    ByteBuffer plan = ByteBuffer.allocate(3 + payload.remaining());
    plan.put((byte) codec.ordinal()).put(HostileBatch.BY_HAND_WITH_RIGHT_CRC).put((byte) 2);
    return new HostileBatch(plan.put(payload).array());
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /**
   * What a broker stores of a batch; empty if it refuses it, with whatever error.
   *
   * @param compression of the topic
   */
  private static Optional<MemoryRecords> stored(HostileBatch sent, Compression compression) {
    MemoryRecords records = records(sent);
    try {
      ProduceRequest.validateRecords(ApiKeys.PRODUCE.latestVersion(), records);
      RecordBatch batch = records.firstBatch();
      batch.ensureValid();
      if (batch.sizeInBytes() > MOST || unpacksToTooMuch((DefaultRecordBatch) batch)) {
        return Optional.empty();
      }
      return Optional.of(validated(records, compression))
          .filter(all -> all.firstBatch().sizeInBytes() <= MOST);
    } catch (RuntimeException | Error refused) { // Snappy has errors of its own
      return Optional.empty();
    }
  }

  private static MemoryRecords records(HostileBatch sent) {
    return MemoryRecords.readableRecords(ByteBuffer.wrap(sent.bytes()));
  }

  /** What the log of a broker makes of a batch. */
  private static MemoryRecords validated(MemoryRecords records, Compression compression) {
    return new LogValidator(
            records,
            PLACE,
            Time.SYSTEM,
            records.firstBatch().compressionType(),
            compression,
            false,
            RecordBatch.CURRENT_MAGIC_VALUE,
            TimestampType.CREATE_TIME,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            0,
            AppendOrigin.CLIENT)
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(0), new NoMetrics(), BufferSupplier.NO_CACHING)
        .validatedRecords();
  }

  /**
   * Whether Kafka would allocate more for a batch than this JVM has for it: it allocates what a
   * record says that it needs, before it reads it.
   */
  private static boolean unpacksToTooMuch(DefaultRecordBatch batch) {
    try (InputStream in = batch.recordInputStream(BufferSupplier.NO_CACHING)) {
      long all = 0;
      for (int count = batch.countOrNull(); count > 0; count--) {
        int length = ByteUtils.readVarint(in);
        all += Math.max(0, length);
        if (all > MOST_UNPACKED) {
          return true;
        }
        if (length < 0 || in.readNBytes(length).length < length) {
          return false;
        }
      }
      return false;
    } catch (IOException | RuntimeException broken) {
      return false; // the broker finds it, too
    }
  }

  /** As Kafka's consumer reads what it has fetched, with {@code check.crcs}. */
  private static void consume(MemoryRecords fetched, List<ConsumerRecord<byte[], byte[]>> to) {
    try (BufferSupplier buffers = BufferSupplier.create()) {
      for (RecordBatch batch : fetched.batches()) {
        batch.ensureValid();
        try (CloseableIterator<Record> records = batch.streamingIterator(buffers)) {
          while (records.hasNext()) {
            Record record = records.next();
            record.ensureValid();
            to.add(consumed(batch, record));
          }
        }
      }
    }
  }

  private static ConsumerRecord<byte[], byte[]> consumed(RecordBatch batch, Record record) {
    return new ConsumerRecord<>(
        PLACE.topic(),
        PLACE.partition(),
        record.offset(),
        record.timestamp(),
        batch.timestampType(),
        record.keySize(),
        record.valueSize(),
        record.hasKey() ? Utils.toArray(record.key()) : null,
        record.hasValue() ? Utils.toArray(record.value()) : null,
        new RecordHeaders(record.headers()),
        Optional.empty());
  }

  private static void assertSame(
      List<SimpleRecord> sent, List<ConsumerRecord<byte[], byte[]>> read) {
    assertThat(read).hasSameSizeAs(sent);
    for (int i = 0; i < sent.size(); i++) {
      SimpleRecord wanted = sent.get(i);
      ConsumerRecord<byte[], byte[]> found = read.get(i);
      assertThat(found.offset()).isEqualTo(i);
      assertThat(Utils.wrapNullable(found.key())).isEqualTo(wanted.key());
      assertThat(Utils.wrapNullable(found.value())).isEqualTo(wanted.value());
      assertThat(found.headers()).isEqualTo(new RecordHeaders(wanted.headers()));
    }
  }

  /** As a task takes a record. */
  private static void admit(ConsumerRecord<byte[], byte[]> record) throws Exception {
    Inbound inbound =
        new Inbound(
            Optional.ofNullable(record.key()),
            Optional.ofNullable(record.value()),
            record.headers(),
            time(record),
            record.topic(),
            record.partition(),
            record.offset());
    assertThat(inbound.timestamp()).isAfterOrEqualTo(Instant.EPOCH);
    int length = (int) inbound.size();
    if (RecordKey.of(inbound) instanceof RecordKey.Bad bad) {
      forPeople(List.of(bad.problem()));
    }
    if (Claims.bounded(length, () -> COMMANDS.read(inbound))
        instanceof CommandReader.Reading.Bad bad) {
      forPeople(bad.problems());
    } else {
      assertThat(length).isLessThan(ReadersFuzzTest.SETTINGS.limits().maxFireBytes());
    }
    if (Claims.bounded(length, () -> OUTCOMES.read(inbound))
        instanceof OutcomeReader.Reading.Bad bad) {
      forPeople(bad.problems());
    }
    byte[] held = InboundBytes.encode(inbound);
    assertThat(held.length).isLessThanOrEqualTo(length + InboundBytes.OVERHEAD);
    assertThat(InboundBytes.encode(InboundBytes.decode(held))).isEqualTo(held);
    DeadLetter dead = DeadLetter.of(inbound, "it is hostile", MOST_OF_DEAD_LETTER);
    assertThat(RecordSize.of(dead.key().orElse(null), dead.value().orElse(null), dead.headers()))
        .isLessThanOrEqualTo(MOST_OF_DEAD_LETTER);
  }

  @SuppressWarnings("unchecked") // the extractor looks at the time only
  private static Instant time(ConsumerRecord<?, ?> record) {
    return Instant.ofEpochMilli(TIMES.extract((ConsumerRecord<Object, Object>) record, 0));
  }

  private static void forPeople(List<Problem> problems) {
    assertThat(problems).isNotEmpty();
    for (Problem problem : BoundedText.problems(problems)) {
      assertThat(problem.getMessage()).isNotBlank();
    }
  }

  private static final class NoMetrics implements LogValidator.MetricsRecorder {
    @Override
    public void recordInvalidMagic() {}

    @Override
    public void recordInvalidOffset() {}

    @Override
    public void recordInvalidSequence() {}

    @Override
    public void recordInvalidChecksums() {}

    @Override
    public void recordNoKeyCompactedTopic() {}
  }
}
