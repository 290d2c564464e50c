package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.runtime.brokers.MissingRightsException;
import io.waterclock.topology.runtime.brokers.TopicException;
import io.waterclock.topology.runtime.brokers.TopicSetup;
import io.waterclock.topology.runtime.config.WaterclockConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Makes a scheduler's state anew from an export of it.
 *
 * <p>The order of the steps makes each of them safe to be the last that is carried out. What the
 * scheduler takes over is written first, and changes nothing for one that still has its state. Once
 * the state is deleted a scheduler does not start, as the watermarks tell that there was one. They
 * are taken back last.
 *
 * <p>The scheduler goes on reading behind what was there before: of the records that it has read it
 * needs none, and would take the old ones for new schedules.
 */
final class Reset {
  /** So many of the newest offsets of a partition are sure to hold a watermark. */
  private static final long NEWEST = 5_000;

  private static final long SEEN_BY_ALL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Cluster cluster;
  private final SchedulerGroup group;
  private final ReadProgress progress;
  private final Topics topics;
  private final Map<String, Integer> changelogs;
  private final Map<String, Integer> sizes;
  private final int partitions;

  Reset(Cluster cluster, SchedulerGroup group, ReadProgress progress) {
    this.cluster = cluster;
    this.group = group;
    this.progress = progress;
    this.topics = cluster.topics();
    this.changelogs = group.changelogs();
    this.sizes =
        group.sizes(
            List.of(topics.schedules(), topics.commands(), topics.outcomes(), topics.strays()));
    this.partitions =
        Optional.ofNullable(sizes.get(topics.schedules()))
            .or(() -> changelogs.values().stream().findFirst())
            .orElseThrow(
                () ->
                    new Failure(
                        "There is neither a topic "
                            + topics.schedules()
                            + " nor a state of "
                            + group.applicationId()
                            + ": nothing is to be reset."));
  }

  /**
   * What would be done, step by step.
   *
   * @param known where what is known of the schedules is; empty when it is discarded
   */
  List<String> plan(Optional<String> known) {
    List<String> steps = new ArrayList<>();
    known.ifPresent(steps::add);
    if (!sizes.containsKey(topics.schedules())) {
      steps.add("create topic " + topics.schedules() + " with " + partitions + " partitions");
    }
    toWiden()
        .forEach(
            (topic, size) ->
                steps.add("give topic " + topic + " " + partitions + " partitions, not " + size));
    if (known.isPresent()) {
      steps.add(
          "write them to topic "
              + topics.schedules()
              + ", and behind them what was not read of it yet");
    }
    changelogs.keySet().forEach(topic -> steps.add("delete topic " + topic));
    steps.add(
        known.isPresent()
            ? "let group " + group.applicationId() + " read on from there"
            : "let group " + group.applicationId() + " read " + topics.schedules() + " anew");
    steps.add("take back what topic " + topics.watermarks() + " tells of the old state");
    return steps;
  }

  /**
   * Carries it out.
   *
   * @param known empty to discard what is known
   * @param decidedThrough up to where every schedule counts as decided, whatever is known
   * @return how many records were not read yet
   * @throws Failure if a step fails; the same can be done again
   */
  long run(Optional<ExportFile> known, Optional<Instant> decidedThrough) {
    toWiden().forEach((topic, size) -> group.widen(topic, partitions));
    setUpTopics();
    Map<TopicPartition, Long> read = group.committed();
    Map<TopicPartition, Long> ends = group.ends(cluster.partitions(topics.schedules()));
    long unread = 0;
    if (known.isPresent()) {
      unread = write(known.get(), decidedThrough, read, ends);
    }
    Map<TopicPartition, Long> next = new HashMap<>(others(read));
    ends.forEach((partition, end) -> next.put(partition, known.isPresent() ? end : 0L));
    if (!changelogs.isEmpty()) {
      group.delete(changelogs.keySet());
    }
    group.commit(next);
    takeBackWatermarks();
    return unread;
  }

  private Map<String, Integer> toWiden() {
    Map<String, Integer> narrow = new TreeMap<>(sizes);
    narrow.values().removeIf(size -> size >= partitions);
    return narrow;
  }

