package io.waterclock.client.worker;

import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.WorkerHeartbeat;
import io.waterclock.client.topics.Consumers;
import io.waterclock.client.worker.brokers.ClientSettings;
import io.waterclock.client.worker.brokers.ReturnReader;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;

/**
 * Reads fires and commits finished ones, in one thread that never runs a handler: it keeps polling,
 * however long handlers take, and pauses partitions whose buffer is full or whose next fire waits
 * for its schema.
 *
 * <p>With each offset it commits a heartbeat: the time, and the unfinished part of the backlog. The
 * partition's next owner continues with it.
 *
 * <p>With each partition of fires it reads those of the topic of retries that belong to it, as soon
 * as the topic exists, and commits their offsets together.
 */
final class PollLoop implements FireReader.Loop, ConsumerRebalanceListener {
  private static final Logger LOG = SafeLogger.of(PollLoop.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration POLL_WHILE_PAUSED = Duration.ofMillis(5);
  private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration ALIVE_INTERVAL = Duration.ofSeconds(5);
  private static final Duration REBALANCE = Duration.ofSeconds(10);
  private static final Duration COMMIT_BOUND = Duration.ofSeconds(10);
  private static final Duration ANSWERS_BOUND = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final class Assigned {
    private final AssignedPartition source;
    private final Instant since;
    private final Consumer<byte[], byte[]> reader;
    private List<ConsumerRecord<byte[], byte[]>> unread = List.of();
    private long position;
    private long committed = -1;
    private boolean paused;

    Assigned(AssignedPartition source, Instant since, Consumer<byte[], byte[]> reader) {
      this.source = source;
      this.since = since;
      this.reader = reader;
    }
  }

  private final WorkerContext worker;
  private final WorkerConfig config;
  private final Consumer<byte[], byte[]> consumer;
  private final ReturnReader returns;
  private final WorkQueue queue;
  private final FireReader fireReader;
  private final Heartbeats heartbeats;
  private Optional<Metric> answered = Optional.empty();
  private final Map<TopicPartition, Assigned> assigned = new HashMap<>();
  private final Set<String> othersSeen = new HashSet<>();
  private int partitionsOfFires = 1;

  /** A commit has named a topic that the brokers do not know. */
  private boolean missesTopic;

  private volatile long lag;
  private long lastCommitNanos = System.nanoTime();
  private long lastAliveNanos = System.nanoTime();

  PollLoop(WorkerContext worker, FireReader fireReader) {
    this.worker = worker;
    this.config = worker.config();
    this.queue = worker.queue();
    this.consumer =
        new KafkaConsumer<>(
            config.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.returns =
        new ReturnReader(config.topics().retries(), ClientSettings.withoutGroup(config.consumer()));
    this.fireReader = fireReader;
    this.heartbeats =
        new Heartbeats(ClientSettings.heartbeatPatience(config.consumer()), config.address());
  }

  @Override
  public void run() throws Exception {
    new StartCheck(worker).run();
    consumer.subscribe(List.of(config.topics().fires()), this);
    while (worker.goesOn().getAsBoolean()) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(regulate());
      worker.found().accept(heartbeats.status(heartbeatsAnswered(), worker.clock().instant()));
      take(records);
      takeReturns();
      assigned.forEach(this::read);
      commitIfDue();
    }
  }

  private void take(ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      Assigned in = assigned.get(partition);
      if (in != null) {
        in.unread = Stream.of(in.unread, records.records(partition)).flatMap(List::stream).toList();
      }
    }
  }

  private void takeReturns() {
    try {
      if (missesTopic) {
        missesTopic = false;
        giveDeletedReturnsUp();
      }
      if (!worker.retries().isThere()) {
        openReturns(assigned.keySet());
      }
    } catch (RetriableException e) {
      LOG.warn("The worker cannot read {} yet", config.topics().retries(), e);
    }
    try {
      take(returns.poll());
    } catch (AuthorizationException e) {
      LOG.error(
          "No right to read {}: fires that fail become dead letters without waiting for a retry",
          config.topics().retries(),
          e);
      giveReturnsUp();
      returns.forbidden();
    }
  }

  private void giveReturnsUp() {
    worker.retries().lost();
    List<TopicPartition> all = returnsOf(assigned.keySet());
    List<BufferedFire<HandledRecord>> unused = queue.giveUp(sources(all));
    forget(all);
  }

