package io.waterclock.client.schedules;

import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Cause;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Reads the runs of fires from the topics of fires and of outcomes. Holds at most {@link
 * #MOST_BYTES} of runs in memory, the newest. Thread-safe if its parts are.
 *
 * @param depth how many records of each partition to read, the newest
 */
public record RunReader(TopicReader reader, Topics topics, SchemaSource schemas, long depth) {
  /** About. */
  public static final long MOST_BYTES = 64L << 20;

  /** The number of records of a partition that take about a second. */
  public static final long DEPTH = 100_000;

  private static final byte[] BACKFILL = Cause.BACKFILL.name().getBytes(StandardCharsets.US_ASCII);

  private static final Comparator<FireRun> BY_TIME =
      Comparator.comparing(RunReader::at).thenComparing(run -> run.fire().occurrence());

  /** The newest fires of a schedule with their runs, the newest first. Reads its partitions. */
  public List<FireRun> of(String id, int most) {
    return sorted(log(id).newest(run -> true, Integer.MAX_VALUE).stream(), most);
  }

  private RunLog log(String id) {
    RunLog log = new RunLog(MOST_BYTES);
    read(List.of(Partitions.ofFires(id, reader, topics)), record -> fired(log, record, id::equals));
    read(home(id), record -> reported(log, record, id::equals));
    return log;
  }

  /**
   * What names a run.
   *
   * @param fireId of its fire
   * @param backfill as in the fire: the id of the command that ordered it
   */
  public record RunId(String fireId, Optional<String> backfill) {}

  /** The newest reported runs of a schedule. Reads its partition of outcomes. */
  public Map<RunId, FireRun> reported(String id) {
    RunLog log = new RunLog(MOST_BYTES);
    read(home(id), record -> reported(log, record, id::equals));
    FireIds ids = FireIds.of(topics.ceSource());
    return log.newest(run -> true, Integer.MAX_VALUE).stream()
        .collect(
            Collectors.toMap(
                run -> new RunId(ids.of(run.fire()).toString(), run.backfill()), run -> run));
  }

  /**
   * The newest runs of schedules that workers have reported on, the newest first. Reads all
   * partitions of the outcomes.
   *
   * @param ids which schedules
   */
  public List<FireRun> reported(Predicate<String> ids, Predicate<FireRun> wanted, int most) {
    RunLog log = new RunLog(MOST_BYTES);
    read(reader.partitions(topics.outcomes()), record -> reported(log, record, ids));
    return sorted(log.newest(wanted, Integer.MAX_VALUE).stream(), most);
  }

  private static List<FireRun> sorted(Stream<FireRun> runs, int most) {
    return runs.sorted(BY_TIME.reversed()).limit(most).toList();
  }

  private static Instant at(FireRun run) {
    return run.firedAt().or(run::startedAt).or(run::reportedAt).orElse(run.fire().occurrence());
  }

  private List<TopicPartition> home(String id) {
    return List.of(Partitions.home(id, reader.partitions(topics.outcomes())));
  }

  private void read(
      List<TopicPartition> partitions, Predicate<ConsumerRecord<byte[], byte[]>> take) {
    reader.newest(partitions, depth, take);
  }

  private boolean fired(RunLog log, ConsumerRecord<byte[], byte[]> record, Predicate<String> ids) {
    String key = Partitions.key(record);
    int bar = key.indexOf('|');
    if (bar > 0 && ids.test(key.substring(0, bar))) {
      log.fired(key, backfill(record), Instant.ofEpochMilli(record.timestamp()));
    }
    return true;
  }

  /**
   * The id of the command of the backfill that ordered a fire. Decodes the fires of backfills
   * alone.
   */
  public Optional<String> backfill(ConsumerRecord<byte[], byte[]> record) {
    Header cause = record.headers().lastHeader(HeaderNames.CAUSE);
    if (cause == null || record.value() == null || !Arrays.equals(cause.value(), BACKFILL)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(RecordCodecs.fire().decode(record.value(), schemas).getBackfill());
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  /** Ignores records that are no outcomes. */
  private boolean reported(
      RunLog log, ConsumerRecord<byte[], byte[]> record, Predicate<String> ids) {
    if (record.key() == null
        || record.value() == null
        || !ids.test(new String(record.key(), StandardCharsets.UTF_8))) {
      return true;
    }
    try {
      log.reported(
          RecordCodecs.outcome().decode(record.value(), schemas),
          Instant.ofEpochMilli(record.timestamp()));
    } catch (UndecodableException e) {
      return true;
    }
    return true;
  }
}
