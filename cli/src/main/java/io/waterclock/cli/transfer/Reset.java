package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.RecordWriter;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.TopicOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.InvalidConfigException;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.limiter.LimiterTopology;
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
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Replaces the state of a scheduler by an import of an export of it.
 *
 * <p>A reset that stops after any step is safe. First it writes the records to import; a scheduler
 * that still has its state ignores them. Then it deletes the state; from then on the scheduler does
 * not start, because the watermarks show that there was a state. Last it deletes the watermarks.
 *
 * <p>The scheduler then reads from the end of the old records: it needs none of them, and would
 * take old definitions for new schedules.
 */
final class Reset {
  private static final long SEEN_BY_ALL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Cluster cluster;
  private final SchedulerGroup group;
  private final ReadProgress progress;
  private final Topics topics;
  private final Map<String, Integer> changelogs;
  private final Map<String, Integer> sizes;

  /** The changelog of the limiter, if it has another number of partitions. */
  private final Map<String, Integer> limiter;

  private final int partitions;
  private final WaterclockConfig config;

  /**
   * @throws Failure if there is nothing to reset, or an option is wrong
   */
  Reset(Cluster cluster, SchedulerGroup group, TopicOptions options, ReadProgress progress) {
    this.cluster = cluster;
    this.group = group;
    this.progress = progress;
    this.topics = cluster.topics();
    this.changelogs = group.changelogs();
    this.sizes =
        group.sizes(
            List.of(
                topics.schedules(),
                topics.commands(),
                topics.outcomes(),
                topics.strays(),
                topics.waiting()));
    this.partitions =
        Optional.ofNullable(sizes.get(topics.schedules()))
            .or(() -> changelogs.values().stream().findFirst())
            .orElseThrow(
                () ->
                    new Failure(
                        ("There is nothing to reset: neither the topic %s nor a state"
                                + " of %s exists.")
                            .formatted(topics.schedules(), group.applicationId())));
    this.limiter = new TreeMap<>(group.sizes(List.of(limiterState(group))));
    limiter.values().removeIf(size -> size == partitions);
    this.config = config(options);
  }

  private static String limiterState(SchedulerGroup group) {
    return LimiterTopology.changelog(group.applicationId());
  }

  /** True when the state of the limiter goes, too: its groups move to other partitions. */
  boolean endsLimiter() {
    return !limiter.isEmpty();
  }

  /** Of the scheduler whose topics are set up. */
  private WaterclockConfig config(TopicOptions options) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", cluster.address());
    settings.put("prefix", topics.prefix());
    settings.put("application.id", group.applicationId());
    settings.put("partitions", Integer.toString(partitions));
    options.addTo(settings);
    try {
      return WaterclockConfig.parse(settings);
    } catch (InvalidConfigException e) {
      throw new Failure(e.problems(), e);
    }
  }

  /**
   * The steps of the reset, as text.
   *
   * @param known the step that provides the schedules; empty to discard them
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
                steps.add(
                    "increase the partitions of topic %s from %s to %s"
                        .formatted(topic, size, partitions)));
    if (known.isPresent()) {
      steps.add(
          "write them to topic "
              + topics.schedules()
              + ", followed by the records that the scheduler has not read yet");
    }
    Stream.concat(changelogs.keySet().stream(), limiter.keySet().stream())
        .forEach(topic -> steps.add("delete topic " + topic));
    steps.add(
        known.isPresent()
            ? "let group " + group.applicationId() + " continue from there"
            : "let group %s read %s from the beginning"
                .formatted(group.applicationId(), topics.schedules()));
    steps.add("delete the watermarks of the old state from topic " + topics.watermarks());
    return steps;
  }

  /**
   * Carries out the steps.
   *
   * @param known the schedules; empty to discard them
   * @param decidedThrough the instant up to which every schedule counts as decided, if given
   * @return the number of records that the scheduler had not read
   * @throws Failure if a step fails; the reset can be repeated
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
    for (Map<String, Integer> state : List.of(changelogs, limiter)) {
      if (!state.isEmpty()) {
        group.delete(state.keySet());
      }
    }
    group.commit(next);
    deleteWatermarks();
    return unread;
  }

  private Map<String, Integer> toWiden() {
    Map<String, Integer> narrow = new TreeMap<>(sizes);
    narrow.values().removeIf(size -> size >= partitions);
    return narrow;
  }

  /** Creates missing topics; a topic with wrong settings stops the reset. */
  private void setUpTopics() {
    long since = System.nanoTime();
    try (Admin admin = cluster.admin()) {
      while (!isSetUp(admin, System.nanoTime() - since > SEEN_BY_ALL_NANOS)) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Repeated, because brokers need a moment to see added partitions. */
  private boolean isSetUp(Admin admin, boolean isLastTry) {
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
    try (RecordWriter writer = new RecordWriter(cluster, Export.WRITING)) {
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

  /**
   * The offsets up to which the present topic was read; empty for a topic that was created again.
   */
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

  /** The former home partition of a schedule, if its home has changed. */
  private Optional<TopicPartition> former(ExportedSchedule schedule, List<TopicPartition> homes) {
    int before = changelogs.values().stream().findFirst().orElse(partitions);
    if (before >= partitions) {
      return Optional.empty();
    }
    String id = schedule.id().value();
    TopicPartition former = Partitions.home(id, homes.subList(0, before));
    return Partitions.home(id, homes).equals(former) ? Optional.empty() : Optional.of(former);
  }

  /** A tombstone that lets compaction remove a record without deleting the schedule. */
  private static ProducerRecord<byte[], byte[]> moved(
      TopicPartition partition, byte[] key, String place) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.MOVED, place.getBytes(UTF_8));
    return new ProducerRecord<>(partition.topic(), partition.partition(), key, null, headers);
  }

  /**
   * The next offsets of the other inputs: unchanged, and the beginning of new partitions. An
   * outcome may be read twice. Without offsets for commands, the commands before the last watermark
   * count as executed.
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
                .map(last -> cluster.reader().offsetsAt(commands, last.getWrittenAt()))
                .orElseGet(() -> group.ends(commands));
    for (TopicPartition partition : commands) {
      offsets.put(partition, read.getOrDefault(partition, since.getOrDefault(partition, 0L)));
    }
    return offsets;
  }

  private Optional<Watermark> lastWatermark() {
    return cluster.watermarks(partitions).values().stream()
        .map(NewestWatermark::watermark)
        .max(Comparator.comparing(Watermark::getWrittenAt));
  }

  private void deleteWatermarks() {
    int before = changelogs.values().stream().findFirst().orElse(partitions);
    try (RecordWriter writer = new RecordWriter(cluster, Export.WRITING)) {
      for (int number = 0; number < Math.max(before, partitions); number++) {
        byte[] key = (topics.schedules() + "-" + number).getBytes(UTF_8);
        writer.write(new ProducerRecord<>(topics.watermarks(), key, null));
      }
      writer.flush();
    }
  }
}
