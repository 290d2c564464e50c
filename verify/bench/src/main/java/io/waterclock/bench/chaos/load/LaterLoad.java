package io.waterclock.bench.chaos.load;

import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.run.Await;
import io.waterclock.judge.Entry;
import io.waterclock.judge.later.DelayedRecords;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Records of random bytes that are to be delivered later: with names and without, some for a
 * partition, some several for one key and instant. Half of those with names are cancelled before
 * their instants, by a tombstone of their schedules or a record of the topic later, or moved to
 * another instant, some to another target, too. For the thread of the load.
 */
public final class LaterLoad implements AutoCloseable {
  /** Begins the names that this load gives. */
  private static final String NAMED = "delayed/";

  /** Begins the names that records get. */
  private static final String UNNAMED = "later/";

  /** Begins the correlation ids of what cancels or moves. */
  private static final String ASKED = "heed/";

  private static final String SERIAL = "n";
  private static final String PARTITION = "p";
  private static final int ONE_IN = 3;
  private static final List<Integer> SECONDS_BEFORE = List.of(45, 45, 30, 15, 10, 7, 3, 1);
  private static final int IN_LINE = 4;
  private static final List<String> KEYS = List.of("order-1", "order-2", "order-3");
  private static final List<String> HEADERS = List.of("a", "b", "b", "\u00fc", "waterclock");

  private final Topics topics;
  private final List<String> targets;
  private final SplittableRandom random;
  private final KafkaProducer<byte[], byte[]> producer;
  private final DelayedRecords sent = new DelayedRecords();
  private final List<Change> changes = new ArrayList<>();
  private int serial;

  /** What becomes of a record that waits. */
  private record Change(String serial, String name, long dueMs, long atMs) {}

  /**
   * A record.
   *
   * @param name empty if it has none
   */
  @SuppressWarnings("ArrayRecordComponent") // compared with nothing
  private record Delayed(
      byte @Nullable [] key,
      String target,
      Optional<Integer> partition,
      Optional<String> name,
      long dueMs) {}

  /**
   * @param targets topics that may be targets, with two partitions or more
   */
  LaterLoad(String bootstrapServers, Topics topics, List<String> targets, SplittableRandom random) {
    this.topics = topics;
    this.targets = targets;
    this.random = random;
    this.producer =
        Clients.producer(
            bootstrapServers,
            Map.of("linger.ms", 0, "delivery.timeout.ms", 180_000, "max.block.ms", 180_000));
  }

  /** Whether a schedule, or what has the key of one, is of this load. */
  public static boolean has(String key) {
    return key.startsWith(NAMED) || key.startsWith(UNNAMED);
  }

  DelayedRecords sent() {
    return sent;
  }

  void act(Instant now) {
    List<Change> due = changes.stream().filter(one -> one.atMs() <= now.toEpochMilli()).toList();
    due.forEach(one -> change(one, now.toEpochMilli()));
    changes.removeAll(due);
    if (random.nextInt(ONE_IN) == 0) {
      if (random.nextInt(IN_LINE) == 0) {
        delayInLine(now.toEpochMilli());
      } else {
        delay(now.toEpochMilli());
      }
    }
  }

  private void delay(long nowMs) {
    boolean isNamed = random.nextBoolean();
    Delayed one =
        new Delayed(
            bytes(40),
            targets.get(0),
            random.nextInt(4) == 0 ? Optional.of(random.nextInt(2)) : Optional.empty(),
            isNamed ? Optional.of(NAMED + (serial + 1)) : Optional.empty(),
            nowMs + waitMs());
    String number = send(one, nowMs, Optional.empty(), "");
    if (isNamed && random.nextBoolean()) {
      long beforeMs = 1_000L * SECONDS_BEFORE.get(random.nextInt(SECONDS_BEFORE.size()));
      long atMs = Math.max(nowMs, one.dueMs() - beforeMs);
      changes.add(new Change(number, one.name().orElseThrow(), one.dueMs(), atMs));
    }
  }

