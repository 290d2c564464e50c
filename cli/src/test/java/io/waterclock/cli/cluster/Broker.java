package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The broker that the test classes of this module share, as a JUnit extension; it starts with the
 * first of them. Each test takes topics with a prefix of its own.
 */
public final class Broker implements BeforeAllCallback {
  public static final int PARTITIONS = 3;

  private @Nullable Running running;

  /** Tests write records of a day that goes by: no broker deletes them. */
  private static final Map<String, String> KEPT = Map.of("log.retention.ms", "-1");

  /** On a loaded machine, a broker may need more than five seconds. */
  private static final String PATIENT = "default.api.timeout.ms=60000";

  private record Running(EmbeddedKafka kafka, Producer<byte[], byte[]> producer, Path dir)
      implements AutoCloseable {

    static Running start() {
      try {
        Path dir = Files.createTempDirectory("broker");
        EmbeddedKafka kafka = EmbeddedKafka.start(dir, 0, KEPT);
        return new Running(
            kafka,
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer()),
            dir);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      producer.close();
      kafka.close();
      Utils.delete(dir.toFile());
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(Broker.class))
            .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
  }

  private Running running() {
    return Objects.requireNonNull(running);
  }

  public Topics topics(String prefix) throws ExecutionException, InterruptedException {
    Topics topics = new Topics(prefix);
    List<NewTopic> all =
        Stream.of(
                topics.schedules(),
                topics.calendars(),
                topics.commands(),
                topics.outcomes(),
                topics.answers(),
                topics.status(),
                topics.revisions(),
                topics.fires(),
                topics.missed(),
                topics.watermarks(),
                topics.dlq())
            .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
            .toList();
    try (Admin admin = Admin.create(clients())) {
      admin.createTopics(all).all().get();
      Set<String> names = all.stream().map(NewTopic::name).collect(Collectors.toSet());
      await().until(() -> admin.listTopics().names().get().containsAll(names));
    }
    return topics;
  }

  public Map<String, Object> clients() {
    return Map.of("bootstrap.servers", running().kafka().bootstrapServers());
  }

  /** Writes a record to its home partition and returns its position, topic-partition@offset. */
  public String write(String topic, String key, byte @Nullable [] value)
      throws ExecutionException, InterruptedException {
    return write(new ProducerRecord<>(topic, key.getBytes(UTF_8), value));
  }

  public String write(ProducerRecord<byte[], byte[]> record)
      throws ExecutionException, InterruptedException {
    RecordMetadata written = running().producer().send(record).get();
    return written.topic() + "-" + written.partition() + "@" + written.offset();
  }

  /** The command, against this broker. */
  public CliRun run(Topics topics, String... args) {
    Stream<String> connection =
        Stream.of(
            "--bootstrap-server",
            running().kafka().bootstrapServers(),
            "--prefix",
            topics.prefix(),
            "--property",
            PATIENT);
    return CliRun.of(Stream.concat(Stream.of(args), connection).toArray(String[]::new));
  }
}
