package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.LoginFailures;
import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.schedules.Catalogue;
import io.waterclock.client.schedules.RunReader;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.runtime.brokers.Right;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.Reachability;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.registry.RegistryClient;
import io.waterclock.schemas.registry.RegistrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The Kafka cluster with the scheduler's topics, behind clients with a timeout of a few seconds, or
 * of {@code default.api.timeout.ms}. After two seconds without a byte from a broker, it says that
 * it waits. A broker that does not answer or a missing topic is a {@link Failure} in one sentence.
 */
public final class Cluster {
  /** The setting of the longest wait for a broker, in milliseconds. */
  static final String LONGEST_CALL = "default.api.timeout.ms";

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** How long a registry that does not answer is not asked again. */
  private static final Duration OUTAGE = Duration.ofSeconds(1);

  /** For a record of a redrive, and for the end of the redrive before it. */
  private static final Duration LONGEST_REDRIVE = Duration.ofSeconds(30);

  private static final int LARGEST_REQUEST = 64 * 1024 * 1024;

  private final Map<String, Object> settings;
  private final Duration timeout;
  private final String address;
  private final Topics topics;
  private final Map<String, String> registry;
  private final SchemaSource schemas;
  private final WaitingNote waiting;

  private Cluster(
      Map<String, Object> settings,
      Duration timeout,
      String address,
      Topics topics,
      Map<String, String> registry,
      WaitingNote waiting) {
    this.settings = settings;
    this.timeout = timeout;
    this.address = address;
    this.topics = topics;
    this.registry = registry;
    this.schemas = schemas(registry);
    this.waiting = waiting;
  }

  /**
   * Does not connect yet.
   *
   * @param note takes a sentence about a broker that is slow to answer, on any thread
   */
  static Cluster of(ConnectionOptions options, java.util.function.Consumer<String> note) {
    return of(
        options.clientSettings(),
        options.bootstrapServer(),
        options.topics(),
        options.registry(),
        note);
  }

  /** The same without options; leaves the log level of the Kafka clients unchanged. */
  public static Cluster of(
      Map<String, Object> clients, String address, Topics topics, Map<String, String> registry) {
    return of(clients, address, topics, registry, sentence -> {});
  }

  private static Cluster of(
      Map<String, Object> clients,
      String address,
      Topics topics,
      Map<String, String> registry,
      java.util.function.Consumer<String> note) {
    Duration timeout = timeout(clients);
    int timeoutMs = (int) timeout.toMillis();
    Map<String, Object> settings = new HashMap<>(clients);
    settings.put(LONGEST_CALL, timeoutMs);
    settings.put("request.timeout.ms", timeoutMs);
    settings.put("enable.metrics.push", false);
    return new Cluster(
        settings, timeout, address, topics, registry, new WaitingNote(address, timeout, note));
  }