  /** Some for one key and instant, which others have, too. */
  private void delayInLine(long nowMs) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    long dueMs = (nowMs / 10_000 + 1 + random.nextInt(4)) * 10_000;
    Delayed one = new Delayed(text(key), targets.get(0), Optional.empty(), Optional.empty(), dueMs);
    for (int n = 2 + random.nextInt(4); n > 0; n--) {
      send(one, nowMs, Optional.empty(), key);
    }
  }

  /**
   * Sends a record.
   *
   * @param asked a correlation id, if an answer is wanted
   * @param line of records that arrive in order; empty if it has none
   * @return its number
   */
  private String send(Delayed one, long nowMs, Optional<String> asked, String line) {
    String number = Integer.toString(++serial);
    byte @Nullable [] value = bytes(random.nextInt(20) == 0 ? 20_000 : 1_000);
    RecordHeaders own = headers(number, one.partition());
    RecordHeaders headers = new RecordHeaders(own);
    if (random.nextBoolean()) {
      headers.add(HeaderNames.AT, text(Long.toString(one.dueMs())));
    } else {
      headers.add(HeaderNames.IN, text(one.dueMs() - nowMs + "ms"));
    }
    headers.add(HeaderNames.TARGET, text(one.target()));
    one.partition().ifPresent(to -> headers.add(HeaderNames.PARTITION, text(to.toString())));
    one.name().ifPresent(name -> headers.add(HeaderNames.ID, text(name)));
    asked.ifPresent(id -> headers.add(HeaderNames.CORRELATION_ID, text(id)));
    String name = one.name().orElse(UNNAMED);
    sent.add(
        new DelayedRecords.Sent(
            describe(one.key(), value, own, name, one.target(), one.partition()),
            number,
            one.dueMs(),
            serial,
            line.isEmpty() ? number : line));
    send(
        new ProducerRecord<>(topics.later(), null, nowMs, one.key(), value, headers),
        () -> {},
        () -> sent.mayStay(number));
    return number;
  }

  private long waitMs() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong(5_000);
      case 1 -> 46_000 + random.nextLong(30_000);
      default -> random.nextLong(40_000);
    };
  }

  private void change(Change one, long nowMs) {
    switch (random.nextInt(4)) {
      case 0 -> {
        sent.mayStay(one.serial());
        send(
            new ProducerRecord<>(topics.schedules(), text(one.name()), null),
            () -> sent.cancelled(one.serial(), Await.now().toEpochMilli()),
            () -> {});
      }
      case 1 -> {
        sent.mayStay(one.serial());
        RecordHeaders headers = new RecordHeaders();
        headers.add(HeaderNames.ID, text(one.name()));
        headers.add(HeaderNames.CANCEL, text("true"));
        headers.add(HeaderNames.CORRELATION_ID, text(ASKED + one.serial()));
        send(
            new ProducerRecord<>(topics.later(), null, nowMs, bytes(40), bytes(10), headers),
            () -> {},
            () -> {});
      }
      default -> {
        Delayed other =
            new Delayed(
                bytes(40),
                targets.get(random.nextInt(targets.size())),
                Optional.empty(),
                Optional.of(one.name()),
                nowMs + waitMs());
        sent.moves(one.serial(), Integer.toString(serial + 1));
        send(other, nowMs, Optional.of(ASKED + one.serial()), "");
      }
    }
  }

  /**
   * The scheduler has answered what changes a record.
   *
   * @param correlationId of any answer
   * @param atMs by the scheduler's clock, with what that may be behind
   */
  void answered(String correlationId, Verdict verdict, long atMs) {
    boolean isHeeded = verdict == Verdict.DELETED || verdict == Verdict.ACCEPTED;
    if (isHeeded && correlationId.startsWith(ASKED)) {
      sent.answered(correlationId.substring(ASKED.length()), atMs);
    }
  }

  private void send(ProducerRecord<byte[], byte[]> record, Runnable confirmed, Runnable failed) {
    Future<RecordMetadata> unused =
        producer.send(record, (metadata, e) -> (e == null ? confirmed : failed).run());
  }

  /** Null, empty or random. */
  private byte @Nullable [] bytes(int most) {
    int kind = random.nextInt(8);
    if (kind == 0) {
      return null;
    }
    byte[] bytes = new byte[kind == 1 ? 0 : 1 + random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  private RecordHeaders headers(String number, Optional<Integer> partition) {
    RecordHeaders headers = new RecordHeaders();
    int first = random.nextInt(4);
    for (int n = 0; n < 4; n++) {
      if (n == first) {
        headers.add(SERIAL, text(number));
      } else if (random.nextBoolean()) {
        headers.add(HEADERS.get(random.nextInt(HEADERS.size())), bytes(20));
      }
    }
    partition.ifPresent(to -> headers.add(PARTITION, text(to.toString())));
    return headers;
  }

  /** As the judge reads a record of the target: its key is all that it is, its value its number. */
  public static Entry<byte[]> arrived(ConsumerRecord<byte[], byte[]> record) {
    Header[] all = record.headers().toArray();
    Header last = all.length == 0 ? new Nothing() : all[all.length - 1];
    String id = last.key().equals(HeaderNames.ID) ? text(last.value()) : "(no id)";
    Headers own = new RecordHeaders(Arrays.copyOf(all, Math.max(0, all.length - 1)));
    Header number = own.lastHeader(SERIAL);
    String serial = number == null ? "(no number)" : text(number.value());
    return new Entry<>(
        record.topic(),
        record.partition(),
        record.offset(),
        describe(
            record.key(),
            record.value(),
            own,
            id.startsWith(UNNAMED) ? UNNAMED : id,
            record.topic(),
            Optional.ofNullable(own.lastHeader(PARTITION)).map(any -> record.partition())),
        Optional.of(text(serial)),
        Map.of("own", serial, HeaderNames.ID, id),
        record.timestamp(),
        record.timestamp(),
        record.timestamp());
  }

  private record Nothing() implements Header {
    @Override
    public String key() {
      return "";
    }

    @Override
    public byte[] value() {
      return new byte[0];
    }
  }

  private static String describe(
      byte @Nullable [] key,
      byte @Nullable [] value,
      Headers headers,
      String name,
      String topic,
      Optional<Integer> partition) {
    StringBuilder text = new StringBuilder(hex(key)).append(' ').append(hex(value));
    for (Header header : headers) {
      text.append(' ').append(header.key()).append('=').append(hex(header.value()));
    }
    return text + " as " + name + " in " + topic + " " + partition;
  }

  private static String hex(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "null";
    }
    // long values by their hash, as people read them in findings
    return bytes.length > 100
        ? bytes.length + "#" + Arrays.hashCode(bytes)
        : "x" + HexFormat.of().formatHex(bytes);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(10));
  }
}
