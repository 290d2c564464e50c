package io.waterclock.client.worker;

import io.waterclock.client.UnavailableException;
import io.waterclock.client.dedup.InMemoryDeduplicator;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.Turns;
import io.waterclock.client.topics.Reasons;
import io.waterclock.client.worker.brokers.ClientSettings;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;

/**
 * Runs the fires of a service: it reads them, calls a handler for each, keeps their order, and
 * handles timeouts, retries, dead letters and offsets. Start any number of workers with one group
 * id and the same handlers, in any number of processes; they share the schedules.
 *
 * <pre>{@code
 * try (FireWorker worker =
 *     FireWorker.builder("localhost:9092", "reports")
 *         .onPrefix("reports/", run -> write(run.payload()))
 *         .start()) {
 *   worker.await();
 * }
 * }</pre>
 *
 * <p>A schedule's fires run one after another in their order; different schedules run in parallel.
 * When a handler has succeeded, the worker commits the fire's offset. So each fire runs at least
 * once, and exactly once unless a process dies between the effect and the commit; {@link
 * JdbcFireHandler} closes that gap for effects in a database. See docs/consuming.md.
 *
 * <p>Thread-safe.
 */
public final class FireWorker implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(FireWorker.class);
  private static final Duration STOP_BOUND = Duration.ofSeconds(30);
  private static final Duration CLIENTS_BOUND = Duration.ofSeconds(5);

  /** The state of a worker. */
  public enum State {
    /**
     * It has not joined its group yet: it connects to the cluster and looks for the topic and the
     * group.
     */
    CONNECTING,
    /** It is a member of its group, and runs fires or waits for new ones. */
    RUNNING,
    /**
     * It was RUNNING, and something that it needs does not work now: the group coordinator has not
     * answered for a while, the schema registry does not answer, or a dead letter cannot be
     * written. It finishes what it can, and continues by itself.
     */
    DEGRADED,
    /** It starts no more fires, and finishes or hands back those that it holds. */
    STOPPING,
    /** It has ended. */
    STOPPED,
    /**
     * It has ended after a failure from which it cannot recover; other workers of its group
     * continue.
     */
    FAILED
  }

  /**
   * The parts of a worker that its threads share. All of them are thread-safe.
   *
   * @param goesOn false once the worker is to stop
   * @param found called with CONNECTING, RUNNING or DEGRADED
   */
  record Context(
      WorkerConfig config,
      WorkQueue queue,
      Outbox outbox,
      WorkerMemory memory,
      InstantSource clock,
      BooleanSupplier goesOn,
      Consumer<WorkerStatus> found) {}

  /** Reads fires in the worker's polling thread, and gives finished ones back to the brokers. */
  interface Loop {
    /** Reads until the worker is to stop. */
    void run() throws Exception;

    /**
     * Hands back everything that is not finished.
     *
     * @param patience how long running handlers may take to end before the worker cancels them
     */
    void handBack(Duration patience);

    /** The number of unfinished records, about a second ago. Thread-safe. */
    long lag();

    /** Closes the Kafka clients of the loop. */
    void close(Duration bound);
  }

  private final WorkerConfig config;
  private final Producer<byte[], byte[]> producer;
  private final Optional<SchemaRegistry> registry;
  private final WorkQueue queue;
  private final DeadLetterTopic deadLetters;
  private final Unhandled unhandled;
  private final WorkerPool workerPool;
  private final Loop loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile WorkerStatus status = WorkerStatus.of(State.CONNECTING);
  private volatile Duration stopBound = STOP_BOUND;
  private volatile Optional<Throwable> failure = Optional.empty();

  private FireWorker(WorkerConfig config) {
    InstantSource clock = InstantSource.system();
    this.config = config;
    this.producer =
        new KafkaProducer<>(
            config.producer(), new ByteArraySerializer(), new ByteArraySerializer());
    this.registry = config.registry().map(SchemaRegistry::new);
    Outbox outbox = new Outbox(producer);
    WorkerMemory memory =
        new WorkerMemory(
            outbox,
            new MemoryTopic(config.topics(), config.admin()),
            ClientSettings.withoutGroup(config.consumer()),
            config.groupId(),
            config.isOrdered());
    FireBuffer<HandledRecord> buffer =
        new FireBuffer<>(
            config.buffer(),
            config.shares(),
            config.isOrdered() ? Fire::getScheduleId : Fire::getFireId);
    Turns<HandledRecord> turns =
        new Turns<>(
            buffer,
            new InMemoryDeduplicator(config.remembered()),
            config.isOrdered() ? memory::lastStart : schedule -> Optional.empty(),
            config.patience(),
            new SplittableRandom());
    this.deadLetters = new DeadLetterTopic(outbox, config.deadLetterTopic(), config.listener());
    OutcomeReporter reports =
        new OutcomeReporter(
            outbox, config.topics().outcomes(), config.alwaysReport(), config.listener());
    this.queue = new WorkQueue(buffer, turns, memory, config.payloads(), clock);
    Context worker =
        new Context(
            config, queue, outbox, memory, clock, () -> goesOn(state()), status -> found(status));
    CompletionHandler completionHandler = new CompletionHandler(worker, reports, deadLetters);
    SchemaSource schemas = registry.<SchemaSource>map(known -> known).orElse(SchemaSource.none());
    this.unhandled = new Unhandled(config.groupId(), config.onUnhandled(), config.listener());
    FireReader fireReader =
        new FireReader(worker, unhandled, completionHandler, deadLetters, schemas);
    this.workerPool = new WorkerPool(worker, completionHandler, deadLetters, this::fail);
    this.loop = loop(worker, fireReader);
  }

  /** Closes the producer if the consumer's settings are wrong. */
  private Loop loop(Context worker, FireReader fireReader) {
    try {
      return config.isOrdered()
          ? new PollLoop(worker, fireReader)
          : new ShareLoop(worker, fireReader);
    } catch (KafkaException e) {
      producer.close(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Builds a worker.
   *
   * @param bootstrapServers the addresses of the Kafka cluster
   * @param groupId the group of the service; workers with the same group id share the fires
   */
  public static FireWorkerBuilder builder(String bootstrapServers, String groupId) {
    return new FireWorkerBuilder(bootstrapServers, groupId);
  }

  static FireWorker start(WorkerConfig config) {
    FireWorker worker = new FireWorker(config);
    worker.workerPool.start(config.threads());
    try {
      config.listener().ifPresent(listener -> listener.onStart(worker));
    } catch (RuntimeException e) {
      worker.fail(e);
      throw e;
    } finally {
      new Thread(worker::poll, "waterclock-worker-" + config.groupId() + "-poll").start();
    }
    return worker;
  }

  /** The group of the service. */
  public String groupId() {
    return config.groupId();
  }

  /** The worker's current state. */
  public State state() {
    return status.state();
  }

  /** The state and its cause, of the same moment. */
  public WorkerStatus status() {
    return status;
  }

  /**
   * How many records of the fires topic the worker has not finished, of its partitions and about a
   * second ago: fires that it has not read, that wait in it, or that run.
   */
  public long lag() {
    return loop.lag();
  }

  /** How many fires wait in the worker for a thread. */
  public int backlog() {
    return queue.waiting();
  }

  private static boolean goesOn(State state) {
    return switch (state) {
      case CONNECTING, RUNNING, DEGRADED -> true;
      case STOPPING, STOPPED, FAILED -> false;
    };
  }

  private void found(WorkerStatus found) {
    become(found.with(deadLetters.problem().or(() -> registry.flatMap(SchemaRegistry::problem))));
  }

  /** A worker that stops only ends; the listener is called without the lock. */
  private void become(WorkerStatus now) {
    synchronized (this) {
      boolean isEnd = now.state() == State.STOPPED || now.state() == State.FAILED;
      if ((!isEnd && !goesOn(state())) || status.equals(now)) {
        return;
      }
      if (state() != now.state()) {
        LOG.info(
            "The worker of the group {} was {} and is {}: {}",
            config.groupId(),
            state(),
            now.state(),
            now.cause().orElse("as it should be"));
      }
      status = now;
      notifyAll();
    }
    config.listener().ifPresent(listener -> listener.onStatus(now));
  }

  /**
   * Waits until the worker has joined its group. A service calls this before it reports that it is
   * ready.
   *
   * @throws NotRunningException if the worker has ended, with the failure as the cause, or has not
   *     joined in time
   */
  public synchronized void awaitRunning(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    long leftMs = atMost.toMillis();
    while (goesOn(state()) && state() != State.RUNNING && leftMs > 0) {
      wait(leftMs);
      leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    WorkerStatus found = status;
    if (found.state() != State.RUNNING) {
      throw new NotRunningException(
          "the worker of %s is %s%s%s"
              .formatted(
                  config.groupId(),
                  found.state(),
                  goesOn(found.state()) ? " and was not RUNNING in time" : "",
                  found.cause().map(why -> ": " + why).orElse("")),
          failure.orElse(null));
    }
  }

  /** The failure, if the state is FAILED. */
  public Optional<Throwable> failure() {
    return failure;
  }

  /**
   * How many fires the worker has read that none of its handlers takes, by the prefix of their
   * schedule ids up to the first slash; for the first 1,000 prefixes, and for all others together
   * under "".
   */
  public Map<String, Long> unhandled() {
    return unhandled.counts();
  }

  /** Waits until the worker has ended. */
  public void await() throws InterruptedException {
    ended.await();
  }

  /** {@link #close(Duration)} with 30 seconds. */
  @Override
  public void close() {
    close(STOP_BOUND);
  }

  /**
   * Ends the worker. It starts no more fires and lets running handlers end within the bound. Then
   * it cancels them, and hands unfinished fires back for another worker. Returns when the worker
   * has ended, a few seconds after the bound at most.
   */
  public void close(Duration bound) {
    if (goesOn(state())) {
      stopBound = bound;
    }
    become(WorkerStatus.of(State.STOPPING));
    try {
      Duration most = bound.plus(config.patience()).plus(CLIENTS_BOUND.multipliedBy(4));
      if (!ended.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.error("The worker did not end within {}", most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * An {@link Error}, for example running out of memory, ends the worker like any failure, and
   * reaches the listener.
   */
  private void poll() {
    try {
      loop.run();
    } catch (Throwable e) {
      fail(e);
    }
    try {
      loop.handBack(failure.isEmpty() ? stopBound : Duration.ZERO);
    } catch (Throwable e) {
      fail(e);
    }
    queue.stop();
    closeClients();
    workerPool.close();
    become(
        failure
            .map(why -> WorkerStatus.of(State.FAILED, Text.of(why)))
            .orElse(WorkerStatus.of(State.STOPPED)));
    ended.countDown();
    config.listener().ifPresent(listener -> failure.ifPresent(listener::onFailure));
  }

  /** Any thread of the worker may call this; the polling thread then ends the worker. */
  private void fail(Throwable cause) {
    synchronized (this) {
      if (failure.isPresent() || state() == State.STOPPED) {
        LOG.error("The worker of the group {} has failed again", config.groupId(), cause);
        return;
      }
      LOG.error(
          "The worker of the group {} ends after a failure from which it cannot recover",
          config.groupId(),
          cause);
      failure =
          Optional.of(
              cause instanceof KafkaException
                  ? new UnavailableException(
                      "Kafka at %s: %s".formatted(config.address(), Reasons.of(cause)), cause)
                  : cause);
    }
    become(WorkerStatus.of(State.STOPPING, Text.of(cause)));
  }

  private void closeClients() {
    registry.ifPresent(SchemaRegistry::close);
    closeCleanly("consumer", () -> loop.close(CLIENTS_BOUND));
    closeCleanly("producer", () -> producer.close(CLIENTS_BOUND));
  }

  private static void closeCleanly(String client, Runnable close) {
    try {
      close.run();
    } catch (RuntimeException e) {
      LOG.warn("The {} did not close cleanly", client, e);
    }
  }
}
