package io.waterclock.connect.webhook;

import io.waterclock.connect.PluginVersion;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/**
 * Sends fires to webhooks, in parallel for different schedules and one after another for each
 * schedule.
 *
 * <p>A fire is finished when the webhook has accepted it, or when it has failed for good and the
 * error reporter has it. The task commits offsets up to the first unfinished fire, so it loses
 * none; after a crash or a rebalance it sends an unfinished fire again with the same id. Without an
 * error reporter (no dead-letter queue) a failure stops the task. It skips delayed records and
 * retries, whose fires are for their target alone.
 *
 * <p>The connector's {@code value.converter} must be {@code
 * org.apache.kafka.connect.converters.ByteArrayConverter}. One thread of Connect calls the task;
 * requests run on its own threads, which never use Connect's objects.
 */
public final class WebhookSinkTask extends SinkTask implements Deliverer.Results {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final Duration PATIENCE_FOR_SCHEMAS = Duration.ofSeconds(2);
  private static final Duration PATIENCE_FOR_REQUESTS = Duration.ofSeconds(5);

  /** One schedule may hold one part of so many. */
  private static final int LANES_OF_A_BUFFER = 8;

  /** A record that cannot be delivered: a fire, or a record that is not a fire. */
  private record Failure(SinkRecord record, Optional<Delivery> delivery, String reason) {}

  private record Parts(
      WebhookConfig config,
      Http http,
      Outcomes outcomes,
      Deliverer deliverer,
      Lanes lanes,
      Optional<SchemaRegistry> registry) {}

  private final OffsetTracker offsets = new OffsetTracker();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final Set<TopicPartition> paused = new HashSet<>();
  private final Set<TopicPartition> opened = new HashSet<>();
  private boolean isFull;
  private final AtomicReference<@Nullable Error> broken = new AtomicReference<>();
  private @Nullable Parts parts;

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public void start(Map<String, String> settings) {
    WebhookConfig config = WebhookConfig.of(settings);
    InstantSource clock = InstantSource.system();
    Http http =
        new Http(
            new CheckedResolver(config.addresses()),
            config.connectTimeout(),
            config.requestTimeout(),
            config.maxInFlight() + 1);
    Optional<Producer<byte[], byte[]>> producer = config.outcomes().map(WebhookSinkTask::producer);
    Outcomes outcomes = new Outcomes(producer, config.topics().outcomes());
    Deliverer deliverer = new Deliverer(config, http, outcomes, this, clock);
    parts =
        new Parts(
            config,
            http,
            outcomes,
            deliverer,
            new Lanes(
                config.maxInFlight(),
                config.mostHeld().part(LANES_OF_A_BUFFER),
                "webhook",
                deliverer::attempt),
            config.registry().map(SchemaRegistry::new));
  }

  private static Producer<byte[], byte[]> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * A partition that the task had paused, and gets again with this assignment, is still paused:
   * Connect keeps that over a rebalance. So the next put resumes what is to be read.
   */
  @Override
  public void open(Collection<TopicPartition> partitions) {
    opened.addAll(partitions);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    stopIfBroken();
    reportFailures();
    List<Delivery> read = new ArrayList<>(records.size());
    List<Failure> unreadable = new ArrayList<>();
    for (SinkRecord record : records) {
      if (record.value() != null) {
        read(record, read, unreadable);
      }
    }
    for (Failure failure : unreadable) {
      offsets.begin(partition(failure.record()), failure.record().originalKafkaOffset());
      failures.add(failure);
    }
    for (Delivery delivery : read) {
      offsets.begin(delivery.partition(), delivery.offset());
      parts().lanes().add(delivery);
    }
    reportFailures();
    keepWithinBounds();
    if (parts().lanes().load().fires() > 0) {
      context.timeout(LOOK_AGAIN.toMillis());
    }
  }

  private void read(SinkRecord record, List<Delivery> read, List<Failure> unreadable) {
    if (!(record.value() instanceof byte[] bytes)) {
      throw new ConnectException(
          "The value of a record is not bytes: set the connector's value.converter to"
              + " org.apache.kafka.connect.converters.ByteArrayConverter");
    }
    SchemaSource schemas =
        parts()
            .registry()
            .map(registry -> registry.waiting(PATIENCE_FOR_SCHEMAS))
            .orElseGet(SchemaSource::none);
    try {
      Fire fire = RecordCodecs.fire().decode(bytes, schemas);
      if (!TargetRecord.hasRecord(fire.getSchedule())) {
        read.add(new Delivery(record, partition(record), fire, fireKey(record, fire)));
      }
    } catch (UndecodableException e) {
      if (e.isBeyondReader() && isFire(record)) {
        throw new ConnectException(
            "%s@%d is a fire that this connector cannot read: set schema.registry.url, or update the"
                    .formatted(partition(record), record.originalKafkaOffset())
                + " connector to the scheduler's release. "
                + e.getMessage(),
            e);
      }
      unreadable.add(new Failure(record, Optional.empty(), String.valueOf(e.getMessage())));
    } catch (InvalidIdException e) {
      unreadable.add(new Failure(record, Optional.empty(), String.valueOf(e.getMessage())));
    } catch (SchemaUnavailableException e) {
      throw new RetriableException(e.getMessage(), e);
    }
  }