  private static Duration timeout(Map<String, Object> clients) {
    Object given = clients.getOrDefault(LONGEST_CALL, (int) TIMEOUT.toMillis());
    try {
      int timeoutMs = (int) ConfigDef.parseType(LONGEST_CALL, given, ConfigDef.Type.INT);
      ConfigDef.Range.atLeast(1).ensureValid(LONGEST_CALL, timeoutMs);
      return Duration.ofMillis(timeoutMs);
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  /** The cluster of a broker, with default settings. */
  public static Cluster at(String bootstrapServers, Topics topics) {
    ConnectionOptions options = new ConnectionOptions();
    options.bootstrapServer = Optional.of(bootstrapServers);
    options.prefix = Optional.of(topics.prefix());
    return of(options, sentence -> {});
  }

  public Topics topics() {
    return topics;
  }

  /** The longest time that a broker may take to answer. */
  public Duration timeout() {
    return timeout;
  }

  public String address() {
    return address;
  }

  /**
   * The schemas of records in the Confluent wire format. A registry that does not answer is a
   * {@link Failure}.
   */
  public SchemaSource schemas() {
    return id -> {
      SchemaSource.Lookup lookup = schemas.lookup(id);
      if (lookup instanceof SchemaSource.Lookup.Unavailable unavailable) {
        throw new Failure("The schema registry does not answer: " + unavailable.why());
      }
      return lookup;
    };
  }

  /** The same for readers that outlive an outage of the registry: it is no failure. Thread-safe. */
  public SchemaSource lastingSchemas() {
    return schemas;
  }

  private static SchemaSource schemas(Map<String, String> settings) {
    List<String> problems = new ArrayList<>();
    Optional<RegistrySettings> registry = RegistrySettings.parse(settings, problems);
    if (!problems.isEmpty()) {
      throw new Failure(problems);
    }
    return registry
        .map(known -> new RegistryClient(known).kept(OUTAGE))
        .orElseGet(SchemaSource::none);
  }

  public List<TopicPartition> partitions(String topic) {
    return reader().partitions(topic);
  }

  /** Of the partitions of the topic fires, the one in which a schedule's are. */
  public TopicPartition ofFires(String id, List<TopicPartition> fires) {
    return Partitions.ofFires(id, () -> partitions(topics().schedules()), fires);
  }

  /** Checks that a topic exists and may be written. */
  void checkWritable(String topic) {
    new TopicReader(
            this::consumer,
            (cause, name) -> failure(cause, Right.topic(AclOperation.WRITE, name)),
            ReadProgress.UNSEEN)
        .partitions(topic);
  }

  /** Reads topics; an error is a {@link Failure}. */
  public TopicReader reader() {
    return reader(ReadProgress.UNSEEN);
  }

  /** The same, with a report of the progress. */
  public TopicReader reader(ReadProgress progress) {
    return new TopicReader(
        this::consumer,
        (cause, topic) -> failure(cause, Right.topic(AclOperation.READ, topic)),
        progress);
  }

  /** Decodes the value of a record; empty for a tombstone or a value that cannot be decoded. */
  public <T extends SpecificRecordBase> Optional<T> decode(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record) {
    return codec.readable(record.value(), schemas());
  }

  /**
   * The newest watermarks of all partitions that ever had one, by partition.
   *
   * @param partitions how many the topic of schedules has
   */
  public Map<Integer, NewestWatermark> watermarks(int partitions) {
    return NewestWatermark.all(reader(), topics.watermarks(), schemas(), partitions);
  }

  /** Passes the values of a topic to {@code each}, but those that cannot be decoded. */
  public <T extends SpecificRecordBase> void each(
      RecordCodec<T> codec, String topic, java.util.function.Consumer<T> each) {
    reader().each(partitions(topic), record -> decode(codec, record).ifPresent(each));
  }

  /** The schedules that the topics contain. */
  public Catalogue catalogue(ReadProgress progress) {
    return new Catalogue(reader(progress), topics, schemas());
  }

  /**
   * What workers have reported of their runs.
   *
   * @param depth how many records of each partition to read, the newest
   */
  public RunReader runs(long depth) {
    return new RunReader(reader(), topics, schemas(), depth);
  }

  /**
   * Sends changes; to be closed by the caller. Does not connect yet.
   *
   * @param longest time that a record may wait in the client and for the broker
   */
  public Schedules schedules(Duration longest) {
    Map<String, Object> own = writing(longest);
    own.putAll(registry);
    return Schedules.builder(address).prefix(topics.prefix()).timeout(timeout).kafka(own).build();
  }

  public Map<String, Object> settings() {
    return settings;
  }

  public Admin admin() {
    try {
      Admin admin = Admin.create(settings);
      waiting.watch(admin::metrics);
      return admin;
    } catch (KafkaException e) {
      throw unusable(e);
    }
  }

  /** A consumer of committed records that belongs to no group. */
  private Consumer<byte[], byte[]> consumer() {
    Consumer<byte[], byte[]> consumer = ReaderSettings.consumer(settings);
    waiting.watch(consumer::metrics);
    return consumer;
  }

  /**
   * A producer with Kafka's own partitioner: the murmur2 hash of the key.
   *
   * @param longest time that a record may wait in the client and for the broker
   */
  public Producer<byte[], byte[]> producer(Duration longest) {
    Map<String, Object> own = writing(longest);
    own.remove(LONGEST_CALL);
    return new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** The brokers for redrives and discards of dead letters. */
  public Redrive.Brokers redriving() {
    Map<String, Object> own = writing(LONGEST_REDRIVE);
    own.remove(LONGEST_CALL);
    return Redrive.Brokers.of(own, topics);
  }

  private Map<String, Object> writing(Duration longest) {
    int timeoutMs = (int) longest.toMillis();
    Map<String, Object> own = new HashMap<>(settings);
    own.put("request.timeout.ms", Math.min(timeoutMs, (int) timeout.toMillis()));
    own.put("max.block.ms", timeoutMs);
    own.put("delivery.timeout.ms", timeoutMs);
    own.put("linger.ms", 0);
    // the broker and the scheduler reject records that are too large
    own.put("max.request.size", LARGEST_REQUEST);
    return own;
  }

  private String creator(String topic) {
    if (topic.equals(topics.limits()) || topic.equals(topics.waiting())) {
      return "a scheduler with limits=true";
    }
    return topic.equals(topics.retries()) ? "a scheduler with retries=true" : "the scheduler";
  }

  /** Turns an exception of a client into a sentence. */
  public Failure failure(Exception cause, Right needed) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new Failure(
          "The topic %s does not exist on %s; %s creates it when it first starts."
              .formatted(needed.resource().name(), address, creator(needed.resource().name())),
          "(--prefix sets its prefix)",
          cause);
    }
    if (cause instanceof SchemaUnavailableException) {
      return new Failure("The schema registry does not answer: " + cause.getMessage(), cause);
    }
    if (cause instanceof TimeoutException) {
      return silence(cause);
    }
    if (cause instanceof AuthorizationException) {
      return new Failure(needed.objection(settings) + ".", cause);
    }
    if (cause instanceof AuthenticationException) {
      return new Failure("Kafka at " + address + " refuses: " + RootCause.of(cause), cause);
    }
    return unusable(cause);
  }

  private Failure silence(Exception cause) {
    Reachability found = Reachability.of(settings);
    String sentence =
        found.isOpen()
            ? "Kafka at %s did not answer within %s: %s"
            : "No Kafka broker answered at %s within %s: %s";
    return new Failure(
        sentence.formatted(address, WaitingNote.seconds(timeout), found.text()),
        found.isOpen()
            ? "(--timeout sets how long to wait)"
            : "(--bootstrap-server sets the address)",
        cause);
  }

  private Failure unusable(Exception cause) {
    String why = LoginFailures.explain(RootCause.of(cause));
    return new Failure("Kafka at " + address + " cannot be used: " + why, cause);
  }
}
