package io.waterclock.client.worker;

import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.Backlog;
import io.waterclock.client.worker.brokers.ClientSettings;
import io.waterclock.client.worker.brokers.ShareGroup;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;

/**
 * Reads fires as a member of a share group: more workers than partitions get fires, in no order.
 *
 * <p>Idea: the brokers lend a record to one consumer for a while, and a consumer lends no record
 * beyond its next poll, unless it renews the loan. So there is one consumer for each thread of the
 * worker, with one record at a time. It waits for the fire, and renews the loan each third of its
 * time; the next poll then returns the same record. Needs kafka-clients 4.2, and is loaded only for
 * a worker without order.
 */
final class ShareLoop implements FireReader.Loop {
  private static final Logger LOG = SafeLogger.of(ShareLoop.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration LOAN = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);
  private static final int RENEWALS = 3;

  private record Place(String topic, int partition, long offset) {
    static Place of(ConsumerRecord<byte[], byte[]> record) {
      return new Place(record.topic(), record.partition(), record.offset());
    }
  }

  private final WorkerContext worker;
  private final WorkerConfig config;
  private final WorkQueue queue;
  private final FireReader fireReader;
  private final Heartbeats heartbeats;
  private final Map<Thread, Double> answered = new ConcurrentHashMap<>();
  private final Map<Place, AssignedPartition> held = new ConcurrentHashMap<>();
  private final CountDownLatch handedBack = new CountDownLatch(1);
  private final ExecutorService threads;

  ShareLoop(WorkerContext worker, FireReader fireReader) {
    this.worker = worker;
    this.config = worker.config();
    this.queue = worker.queue();
    this.fireReader = fireReader;
    this.heartbeats =
        new Heartbeats(ClientSettings.heartbeatPatience(config.consumer()), config.address());
    this.threads =
        Executors.newFixedThreadPool(
            config.threads(),
            DaemonThreads.named("waterclock-worker-" + config.groupId() + "-share"));
  }

  @Override
  public void run() throws Exception {
    new StartCheck(worker).run();
    if (!worker.goesOn().getAsBoolean()) {
      return;
    }
    findRetries();
    ShareGroup.prepare(
        config.groupId(),
        config.startAt() == StartAt.NOW ? "latest" : "earliest",
        config.admin(),
        config.address());
    ExecutorCompletionService<Boolean> consumers = new ExecutorCompletionService<>(threads);
    for (int i = 0; i < config.threads(); i++) {
      Future<Boolean> unused = consumers.submit(this::consume);
    }
    while (worker.goesOn().getAsBoolean()) {
      Future<Boolean> ended = consumers.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
      if (ended != null) {
        result(ended);
      }
      double all = answered.values().stream().mapToDouble(each -> each).sum();
      worker.found().accept(heartbeats.status(all, worker.clock().instant()));
    }
  }

  /** A topic of retries that is created later is read from the next start on. */
  private void findRetries() throws InterruptedException {
    String topic = config.topics().retries();
    Admin admin = Admin.create(config.admin());
    try {
      worker
          .retries()
          .found(
              Objects.requireNonNull(
                      admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                  .get(ANSWER_BOUND.toMillis(), TimeUnit.MILLISECONDS)
                  .partitions()
                  .size());
    } catch (ExecutionException | TimeoutException e) {
      LOG.info("The topic {} cannot be read: no fire waits for a retry", topic, e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  private static void result(Future<Boolean> ended) throws Exception {
    try {
      var unused = ended.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  private boolean consume() throws InterruptedException {
    try (ShareConsumer<byte[], byte[]> consumer =
        new KafkaShareConsumer<>(
            ShareGroup.member(config.consumer()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.subscribe(
          worker.retries().isThere()
              ? List.of(config.topics().fires(), config.topics().retries())
              : List.of(config.topics().fires()));
      boolean holds = false;
      while (holds || worker.goesOn().getAsBoolean()) {
        holds = lend(consumer, poll(consumer));
        answered.put(Thread.currentThread(), heartbeatsAnswered(consumer));
      }
    }
    return true;
  }

  private static ConsumerRecords<byte[], byte[]> poll(ShareConsumer<byte[], byte[]> consumer) {
    try {
      return consumer.poll(POLL);
    } catch (RetriableException e) {
      LOG.warn("The share group does not answer", e);
      return ConsumerRecords.empty();
    }
  }

  private static double heartbeatsAnswered(ShareConsumer<byte[], byte[]> consumer) {
    return consumer.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals("heartbeat-total"))
        .mapToDouble(metric -> (Double) metric.getValue().metricValue())
        .sum();
  }

  /**
   * Has the records run until they are finished, or a third of their loan is over.
   *
   * @return true if a record is not finished: the next poll returns it
   */
  private boolean lend(
      ShareConsumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records)
      throws InterruptedException {
    if (records.isEmpty()) {
      return false;
    }
    Duration loan = consumer.acquisitionLockTimeoutMs().map(Duration::ofMillis).orElse(LOAN);
    boolean holds = false;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      AssignedPartition source = accept(record);
      boolean isFinished = queue.awaitFinished(source, record.offset(), loan.dividedBy(RENEWALS));
      boolean isOver = !isFinished && handedBack.getCount() == 0;
      AcknowledgeType type =
          isFinished
              ? AcknowledgeType.ACCEPT
              : isOver ? AcknowledgeType.RELEASE : AcknowledgeType.RENEW;
      consumer.acknowledge(record, type);
      holds |= type == AcknowledgeType.RENEW;
      if (type != AcknowledgeType.RENEW) {
        held.remove(Place.of(record));
      }
    }
    commit(consumer);
    return holds;
  }

  private static void commit(ShareConsumer<byte[], byte[]> consumer) {
    try {
      consumer
          .commitSync()
          .forEach(
              (partition, failure) ->
                  failure.ifPresent(
                      why ->
                          LOG.warn(
                              "The brokers have taken a fire of {} back, and lend it again",
                              partition,
                              why)));
    } catch (RetriableException e) {
      LOG.warn("Fires may run again: the share group does not answer", e);
    }
  }

  /** Each record is a partition of its own: it is finished when nothing of it is left. */
  private AssignedPartition accept(ConsumerRecord<byte[], byte[]> record) {
    AssignedPartition known = held.get(Place.of(record));
    if (known != null) {
      return known;
    }
    AssignedPartition source = queue.open(Backlog.NONE, record.offset());
    if (fireReader.accept(source, List.of(record)) == 0) {
      return source; // its schema is not available now
    }
    queue.passed(source, record.offset() + 1);
    held.put(Place.of(record), source);
    return source;
  }

  @Override
  public void handBack(Duration patience) {
    try {
      queue.handBack(List.copyOf(held.values()), patience, config.patience().plus(PAUSE));
      worker.outbox().flush(ANSWER_BOUND);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (KafkaException e) {
      LOG.warn("Finished fires may run again", e);
    }
    handedBack.countDown();
  }

  @Override
  public long lag() {
    return held.size();
  }

  @Override
  public void close(Duration bound) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
