package io.waterclock.cli.limit;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.NamedRecords;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.client.topics.Partitions;
import io.waterclock.console.limits.LimitBook;
import io.waterclock.console.limits.LimitRow;
import io.waterclock.limits.LimitRules;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The limits in their topic, and what their groups do. */
public record LimitTopic(Cluster cluster) {
  private static final NamedRecords.Kind<Limit> KIND =
      new NamedRecords.Kind<>(
          "limit",
          Topics::limits,
          name -> new LimitName(name).utf8(),
          RecordCodecs.limit(),
          LimitRules.MAX_BYTES,
          LimitRules::problems,
          LimitRules::acceptable);

  /** Of each topic: some seconds of reading. */
  private static final long MOST_RECORDS = 1_000_000;

  private static final long MEMORY = 64L << 20;

  private static final Duration STARTS = Duration.ofHours(1);

  /** All limits by name, as {@link NamedRecords#all} reads them. */
  public SortedMap<String, Limit> all() {
    return records().all();
  }

  /** The same; none on a cluster whose schedulers have never had limits. */
  public SortedMap<String, Limit> allIfAny() {
    return cluster.reader().partitionsIfAny(cluster.topics().limits()).isEmpty()
        ? new TreeMap<>()
        : all();
  }

  /** Whether there are limits, and none with this name; false where nothing can be seen. */
  public boolean isMissing(String name) {
    return !cluster.reader().partitionsIfAny(cluster.topics().limits()).isEmpty()
        && !all().containsKey(name);
  }

  NamedRecords<Limit> records() {
    return new NamedRecords<>(cluster, KIND);
  }

  /** Writes a limit, or ends it when it is empty. */
  public void write(LimitName name, Optional<Limit> limit) {
    write(name.value(), limit.map(LimitTopic::json));
  }

  /** Writes the value of a record, or a tombstone when it is empty. */
  public void write(String name, Optional<byte[]> value) {
    var unused = records().write(name, value);
  }

  /** The value of a record. */
  public static byte[] json(Limit limit) {
    return RecordCodecs.limit().encode(limit, WireFormat.JSON);
  }

  /**
   * What the groups do. Reads the newest {@value #MOST_RECORDS} records of each partition at most:
   * what waits, and the fires since the oldest of them, or of the last hour.
   */
  public LimitBook book(Instant now) {
    LimitBook book = new LimitBook(MEMORY);
    cluster
        .reader()
        .each(cluster.partitions(cluster.topics().limits()), record -> limit(record, book));
    List<TopicPartition> waiting = cluster.reader().partitionsIfAny(cluster.topics().waiting());
    if (!waiting.isEmpty()) {
      cluster.reader().newest(waiting, MOST_RECORDS, record -> waiting(record, book));
      Instant hour = now.minus(STARTS);
      Instant since = book.oldest().filter(hour::isAfter).orElse(hour);
      List<TopicPartition> fires = cluster.partitions(cluster.topics().fires());
      cluster
          .reader()
          .from(cluster.reader().offsetsAt(fires, since), record -> started(record, book));
    }
    return book;
  }

  /**
   * How many fires wait for limits, by the notes of the last days or by what the limiter keeps: the
   * larger number, because either may not hold all.
   */
  public long waiting(SchedulerGroup group, Instant now) {
    return Math.max(noted(now), group.waitingForLimits());
  }

  private long noted(Instant now) {
    return cluster.reader().partitionsIfAny(cluster.topics().waiting()).isEmpty()
        ? 0
        : book(now).rows(Map.of(), now).stream().mapToLong(LimitRow::waiting).sum();
  }

  private void limit(ConsumerRecord<byte[], byte[]> record, LimitBook book) {
    try {
      LimitName name = LimitName.parse(record.key() == null ? new byte[0] : record.key());
      Optional<Limit> limit =
          Optional.ofNullable(record.value())
              .flatMap(value -> LimitRules.acceptable(value, cluster.schemas()));
      if (limit.isPresent() || record.value() == null) {
        book.limit(name, limit, Instant.ofEpochMilli(record.timestamp()));
      }
    } catch (InvalidIdException e) {
      // the scheduler refuses it, too
    }
  }

  private boolean waiting(ConsumerRecord<byte[], byte[]> record, LimitBook book) {
    try {
      book.note(
          WaitingNote.group(record.headers()),
          WaitingNote.of(record.headers()),
          Partitions.key(record),
          cluster.decode(RecordCodecs.fire(), record),
          Instant.ofEpochMilli(record.timestamp()));
    } catch (IllegalArgumentException e) {
      // the limiter refuses it, too
    }
    return true;
  }

  private boolean started(ConsumerRecord<byte[], byte[]> record, LimitBook book) {
    cluster
        .decode(RecordCodecs.fire(), record)
        .map(fire -> fire.getSchedule().getLimit())
        .ifPresent(
            limit ->
                book.started(
                    limit,
                    FireKey.parse(Partitions.key(record)),
                    Instant.ofEpochMilli(record.timestamp())));
    return true;
  }
}