  /** Creates what is missing; what is wrong otherwise stops the reset. */
  private void setUpTopics() {
    WaterclockConfig config =
        WaterclockConfig.parse(
            Map.of(
                "bootstrap.servers", cluster.address(),
                "prefix", topics.prefix(),
                "partitions", Integer.toString(partitions)));
    long since = System.nanoTime();
    try (Admin admin = cluster.admin()) {
      while (!isSetUp(admin, config, System.nanoTime() - since > SEEN_BY_ALL_NANOS)) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Brokers need a moment to see the partitions that were just added. */
  private boolean isSetUp(Admin admin, WaterclockConfig config, boolean isLastTry) {
    try {
      new TopicSetup(admin, cluster.settings(), config).run();
      return true;
    } catch (MissingRightsException e) {
      throw new Failure(e.getMessage() + ".", e);
    } catch (TopicException e) {
      if (isLastTry) {
        throw new Failure(String.valueOf(e.getMessage()) + ".", e);
      }
      return false;
    }
  }

  private long write(
      ExportFile known,
      Optional<Instant> decidedThrough,
      Map<TopicPartition, Long> read,
      Map<TopicPartition, Long> ends) {
    String topic = topics.schedules();
    List<TopicPartition> homes = cluster.partitions(topic);
    boolean atHome = known.header().isOf(topics.prefix(), group.clusterId());
    AtomicLong unread = new AtomicLong();
    try (BulkWriter writer = new BulkWriter(cluster)) {
      known.forEach(
          schedule -> {
            ExportedSchedule raised = decidedThrough.map(schedule::decidedThrough).orElse(schedule);
            writer.write(
                (atHome ? raised : raised.elsewhere(known.header().clusterId())).record(topic));
            former(schedule, homes)
                .ifPresent(
                    partition ->
                        writer.write(
                            moved(
                                partition,
                                schedule.id().utf8(),
                                Optional.ofNullable(schedule.state().getRevision()).orElse(""))));
          });
      new UnreadRecords(cluster.reader(progress), readOfSchedules(read, ends), ends)
          .forEach(
              record -> {
                unread.incrementAndGet();
                writer.write(UnreadRecords.again(record));
                TopicPartition place = new TopicPartition(record.topic(), record.partition());
                if (!Partitions.home(new String(record.key(), UTF_8), homes).equals(place)) {
                  writer.write(moved(place, record.key(), place + "@" + record.offset()));
                }
              });
      writer.flush();
    }
    return unread.get();
  }

  /** Up to where the topic that is there now was read; nothing of one that was made anew. */
  private Map<TopicPartition, Long> readOfSchedules(
      Map<TopicPartition, Long> read, Map<TopicPartition, Long> ends) {
    boolean isAnother =
        lastWatermark()
            .map(Watermark::getTopicId)
            .filter(id -> !id.equals(group.topicId(topics.schedules())))
            .isPresent();
    Map<TopicPartition, Long> known = new HashMap<>(isAnother ? Map.of() : read);
    known.keySet().retainAll(ends.keySet());
    known.entrySet().removeIf(offset -> offset.getValue() > ends.getOrDefault(offset.getKey(), 0L));
    return known;
  }

  /** The partition where a schedule was at home, if that is another one now. */
  private Optional<TopicPartition> former(ExportedSchedule schedule, List<TopicPartition> homes) {
    int before = changelogs.values().stream().findFirst().orElse(partitions);
    if (before >= partitions) {
      return Optional.empty();
    }
    String id = schedule.id().value();
    TopicPartition former = Partitions.home(id, homes.subList(0, before));
    return Partitions.home(id, homes).equals(former) ? Optional.empty() : Optional.of(former);
  }

  /** A tombstone for compaction that deletes nothing. */
  private static ProducerRecord<byte[], byte[]> moved(
      TopicPartition partition, byte[] key, String place) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Headers.MOVED, place.getBytes(UTF_8));
    return new ProducerRecord<>(partition.topic(), partition.partition(), key, null, headers);
  }

  /**
   * From where on the other inputs are read: where they were, from the beginning of partitions that
   * are new. An outcome may be read twice. If nothing is known of commands, those written before
   * the last watermark were executed.
   */
  private Map<TopicPartition, Long> others(Map<TopicPartition, Long> read) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (String topic : List.of(topics.strays(), topics.outcomes())) {
      for (TopicPartition partition : cluster.partitions(topic)) {
        offsets.put(partition, read.getOrDefault(partition, 0L));
      }
    }
    List<TopicPartition> commands = cluster.partitions(topics.commands());
    boolean isKnown = commands.stream().anyMatch(read::containsKey);
    Map<TopicPartition, Long> since =
        isKnown
            ? Map.of()
            : lastWatermark()
                .map(last -> group.offsetsAt(commands, last.getWrittenAt().toEpochMilli()))
                .orElseGet(() -> group.ends(commands));
    for (TopicPartition partition : commands) {
      offsets.put(partition, read.getOrDefault(partition, since.getOrDefault(partition, 0L)));
    }
    return offsets;
  }

  private Optional<Watermark> lastWatermark() {
    List<Watermark> written = new ArrayList<>();
    cluster
        .reader()
        .newest(
            cluster.partitions(topics.watermarks()),
            NEWEST,
            record -> {
              if (record.value() != null) {
                decode(record.value()).ifPresent(written::add);
              }
              return true;
            });
    return written.stream().max(Comparator.comparing(Watermark::getWrittenAt));
  }

  private Optional<Watermark> decode(byte[] value) {
    try {
      return Optional.of(RecordCodecs.watermark().decode(value, cluster.schemas()));
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  private void takeBackWatermarks() {
    int before = changelogs.values().stream().findFirst().orElse(partitions);
    try (BulkWriter writer = new BulkWriter(cluster)) {
      for (int number = 0; number < Math.max(before, partitions); number++) {
        byte[] key = (topics.schedules() + "-" + number).getBytes(UTF_8);
        writer.write(new ProducerRecord<>(topics.watermarks(), key, null));
      }
      writer.flush();
    }
  }
}
