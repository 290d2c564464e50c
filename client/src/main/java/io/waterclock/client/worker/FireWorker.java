package io.waterclock.client.worker;

import io.waterclock.client.UnavailableException;
import io.waterclock.client.dedup.InMemoryDeduplicator;
import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.retry.FailureText;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.Turns;
import io.waterclock.client.topics.KafkaVersion;
import io.waterclock.client.worker.WorkerStatus.State;
import io.waterclock.client.worker.brokers.ClientSettings;
import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.client.worker.brokers.DefinitionWriter;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.client.worker.brokers.ShareGroup;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.kafka.clients.CommonClientConfigs;
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
public final class FireWorker implements WorkerListener.WorkerView, AutoCloseable {
  private static final Logger LOG = SafeLogger.of(FireWorker.class);
  private static final Duration STOP_BOUND = Duration.ofSeconds(30);
  private static final Duration CLIENTS_BOUND = Duration.ofSeconds(5);

  private final WorkerConfig config;
  private final Producer<byte[], byte[]> producer;
  private final Optional<SchemaRegistry> registry;
  private final WorkQueue queue;
  private final ConfirmedOutbox confirmed;
  private final Unhandled unhandled;
  private final WorkerPool workerPool;
  private final FireReader.Loop loop;
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
    Outbox outbox = new Outbox(producer, this::fail);
    WorkerMemory memory =
        new WorkerMemory(
            outbox,
            MemoryTopic.of(config.topics(), config.admin()),
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
            new SplittableRandom(),
            memory);
    this.confirmed = new ConfirmedOutbox(outbox);
    DeadLetterTopic deadLetters =
        new DeadLetterTopic(
            confirmed, config.deadLetterTopic(), config.groupId(), config.listener());
    OutcomeReporter reports =
        new OutcomeReporter(
            outbox,
            config.topics().outcomes(),
            config.groupId() + "/" + ManagementFactory.getRuntimeMXBean().getName(),
            config.reporting(),
            config.listener());
    DefinitionWriter definitions = new DefinitionWriter(outbox, config.topics().schedules());
    this.queue =
        new WorkQueue(
            buffer, turns, memory, config.payloads(), definitions, confirmed::isFull, clock);
    WorkerContext worker =
        new WorkerContext(
            config,
            queue,
            confirmed,
            memory,
            new RetryTopic(confirmed, config.topics(), config.groupId()),
            clock,
            () -> goesOn(state()),
            status -> found(status));
    CompletionHandler completionHandler = new CompletionHandler(worker, reports, deadLetters);
    SchemaSource schemas = registry.<SchemaSource>map(known -> known).orElse(SchemaSource.none());
    this.unhandled = new Unhandled(config.groupId(), config.onUnhandled(), config.listener());
    FireReader fireReader = new FireReader(worker, unhandled, completionHandler, schemas);
    this.workerPool = new WorkerPool(worker, completionHandler, this::fail);
    this.loop = loop(worker, fireReader);
  }

  /** Closes what there is if the consumer's settings are wrong. */
  private FireReader.Loop loop(WorkerContext worker, FireReader fireReader) {
    try {
      return config.isOrdered()
          ? new PollLoop(worker, fireReader)
          : new ShareLoop(worker, fireReader);
    } catch (RuntimeException e) {
      registry.ifPresent(SchemaRegistry::close);
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
  public static Builder builder(String bootstrapServers, String groupId) {
    return new Builder(bootstrapServers, groupId);
  }

  private static FireWorker start(WorkerConfig config) {
    FireWorker worker = new FireWorker(config);
    worker.workerPool.start(config.threads());
    try {
      config.listener().ifPresent(listener -> listener.onStart(worker));
    } catch (RuntimeException | Error e) {
      worker.fail(e);
      throw e;
    } finally {
      new Thread(worker::poll, "waterclock-worker-" + config.groupId() + "-poll").start();
    }
    return worker;
  }

  @Override
  public String groupId() {
    return config.groupId();
  }

  /** The worker's current state. */
  public State state() {
    return status.state();
  }

  @Override
  public WorkerStatus status() {
    return status;
  }

  @Override
  public long lag() {
    return loop.lag();
  }

  @Override
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
    become(found.with(confirmed.problem().or(() -> registry.flatMap(SchemaRegistry::problem))));
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
            "The worker of the group {} is {}, after {}{}",
            config.groupId(),
            now.state(),
            state(),
            now.cause().map(why -> ": " + why).orElse(""));
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
            .map(why -> WorkerStatus.of(State.FAILED, FailureText.of(why)))
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
                      "Kafka at %s: %s".formatted(config.address(), RootCause.of(cause)), cause)
                  : cause);
    }
    become(WorkerStatus.of(State.STOPPING, FailureText.of(cause)));
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

  /**
   * Builds a {@link FireWorker}. If several handlers match a fire, the most specific one gets it:
   * schedule id, longest prefix of the id, type, label, queue, owner, any. All workers of a group
   * need the same handlers: a fire that no handler of a worker takes is skipped for the whole
   * group, so two services need two groups. {@link #onUnhandled} changes what happens to such
   * fires.
   *
   * <p>Not thread-safe; used once.
   */
  public static final class Builder {
    private static final int MAX_GROUP_ID = 200;

    private final String groupId;
    private final Handlers handlers = new Handlers();
    private final Map<String, Object> common = new HashMap<>();
    private final Map<String, Object> consumer = new HashMap<>();
    private final Map<String, Object> producer = new HashMap<>();
    private final Map<String, Integer> shares = new HashMap<>();
    private Topics topics = Topics.ofDefault();
    private PayloadMapper mapper = JacksonMapper.standard();
    private Optional<OnUnhandled> onUnhandled = Optional.empty();
    private Optional<String> deadLetterTopic = Optional.empty();
    private BiFunction<Fire, RunPolicy, RunPolicy> policy = (fire, policyOfFire) -> policyOfFire;
    private int threads = 8;
    private int buffer = 1_000;
    private int remembered = 100_000;
    private Reporting reporting = Reporting.RESULTS;
    private RetryPlan retry = RetryPlan.standard();
    private boolean ordered = true;
    private StartAt startAt = StartAt.BEGINNING;
    private Duration patience = Duration.ofSeconds(5);
    private Duration handOver = Duration.ofSeconds(10);
    private final List<WorkerListener> listeners = new ArrayList<>();

    private Builder(String bootstrapServers, String groupId) {
      if (groupId.isBlank() || groupId.length() > MAX_GROUP_ID) {
        throw new IllegalArgumentException(
            "a group id has 1 to " + MAX_GROUP_ID + " characters, for example \"reports\"");
      }
      this.groupId = groupId;
      common.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    }

    /**
     * Handles the fires of one schedule.
     *
     * @throws InvalidIdException if the id is not a valid schedule id
     * @throws IllegalArgumentException if it has a handler already; the other methods throw the
     *     same
     */
    public Builder onSchedule(String id, FireHandler handler) {
      handlers.put(Handlers.By.ID, ScheduleId.parse(id).value(), handler);
      return this;
    }

    /**
     * Handles the fires of schedules whose id begins with a prefix.
     *
     * @param prefix empty for all
     */
    public Builder onPrefix(String prefix, FireHandler handler) {
      if (!prefix.isEmpty()) {
        ScheduleId.parse(prefix); // each beginning of an id is one
      }
      handlers.put(Handlers.By.PREFIX, prefix, handler);
      return this;
    }

    /** Handles the fires of schedules of this type. */
    public Builder onType(String type, FireHandler handler) {
      handlers.put(Handlers.By.TYPE, type, handler);
      return this;
    }

    /**
     * Handles the fires of schedules with this label. If a schedule has several labels with
     * handlers, the handler that was added first gets the fire.
     */
    public Builder onLabel(String name, String value, FireHandler handler) {
      handlers.put(Handlers.By.LABEL, Map.entry(name, value), handler);
      return this;
    }

    /** Handles the fires of schedules of this owner. */
    public Builder onOwner(String owner, FireHandler handler) {
      handlers.put(Handlers.By.OWNER, owner, handler);
      return this;
    }

    /** Handles the fires of schedules with this queue. */
    public Builder onQueue(String queue, FireHandler handler) {
      handlers.put(Handlers.By.QUEUE, queue, handler);
      return this;
    }

    /**
     * Handles the fires of schedules with this queue, with a share of the threads: at most {@code
     * atMost} of this queue's fires run at a time in this worker, in their own order, whichever
     * handler takes them. The other threads are for other fires.
     *
     * @param atMost at least 1
     */
    public Builder onQueue(String queue, int atMost, FireHandler handler) {
      shares.put(queue, atLeastOne("atMost", atMost));
      return onQueue(queue, handler);
    }

    /** Handles all fires that no other handler takes. */
    public Builder onAny(FireHandler handler) {
      handlers.put(Handlers.By.ANY, "any", handler);
      return this;
    }

    /** The mapper of {@link Run#payloadAs}; {@link JacksonMapper#standard} unless set. */
    public Builder payloads(PayloadMapper payloads) {
      mapper = payloads;
      return this;
    }

    /** The mapper of {@link Run#payloadAs}. For tests without a worker. */
    public PayloadMapper payloads() {
      return mapper;
    }

    /**
     * Runs fires in any order, on more threads than the topic of fires has partitions: the worker
     * is a member of a share group, which lends each fire to any of its members. It gives up the
     * order of a schedule's fires, {@code tolerance}, checkpoints and the rule for backlogs; see
     * docs/consuming.md. Needs kafka-clients and brokers 4.2 or later. A group id is either a share
     * group or not.
     */
    public Builder unordered() {
      ordered = false;
      return this;
    }

    /**
     * Sets what happens to fires that no handler takes. By default the worker skips them, and warns
     * once.
     */
    public Builder onUnhandled(OnUnhandled action) {
      onUnhandled = Optional.of(action);
      return this;
    }

    /**
     * Sets where a new group begins: a group that has never committed an offset. {@link
     * StartAt#BEGINNING} unless set, so that a service misses no fire that came before its first
     * start.
     */
    public Builder startAt(StartAt start) {
      startAt = start;
      return this;
    }

    /** The prefix of the topics, the tenant. {@code waterclock} unless set. */
    public Builder prefix(String prefix) {
      topics = new Topics(prefix);
      return this;
    }

    /** The topic for failed fires. {@code <prefix>.dlq} unless set. */
    public Builder deadLetterTopic(String topic) {
      deadLetterTopic = Optional.of(topic);
      return this;
    }

    /**
     * Changes how fires run: the function gets the fire and the policy of its schedule, and returns
     * the policy to use. It can set defaults and overrides:
     *
     * <pre>{@code
     * .policy((fire, policy) -> policy.expires().isPresent() ? policy : policy.withExpires(HOUR))
     * }</pre>
     *
     * The function must be quick and pure; an exception of it ends the worker.
     */
    public Builder policy(BiFunction<Fire, RunPolicy, RunPolicy> change) {
      policy = change;
      return this;
    }

    /**
     * How long a fire waits before each further run when the attempts of a run have failed, {@code
     * max_attempts} of them or those within its timeout: 1m, 10m, 1h, 6h unless set. The fire waits
     * in Kafka, other fires of its schedule go on meanwhile, and it returns to this group only.
     * After the last wait it is a dead letter. {@link #policy} may choose another plan for a fire,
     * with {@link RunPolicy#withRetry}. Needs a scheduler with {@code retries=true}; without it,
     * and with {@link RetryPlan#none}, a fire whose attempts have failed is a dead letter.
     */
    public Builder retry(RetryPlan plan) {
      retry = plan;
      return this;
    }

    /** The handler of a fire in this worker; empty if it has none. For tests without a worker. */
    public Optional<FireHandler> handlerOf(Fire fire) {
      return handlers.of(fire);
    }

    /** How many handlers run at a time, at least 1. 8 unless set. */
    public Builder threads(int count) {
      threads = atLeastOne("threads", count);
      return this;
    }

    /**
     * How many fires of a partition may wait in this worker before it stops reading the partition,
     * at least 1. 1,000 unless set. It also stops while 4 MiB of them wait.
     */
    public Builder buffer(int fires) {
      buffer = atLeastOne("buffer", fires);
      return this;
    }

    /**
     * How many fire ids the worker remembers, to drop duplicates; at least 1. 100,000 unless set.
     */
    public Builder remember(int fires) {
      remembered = atLeastOne("remember", fires);
      return this;
    }

    /**
     * Which outcomes it reports beside those that a fire asks for, but never those of a backfill.
     * {@link Reporting#RESULTS} unless set.
     */
    public Builder report(Reporting which) {
      reporting = which;
      return this;
    }

    /**
     * How long a cancelled handler may take to end before the worker abandons its thread; zero or
     * more. 5 s unless set.
     */
    public Builder patience(Duration time) {
      patience = notNegative("patience", time);
      return this;
    }

    /**
     * How long handlers may go on when their partition goes to another worker, before the worker
     * cancels them; zero or more. Keep the sum of this time and {@link #patience} below {@code
     * max.poll.interval.ms}. 10 s unless set.
     */
    public Builder handOver(Duration time) {
      handOver = notNegative("handOver", time);
      return this;
    }

    /** Adds a listener, for example {@link io.waterclock.client.metrics.WorkerMetrics}. */
    public Builder listener(WorkerListener listener) {
      listeners.add(listener);
      return this;
    }

    /**
     * Settings for all Kafka clients, for example of a secured cluster, and for a schema registry
     * if the scheduler writes in the registry format: {@code schema.registry.url} and the other
     * settings of Confluent's serializers ({@link RegistrySettings#KEYS}).
     */
    public Builder kafka(Map<String, ?> settings) {
      common.putAll(settings);
      return this;
    }

    /** Settings for the consumer of fires, such as {@code session.timeout.ms}. */
    public Builder consumer(Map<String, ?> settings) {
      consumer.putAll(settings);
      return this;
    }

    /** Settings for the producer of outcomes and dead letters. */
    public Builder producer(Map<String, ?> settings) {
      producer.putAll(settings);
      return this;
    }

    /**
     * Starts the worker and returns at once. The worker waits for a cluster that does not answer.
     * It ends in the state FAILED if it can never run a fire: the topic of fires does not exist, it
     * has no right to read the topic, or a handler's {@link FireHandler#check} fails. {@link
     * FireWorker#awaitRunning} waits for either result.
     *
     * @throws IllegalStateException if there is no handler
     * @throws IllegalArgumentException if {@link #unordered} is set, and kafka-clients is older
     *     than 4.2
     * @throws IllegalArgumentException if a setting of the Kafka clients or of the registry is
     *     wrong
     */
    public FireWorker start() {
      if (handlers.all().isEmpty()) {
        throw new IllegalStateException(
            "a worker needs a handler, for example onPrefix(\"reports/\", run -> ...)");
      }
      if (!ordered) {
        ShareGroup.checkClient(KafkaVersion.ofClients());
      }
      try {
        return FireWorker.start(config());
      } catch (KafkaException e) {
        throw new IllegalArgumentException(RootCause.of(e), e);
      }
    }

    WorkerConfig config() {
      Optional<RegistrySettings> registry = RegistrySettings.among(common);
      common.keySet().removeAll(RegistrySettings.KEYS);
      return new WorkerConfig(
          groupId,
          topics,
          deadLetterTopic.orElse(topics.dlq()),
          handlers,
          new Payloads(mapper),
          onUnhandled,
          policy,
          threads,
          buffer,
          Map.copyOf(shares),
          remembered,
          reporting,
          retry,
          ordered,
          startAt,
          patience,
          handOver,
          listeners.isEmpty()
              ? Optional.empty()
              : Optional.of(new GuardedListener(List.copyOf(listeners))),
          registry,
          ClientSettings.consumer(common, consumer, groupId),
          ClientSettings.producer(common, producer),
          Map.copyOf(common));
    }

    private static int atLeastOne(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " " + value + " must be at least 1");
      }
      return value;
    }

    private static Duration notNegative(String name, Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException(name + " " + value + " must be zero or more");
      }
      return value;
    }
  }
}