  /** A converter may have made text of the header. */
  private static boolean isFire(SinkRecord record) {
    Header type = record.headers().lastWithName(HeaderNames.CE_TYPE);
    Object value = type == null ? null : type.value();
    return HeaderNames.FIRE_TYPE.equals(
        value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value);
  }

  private static String fireKey(SinkRecord record, Fire fire) {
    if (record.key() instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    return record.key() instanceof String text
        ? text
        : FireKey.of(ScheduleId.parse(fire.getScheduleId()), fire.getOccurrence()).text();
  }

  private static TopicPartition partition(SinkRecord record) {
    return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
  }

  private void stopIfBroken() {
    Error error = broken.get();
    if (error != null) {
      throw new ConnectException("The connector cannot send requests: " + error, error);
    }
  }

  /**
   * Stops reading while the task holds too much, and of one partition while a schedule of it does;
   * continues when half of that is done.
   */
  private void keepWithinBounds() {
    Set<TopicPartition> wanted = new HashSet<>(toPause());
    wanted.retainAll(context.assignment());
    Set<TopicPartition> more = new HashSet<>(wanted);
    more.removeAll(paused);
    Set<TopicPartition> again = new HashSet<>(paused);
    again.addAll(opened);
    again.removeAll(wanted);
    again.retainAll(context.assignment());
    if (!more.isEmpty()) {
      context.pause(more.toArray(new TopicPartition[0]));
    }
    if (!again.isEmpty()) {
      context.resume(again.toArray(new TopicPartition[0]));
    }
    paused.clear();
    paused.addAll(wanted);
    opened.clear();
  }

  private Set<TopicPartition> toPause() {
    HeldFires most = parts().config().mostHeld();
    isFull = parts().lanes().load().exceeds(isFull ? most.part(2) : most);
    return isFull ? context.assignment() : parts().lanes().crowded(paused);
  }

  /**
   * The next call commits the failures that this call reports: Connect waits for earlier reports
   * before it calls, so the task never commits a failure that is not in the dead-letter queue.
   */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> read) {
    stopIfBroken();
    Map<TopicPartition, OffsetAndMetadata> committable = offsets.committable(read);
    reportFailures();
    return committable;
  }

  /** Runs on Connect's thread. If it throws, unreported failures stay in the queue. */
  private void reportFailures() {
    for (Failure next = failures.peek(); next != null; next = failures.peek()) {
      if (next.delivery().filter(Delivery::isCancelled).isEmpty()) {
        report(next);
      }
      failures.remove();
    }
  }

  private void report(Failure failure) {
    ConnectException error = new ConnectException(failure.reason());
    ErrantRecordReporter reporter = context.errantRecordReporter();
    if (reporter == null) {
      throw new ConnectException(
          ("The record at %s@%s cannot be delivered, and Connect has no error reporter; set"
                  + " errors.deadletterqueue.topic.name and errors.tolerance=all to continue after"
                  + " failures: %s")
              .formatted(
                  partition(failure.record()),
                  failure.record().originalKafkaOffset(),
                  failure.reason()),
          error);
    }
    var unused = reporter.report(failure.record(), error);
    offsets.done(partition(failure.record()), failure.record().originalKafkaOffset());
    failure.delivery().ifPresent(this::finish);
  }

  /**
   * May run in the thread that does the I/O of the producer of outcomes, so it reports nothing: the
   * next delivery of the lane is given up in a thread of the lanes, if at all.
   */
  @Override
  public void ended(Delivery delivery, Optional<String> failure) {
    if (failure.isPresent()) {
      failures.add(new Failure(delivery.record(), Optional.of(delivery), failure.get()));
    } else if (!delivery.isCancelled()) {
      offsets.done(delivery.partition(), delivery.offset());
      parts().lanes().finish(delivery).ifPresent(parts().lanes()::start);
    }
  }

  /** Runs on Connect's thread, so that it gives up a crowd at once. */
  private void finish(Delivery delivery) {
    parts()
        .lanes()
        .finish(delivery)
        .filter(next -> !parts().deliverer().gaveUp(next))
        .ifPresent(parts().lanes()::start);
  }

  @Override
  public void again(Delivery delivery, Duration pause) {
    parts().lanes().again(delivery, pause);
  }

  @Override
  public void broken(Error error) {
    broken.compareAndSet(null, error);
  }

  /** Aborts unfinished deliveries: the partitions' next owner starts with them. */
  @Override
  public void close(Collection<TopicPartition> partitions) {
    Set<TopicPartition> gone = Set.copyOf(partitions);
    parts().lanes().drop(delivery -> gone.contains(delivery.partition()), PATIENCE_FOR_REQUESTS);
    failures.removeIf(failure -> gone.contains(partition(failure.record())));
    offsets.forget(gone);
    paused.removeAll(gone);
  }

  @Override
  public void stop() {
    Parts running = parts;
    if (running != null) {
      running.lanes().drop(delivery -> true, Duration.ZERO);
      running.lanes().close();
      running.http().close();
      running.outcomes().close();
      running.registry().ifPresent(SchemaRegistry::close);
      parts = null;
    }
  }

  private Parts parts() {
    Parts running = parts;
    if (running == null) {
      throw new IllegalStateException("call start first");
    }
    return running;
  }
}
