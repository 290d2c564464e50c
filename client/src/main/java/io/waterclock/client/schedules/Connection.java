package io.waterclock.client.schedules;

import io.waterclock.client.topics.Mailbox;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.registry.Registration;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a {@link Schedules}: the mailbox for answers, the producer, the registry. Each is
 * created at its first use. Thread-safe.
 *
 * <p>One attempt to open the mailbox serves all callers that need it meanwhile: each of them waits
 * for its own timeout, and none behind another. {@link #close} waits for no attempt.
 */
final class Connection implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(5);
  private static final ThreadFactory THREADS = DaemonThreads.named("waterclock-connection");

  private final Map<String, Object> settings;
  private final Topics topics;
  private final WireFormat format;
  private final Optional<SchemaRegistry> registry;
  private final Duration timeout;
  private @Nullable Registration registration;
  private @Nullable CompletableFuture<Mailbox> opening;
  private @Nullable Producer<byte[], byte[]> producer;
  private volatile boolean closed;

  /** The parts that a request needs before it is sent. */
  record Ready(Mailbox mailbox, Encoding encoding) {}

  Connection(
      Map<String, Object> settings,
      Topics topics,
      WireFormat format,
      Optional<RegistrySettings> registry,
      Duration timeout) {
    this.settings = Map.copyOf(settings);
    this.topics = topics;
    this.format = format;
    this.registry = registry.map(SchemaRegistry::new);
    this.timeout = timeout;
  }

  Topics topics() {
    return topics;
  }

  Duration timeout() {
    return timeout;
  }

  /** The schemas of the records that this client reads; waits for the registry. */
  SchemaSource schemas() {
    return registry.map(source -> source.waiting(timeout)).orElseGet(SchemaSource::none);
  }

  String explain(KafkaException failure) {
    Object address = settings.get("bootstrap.servers");
    if (failure instanceof UnknownTopicOrPartitionException) {
      return "%s at %s; the scheduler creates its topics at its first start; is %s its prefix?"
          .formatted(failure.getMessage(), address, topics.prefix());
    }
    if (!(failure instanceof org.apache.kafka.common.errors.TimeoutException)) {
      return RootCause.of(failure);
    }
    // what a client waited for says something only if that is a topic
    String message = String.valueOf(failure.getMessage());
    return "no Kafka broker answered at %s within %s s, the timeout of this client%s"
        .formatted(
            address, timeout.toMillis() / 1000.0, message.contains("Topic ") ? ": " + message : "");
  }

  /**
   * Returns the mailbox and the encoding. Waits for brokers and registry the first time, and after
   * a failure.
   *
   * @throws KafkaException if one of them does not answer within the timeout
   * @throws IllegalStateException if this is closed, or is while the call waits
   */
  Ready ready() {
    long start = System.nanoTime();
    Encoding encoding = encoding();
    Duration left = timeout.minusNanos(System.nanoTime() - start);
    return new Ready(mailbox(left), encoding);
  }

  private Mailbox mailbox(Duration atMost) {
    try {
      return opening().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new org.apache.kafka.common.errors.TimeoutException("no answer yet", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new KafkaException("the mailbox for answers cannot be opened", e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** The attempt that is under way or has succeeded; a new one after a failure. */
  private synchronized CompletableFuture<Mailbox> opening() {
    requireOpen();
    CompletableFuture<Mailbox> known = opening;
    if (known == null
        || known.isCompletedExceptionally()
        || (known.isDone() && known.join().hasEnded())) {
      CompletableFuture<Mailbox> attempt = new CompletableFuture<>();
      THREADS.newThread(() -> open(attempt)).start();
      opening = attempt;
      return attempt;
    }
    return known;
  }

  private void open(CompletableFuture<Mailbox> attempt) {
    try {
      Mailbox opened = Mailbox.open(consumer(), topics.answers(), schemas());
      if (!attempt.complete(opened)) {
        opened.close(); // this is closed
      }
    } catch (RuntimeException | Error e) {
      attempt.completeExceptionally(e);
    }
  }

  /** For records that have no schema in a registry. */
  Encoding withoutRegistry() {
    return format == WireFormat.JSON ? Encoding.JSON : Encoding.AVRO;
  }

  private Encoding encoding() {
    if (format != WireFormat.AVRO_REGISTRY) {
      return Encoding.of(format);
    }
    SchemaRegistry source = registry.orElseThrow();
    Registration asked = registration(source);
    try {
      asked.done().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return asked.encoding();
    } catch (TimeoutException e) {
      throw new KafkaException(
          source
              .problem()
              .orElseGet(() -> "no answer yet of the schema registry at " + source.address()),
          e);
    } catch (ExecutionException e) {
      throw new KafkaException("the schema registry at " + source.address(), e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private synchronized Registration registration(SchemaRegistry source) {
    requireOpen();
    Registration known = registration;
    if (known == null) {
      known =
          source.register(
              Map.of(
                  topics.schedules(), Schedule.getClassSchema(),
                  topics.commands(), Command.getClassSchema()));
      registration = known;
    }
    return known;
  }

  synchronized Producer<byte[], byte[]> producer() {
    requireOpen();
    Producer<byte[], byte[]> known = producer;
    if (known == null) {
      Map<String, Object> own = new HashMap<>();
      own.put("max.block.ms", timeout.toMillis());
      own.putAll(settings);
      known = new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer());
      producer = known;
    }
    return known;
  }

  /** A consumer of committed records without a group. */
  Consumer<byte[], byte[]> consumer() {
    Map<String, Object> own = new HashMap<>();
    own.put("default.api.timeout.ms", (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE));
    own.putAll(settings);
    return ReaderSettings.consumer(own);
  }

  void requireOpen() {
    if (closed) {
      throw isClosed();
    }
  }

  private static IllegalStateException isClosed() {
    return new IllegalStateException("this Schedules is closed");
  }

  @Override
  public void close() {
    Optional<Producer<byte[], byte[]>> writes;
    Optional<CompletableFuture<Mailbox>> reads;
    synchronized (this) {
      closed = true;
      writes = Optional.ofNullable(producer);
      reads = Optional.ofNullable(opening);
    }
    reads.ifPresent(attempt -> attempt.completeExceptionally(isClosed()));
    writes.ifPresent(sends -> sends.close(CLOSE));
    reads
        .filter(attempt -> !attempt.isCompletedExceptionally())
        .ifPresent(opened -> opened.join().close());
    registry.ifPresent(SchemaRegistry::close);
  }
}