  /** A partition that does not exist has no position: a takeover would wait for it for ever. */
  private void giveDeletedReturnsUp() {
    if (returns.isDeleted()) {
      LOG.error(
          "The topic {} was deleted: fires that fail become dead letters without waiting for a"
              + " retry",
          config.topics().retries());
      giveReturnsUp();
      returns.deleted();
    }
  }

  /** Begins to read the retries that belong to partitions of fires, if their topic exists. */
  private void openReturns(Collection<TopicPartition> fires) {
    if (fires.isEmpty() || returns.look().isEmpty()) {
      return;
    }
    List<TopicPartition> mine =
        returns.of(
            fires.stream().map(TopicPartition::partition).collect(Collectors.toSet()),
            partitionsOfFires);
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(mine));
    returns.add(mine, committed);
    Instant now = worker.clock().instant();
    for (TopicPartition partition : mine) {
      long position = returns.consumer().position(partition);
      assigned.put(
          partition, new Assigned(queue.open(Backlog.NONE, position), now, returns.consumer()));
    }
    int count = returns.look().orElseThrow();
    worker.retries().found(count);
    LOG.info("Reads the returns of {}", names(mine));
    if (count < partitionsOfFires) {
      LOG.warn(
          "{} has {} partitions, and {} has {}: what returns may run in another worker than the"
              + " other fires of its schedule, beside them and out of their order; add partitions"
              + " to it, and restart the workers",
          config.topics().retries(),
          count,
          config.topics().fires(),
          partitionsOfFires);
    }
  }

  /** The partitions of retries among the assigned ones that belong to partitions of fires. */
  private List<TopicPartition> returnsOf(Collection<TopicPartition> fires) {
    Set<Integer> numbers =
        fires.stream().map(TopicPartition::partition).collect(Collectors.toSet());
    return returns.of(numbers, partitionsOfFires).stream().filter(assigned::containsKey).toList();
  }

  private boolean isOfFires(TopicPartition partition) {
    return partition.topic().equals(config.topics().fires());
  }

  private double heartbeatsAnswered() {
    if (answered.isEmpty()) {
      answered =
          consumer.metrics().entrySet().stream()
              .filter(metric -> metric.getKey().name().equals("heartbeat-total"))
              .<Metric>map(Map.Entry::getValue)
              .findFirst();
    }
    return answered.map(metric -> (Double) metric.metricValue()).orElse(0.0);
  }

  private void read(TopicPartition partition, Assigned in) {
    if (!in.unread.isEmpty()) {
      boolean waited = in.paused;
      int accepted = fireReader.accept(in.source, in.unread);
      in.unread = List.copyOf(in.unread.subList(accepted, in.unread.size()));
      if (!in.unread.isEmpty() && (accepted > 0 || !waited)) {
        LOG.info("{} waits at {} for a schema", partition, in.unread.get(0).offset());
      }
    }
    pass(partition, in);
  }

  /** Also passes offsets without a record, for example the markers of transactions. */
  private void pass(TopicPartition partition, Assigned in) {
    try {
      in.position = in.reader.position(partition);
      queue.passed(in.source, in.unread.isEmpty() ? in.position : in.unread.get(0).offset());
    } catch (RetriableException e) {
      LOG.warn("The position in {} is not known", partition, e);
    }
  }

  @Override
  public void handBack(Duration patience) {
    handBack(assigned.keySet(), patience, mine -> commitAmidRebalances());
  }

  /** No member may commit while the group rebalances, and polling ends the rebalance. */
  private void commitAmidRebalances() {
    long giveUp = System.nanoTime() + COMMIT_BOUND.toNanos();
    while (!assigned.isEmpty()) {
      try {
        commitNow(assigned.keySet());
        return;
      } catch (RebalanceInProgressException e) {
        if (System.nanoTime() > giveUp) {
          throw e;
        }
        consumer.pause(consumer.assignment());
        consumer.poll(POLL);
      }
    }
  }

  /**
   * Pauses partitions that are full or wait for a schema, and resumes those that have room again.
   * Returns how long to poll.
   */
  private Duration regulate() throws InterruptedException {
    List<AssignedPartition> crowded = new ArrayList<>();
    for (Map.Entry<TopicPartition, Assigned> entry : assigned.entrySet()) {
      Assigned in = entry.getValue();
      boolean isCrowded = queue.isCrowded(in.source);
      if (isCrowded) {
        crowded.add(in.source);
      }
      pause(entry.getKey(), in, isCrowded || !in.unread.isEmpty());
    }
    if (crowded.isEmpty()) {
      return POLL;
    }
    if (crowded.size() == assigned.size()) {
      queue.awaitRoom(crowded, POLL);
      return Duration.ZERO;
    }
    return POLL_WHILE_PAUSED;
  }

  private void pause(TopicPartition partition, Assigned in, boolean pause) {
    if (pause && !in.paused) {
      in.reader.pause(List.of(partition));
    } else if (!pause && in.paused) {
      in.reader.resume(List.of(partition));
    }
    in.paused = pause;
  }

  private void commitIfDue() {
    long now = System.nanoTime();
    boolean showLife = now - lastAliveNanos >= ALIVE_INTERVAL.toNanos();
    if (now - lastCommitNanos < COMMIT_INTERVAL.toNanos()) {
      return;
    }
    lastCommitNanos = now;
    lag = assigned.entrySet().stream().mapToLong(each -> lag(each.getKey(), each.getValue())).sum();
    if (assigned.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = offsets(assigned.keySet(), showLife);
    if (showLife) {
      lastAliveNanos = now;
    }
    if (!offsets.isEmpty()) {
      consumer.commitAsync(
          offsets,
          (committed, error) -> {
            if (error != null) {
              missesTopic |= error instanceof UnknownTopicOrPartitionException;
              LOG.info("Offsets were not committed; the next commit includes them", error);
            }
          });
    }
  }

  @Override
  public long lag() {
    return lag;
  }

  private long lag(TopicPartition partition, Assigned in) {
    OptionalLong unread = in.reader.currentLag(partition);
    return unread.isEmpty()
        ? 0
        : unread.getAsLong() + in.position - queue.progress(in.source).committable();
  }

  /**
   * The offsets to commit.
   *
   * @param all also of partitions without newly finished fires
   */
  private Map<TopicPartition, OffsetAndMetadata> offsets(
      Collection<TopicPartition> partitions, boolean all) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Assigned in = assigned.get(partition);
      if (in != null) {
        WorkQueue.Progress progress = queue.progress(in.source);
        if (all || progress.committable() != in.committed) {
          in.committed = progress.committable();
          offsets.put(
              partition,
              new OffsetAndMetadata(
                  progress.committable(),
                  new WorkerHeartbeat(
                          in.since, worker.clock().instant(), progress.backlog().downtimes())
                      .text(config.handlers().fingerprint())));
        }
      }
    }
    return offsets;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    heartbeats.joined(worker.clock().instant());
    if (partitions.isEmpty()) {
      return;
    }
    while (worker.goesOn().getAsBoolean()) {
      try {
        takeOver(partitions);
        return;
      } catch (RetriableException e) {
        LOG.warn("The worker cannot take over {} yet", names(partitions), e);
        worker
            .found()
            .accept(
                WorkerStatus.of(
                    WorkerStatus.State.DEGRADED,
                    "the worker cannot take over %s: %s"
                        .formatted(names(partitions), RootCause.of(e))));
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void takeOver(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions); // finds new partitions, too
    Set<TopicPartition> all = new HashSet<>(partitions);
    consumer
        .partitionsFor(config.topics().fires())
        .forEach(info -> all.add(new TopicPartition(info.topic(), info.partition())));
    partitionsOfFires = all.size();
    worker
        .memory()
        .restore(partitions.stream().map(TopicPartition::partition).toList(), all.size());
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(consumer.committed(all));
    committed.values().removeIf(Objects::isNull);
    if (committed.isEmpty()) {
      begin(all);
    }
    List<WorkerHeartbeat> ofGroup =
        committed.values().stream()
            .flatMap(offset -> WorkerHeartbeat.parse(offset.metadata()).stream())
            .toList();
    Instant now = worker.clock().instant();
    for (TopicPartition partition : partitions) {
      Optional<OffsetAndMetadata> offset = Optional.ofNullable(committed.get(partition));
      Optional<WorkerHeartbeat> own = offset.flatMap(it -> WorkerHeartbeat.parse(it.metadata()));
      boolean isSetByTool = offset.isPresent() && own.isEmpty();
      Backlog backlog =
          Backlog.takenOver(
              own,
              isSetByTool ? List.of() : ofGroup,
              REBALANCE,
              now,
              ends.getOrDefault(partition, 0L));
      assigned.put(
          partition,
          new Assigned(queue.open(backlog, consumer.position(partition)), now, consumer));
    }
    giveDeletedReturnsUp();
    openReturns(partitions);
    committed.keySet().retainAll(partitions);
    warnOfOtherHandlers(committed);
    LOG.info("Took over {}, last committed {}", names(partitions), committed);
  }

  /**
   * The first worker of a new group. At {@link StartAt#NOW} it commits the ends of all partitions,
   * those of others, too: a partition without a commit is then one that the topic got later.
   */
  private void begin(Set<TopicPartition> all) {
    if (config.startAt() == StartAt.BEGINNING) {
      LOG.info(
          "The group {} is new: it reads the fires that {} retains from the first one;"
              + " startAt(NOW) begins with those to come",
          config.groupId(),
          config.topics().fires());
      return;
    }
    Instant now = worker.clock().instant();
    String alive = new WorkerHeartbeat(now, now, List.of()).text(config.handlers().fingerprint());
    Map<TopicPartition, Long> ends = consumer.endOffsets(all);
    consumer.assignment().forEach(mine -> consumer.seek(mine, ends.getOrDefault(mine, 0L)));
    LOG.info("The group {} is new, and begins at {}", config.groupId(), ends);
    try {
      consumer.commitSync(
          ends.entrySet().stream()
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey, end -> new OffsetAndMetadata(end.getValue(), alive))),
          COMMIT_BOUND);
    } catch (RebalanceInProgressException | CommitFailedException e) {
      LOG.info("Another worker has joined meanwhile; the group begins when all have", e);
    }
  }

  /** Warns once for each other set of handlers. */
  private void warnOfOtherHandlers(Map<TopicPartition, OffsetAndMetadata> committed) {
    committed.forEach(
        (partition, offset) ->
            WorkerHeartbeat.handlers(offset.metadata())
                .filter(handlers -> !handlers.equals(config.handlers().fingerprint()))
                .filter(othersSeen::add)
                .ifPresent(
                    handlers ->
                        LOG.warn(
                            "The last owner of {}, a worker of the group {}, has other handlers"
                                + " than this worker. That is normal during the roll-out of a new"
                                + " release. But two services in one group lose fires: each skips"
                                + " the fires of the other. Give each service its own group id",
                            partition,
                            config.groupId())));
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    handBack(withReturns(partitions), config.handOver(), this::commitNow);
  }

  private Set<TopicPartition> withReturns(Collection<TopicPartition> fires) {
    Set<TopicPartition> all = new HashSet<>(fires);
    all.addAll(returnsOf(fires));
    return all;
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("Lost {}: other workers run the unfinished fires", names(partitions));
    Set<TopicPartition> all = withReturns(partitions);
    List<BufferedFire<HandledRecord>> unused = queue.giveUp(sources(all));
    forget(all);
  }

  private void handBack(
      Collection<TopicPartition> partitions,
      Duration patience,
      java.util.function.Consumer<List<TopicPartition>> commit) {
    List<TopicPartition> mine = partitions.stream().filter(assigned::containsKey).toList();
    if (mine.isEmpty()) {
      return;
    }
    try {
      queue.handBack(sources(mine), patience, config.patience().plus(PAUSE));
      worker.outbox().flush(ANSWERS_BOUND);
      commit.accept(mine);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (KafkaException e) {
      LOG.warn("Finished fires of {} were not committed", names(mine), e);
    }
    forget(mine);
  }

  private void commitNow(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = offsets(partitions, true);
    consumer.commitSync(offsets, COMMIT_BOUND);
    LOG.info("Handed back {}", offsets);
  }

  private List<AssignedPartition> sources(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .flatMap(partition -> Optional.ofNullable(assigned.get(partition)).stream())
        .map(in -> in.source)
        .toList();
  }

  private void forget(Collection<TopicPartition> partitions) {
    assigned.keySet().removeAll(Set.copyOf(partitions));
    returns.remove(partitions);
    worker
        .memory()
        .forget(
            partitions.stream().filter(this::isOfFires).map(TopicPartition::partition).toList());
  }

  private static String names(Collection<TopicPartition> partitions) {
    return partitions.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
  }

  @Override
  public void close(Duration bound) {
    returns.close();
    Consumers.close(consumer, bound);
  }
}
