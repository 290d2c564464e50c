package io.waterclock.client.worker;

import io.waterclock.client.payload.JacksonMapper;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.payload.Payloads;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.topics.Reasons;
import io.waterclock.client.worker.brokers.ClientSettings;
import io.waterclock.client.worker.brokers.ShareGroup;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.registry.RegistrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Builds a {@link FireWorker}. If several handlers match a fire, the most specific one gets it:
 * schedule id, longest prefix of the id, type, label, queue, owner, any. All workers of a group
 * need the same handlers: a fire that no handler of a worker takes is skipped for the whole group,
 * so two services need two groups. {@link #onUnhandled} changes what happens to such fires.
 *
 * <p>Not thread-safe; used once.
 */
public final class FireWorkerBuilder {
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
  private boolean alwaysReport;
  private boolean ordered = true;
  private Duration patience = Duration.ofSeconds(5);
  private Duration handOver = Duration.ofSeconds(10);
  private final List<WorkerListener> listeners = new ArrayList<>();

  FireWorkerBuilder(String bootstrapServers, String groupId) {
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
   * @throws IllegalArgumentException if it has a handler already; the other methods throw the same
   */
  public FireWorkerBuilder onSchedule(String id, FireHandler handler) {
    handlers.put(Handlers.By.ID, ScheduleId.parse(id).value(), handler);
    return this;
  }

  /** Handles the fires of schedules whose id begins with a prefix. */
  public FireWorkerBuilder onPrefix(String prefix, FireHandler handler) {
    handlers.put(Handlers.By.PREFIX, prefix, handler);
    return this;
  }

  /** Handles the fires of schedules of this type. */
  public FireWorkerBuilder onType(String type, FireHandler handler) {
    handlers.put(Handlers.By.TYPE, type, handler);
    return this;
  }

  /**
   * Handles the fires of schedules with this label. If a schedule has several labels with handlers,
   * the handler that was added first gets the fire.
   */
  public FireWorkerBuilder onLabel(String name, String value, FireHandler handler) {
    handlers.put(Handlers.By.LABEL, Map.entry(name, value), handler);
    return this;
  }

  /** Handles the fires of schedules of this owner. */
  public FireWorkerBuilder onOwner(String owner, FireHandler handler) {
    handlers.put(Handlers.By.OWNER, owner, handler);
    return this;
  }

  /** Handles the fires of schedules with this queue. */
  public FireWorkerBuilder onQueue(String queue, FireHandler handler) {
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
  public FireWorkerBuilder onQueue(String queue, int atMost, FireHandler handler) {
    shares.put(queue, atLeastOne("atMost", atMost));
    return onQueue(queue, handler);
  }

  /** Handles all fires that no other handler takes. */
  public FireWorkerBuilder onAny(FireHandler handler) {
    handlers.put(Handlers.By.ANY, "any", handler);
    return this;
  }

  /** The mapper of {@link Run#payloadAs}; {@link JacksonMapper#standard} unless set. */
  public FireWorkerBuilder payloads(PayloadMapper payloads) {
    mapper = payloads;
    return this;
  }

  /**
   * Runs fires in any order, on more threads than the topic of fires has partitions: the worker is
   * a member of a share group, which lends each fire to any of its members. It gives up the order
   * of a schedule's fires, {@code tolerance}, checkpoints and the rule for backlogs; see
   * docs/consuming.md. Needs kafka-clients and brokers 4.2 or later. A group id is either a share
   * group or not.
   */
  public FireWorkerBuilder unordered() {
    ordered = false;
    return this;
  }

  /**
   * Sets what happens to fires that no handler takes. By default the worker skips them, with one
   * warning for each prefix of their schedule ids.
   */
  public FireWorkerBuilder onUnhandled(OnUnhandled action) {
    onUnhandled = Optional.of(action);
    return this;
  }

  /** The prefix of the topics, the tenant. {@code waterclock} unless set. */
  public FireWorkerBuilder prefix(String prefix) {
    topics = new Topics(prefix);
    return this;
  }

  /** The topic for failed fires. {@code <prefix>.dlq} unless set. */
  public FireWorkerBuilder deadLetterTopic(String topic) {
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
  public FireWorkerBuilder policy(BiFunction<Fire, RunPolicy, RunPolicy> change) {
    policy = change;
    return this;
  }

  /** The handler of a fire in this worker; empty if it has none. For tests without a worker. */
  public Optional<FireHandler> handlerOf(Fire fire) {
    return handlers.of(fire);
  }

  /** How many handlers run at a time, at least 1. 8 unless set. */
  public FireWorkerBuilder threads(int count) {
    threads = atLeastOne("threads", count);
    return this;
  }

  /**
   * How many fires of a partition may wait in this worker before it stops reading the partition, at
   * least 1. 1,000 unless set.
   */
  public FireWorkerBuilder buffer(int fires) {
    buffer = atLeastOne("buffer", fires);
    return this;
  }

  /** How many fire ids the worker remembers, to drop duplicates; at least 1. 100,000 unless set. */
  public FireWorkerBuilder remember(int fires) {
    remembered = atLeastOne("remember", fires);
    return this;
  }

  /**
   * Reports the outcome of every fire except those of a backfill. By default the worker reports
   * only fires whose schedule asks for it.
   */
  public FireWorkerBuilder reportAll() {
    alwaysReport = true;
    return this;
  }

  /**
   * How long a cancelled handler may take to end before the worker abandons its thread; zero or
   * more. 5 s unless set.
   */
  public FireWorkerBuilder patience(Duration time) {
    patience = notNegative("patience", time);
    return this;
  }

  /**
   * How long handlers may go on when their partition goes to another worker, before the worker
   * cancels them; zero or more. Keep the sum of this time and {@link #patience} below {@code
   * max.poll.interval.ms}. 10 s unless set.
   */
  public FireWorkerBuilder handOver(Duration time) {
    handOver = notNegative("handOver", time);
    return this;
  }

  /** Adds a listener, for example {@link io.waterclock.client.metrics.WorkerMetrics}. */
  public FireWorkerBuilder listener(WorkerListener listener) {
    listeners.add(listener);
    return this;
  }

  /**
   * Settings for all Kafka clients, for example of a secured cluster, and for a schema registry if
   * the scheduler writes in the registry format: {@code schema.registry.url} and the other settings
   * of Confluent's serializers ({@link RegistrySettings#KEYS}).
   */
  public FireWorkerBuilder kafka(Map<String, ?> settings) {
    common.putAll(settings);
    return this;
  }

  /** Settings for the consumer of fires, such as {@code session.timeout.ms}. */
  public FireWorkerBuilder consumer(Map<String, ?> settings) {
    consumer.putAll(settings);
    return this;
  }

  /** Settings for the producer of outcomes and dead letters. */
  public FireWorkerBuilder producer(Map<String, ?> settings) {
    producer.putAll(settings);
    return this;
  }

  /**
   * Starts the worker and returns at once. The worker waits for a cluster that does not answer. It
   * ends in the state FAILED if it can never run a fire: the topic of fires does not exist, it has
   * no right to read the topic, or a handler's {@link FireHandler#check} fails. {@link
   * FireWorker#awaitRunning} waits for either result.
   *
   * @throws IllegalStateException if there is no handler
   * @throws IllegalArgumentException if {@link #unordered} is set, and kafka-clients is older than
   *     4.2
   * @throws IllegalArgumentException if a setting of the Kafka clients or of the registry is wrong
   */
  public FireWorker start() {
    if (handlers.all().isEmpty()) {
      throw new IllegalStateException(
          "a worker needs a handler, for example onPrefix(\"reports/\", run -> ...)");
    }
    if (!ordered) {
      ShareGroup.checkClient(AppInfoParser.getVersion());
    }
    try {
      return FireWorker.start(config());
    } catch (KafkaException e) {
      throw new IllegalArgumentException(Reasons.of(e), e);
    }
  }

  private WorkerConfig config() {
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
        alwaysReport,
        ordered,
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
