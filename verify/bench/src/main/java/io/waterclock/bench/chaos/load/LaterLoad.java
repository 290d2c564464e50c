package io.waterclock.bench.chaos.load;

import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.run.Await;
import io.waterclock.judge.Entry;
import io.waterclock.judge.later.DelayedRecords;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
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
 * partition. Half of those with names are cancelled before their instants, by a tombstone of their
 * schedules. For the thread of the load.
 */
public final class LaterLoad implements AutoCloseable {
  /** Begins the names that this load gives. */
  private static final String NAMED = "delayed/";

  /** Begins the names that records get. */
  private static final String UNNAMED = "later/";

  private static final String SERIAL = "n";
  private static final String PARTITION = "p";
  private static final int ONE_IN = 3;
  private static final List<Integer> SECONDS_BEFORE = List.of(45, 45, 30, 15, 10, 7, 3, 1);
  private static final List<String> HEADERS = List.of("a", "b", "b", "\u00fc", "waterclock");

  private final Topics topics;
  private final String target;
  private final SplittableRandom random;
  private final KafkaProducer<byte[], byte[]> producer;
  private final DelayedRecords sent = new DelayedRecords();
  private final List<Cancellation> cancellations = new ArrayList<>();
  private int serial;

  private record Cancellation(String serial, long atMs) {}

  /**
   * @param target a topic that may be a target, with two partitions or more
   */
  LaterLoad(String bootstrapServers, Topics topics, String target, SplittableRandom random) {
    this.topics = topics;
    this.target = target;
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
    List<Cancellation> due =
        cancellations.stream().filter(one -> one.atMs() <= now.toEpochMilli()).toList();
    due.forEach(this::cancel);
    cancellations.removeAll(due);
    if (random.nextInt(ONE_IN) == 0) {
      delay(now.toEpochMilli());
    }
  }

  private void delay(long nowMs) {
    String number = Integer.toString(++serial);
    byte @Nullable [] key = bytes(40);
    byte @Nullable [] value = bytes(random.nextInt(20) == 0 ? 20_000 : 1_000);
    Optional<Integer> partition =
        random.nextInt(4) == 0 ? Optional.of(random.nextInt(2)) : Optional.empty();
    boolean isNamed = random.nextBoolean();
    long waitMs = waitMs();
    RecordHeaders own = headers(number, partition);
    RecordHeaders headers = new RecordHeaders(own);
    if (random.nextBoolean()) {
      headers.add(HeaderNames.AT, text(Long.toString(nowMs + waitMs)));
    } else {
      headers.add(HeaderNames.IN, text(waitMs + "ms"));
    }
    headers.add(HeaderNames.TARGET, text(target));
    partition.ifPresent(to -> headers.add(HeaderNames.PARTITION, text(to.toString())));
    if (isNamed) {
      headers.add(HeaderNames.ID, text(NAMED + number));
    }
    String name = isNamed ? NAMED + number : UNNAMED;
    sent.add(
        new DelayedRecords.Sent(
            describe(key, value, own, name, partition), number, nowMs + waitMs, serial));
    send(
        new ProducerRecord<>(topics.later(), null, nowMs, key, value, headers),
        () -> {},
        () -> sent.mayStay(number));
    if (isNamed && random.nextBoolean()) {
      long beforeMs = 1_000L * SECONDS_BEFORE.get(random.nextInt(SECONDS_BEFORE.size()));
      cancellations.add(new Cancellation(number, nowMs + Math.max(0, waitMs - beforeMs)));
    }
  }

  private long waitMs() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong(5_000);
      case 1 -> 46_000 + random.nextLong(30_000);
      default -> random.nextLong(40_000);
    };
  }

  private void cancel(Cancellation one) {
    sent.mayStay(one.serial());
    send(
        new ProducerRecord<>(topics.schedules(), text(NAMED + one.serial()), null),
        () -> sent.cancelled(one.serial(), Await.now().toEpochMilli()),
        () -> {});
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
      Optional<Integer> partition) {
    StringBuilder text = new StringBuilder(hex(key)).append(' ').append(hex(value));
    for (Header header : headers) {
      text.append(' ').append(header.key()).append('=').append(hex(header.value()));
    }
    return text + " as " + name + " in " + partition;
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
