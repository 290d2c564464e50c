package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
import org.jspecify.annotations.Nullable;

/** A broker for the tests of one class; each test takes topics with a prefix of its own. */
public final class Broker implements AutoCloseable {
  public static final int PARTITIONS = 3;

  private final EmbeddedKafka kafka;
  private final Producer<byte[], byte[]> producer;

  private Broker(EmbeddedKafka kafka) {
    this.kafka = kafka;
    this.producer =
        new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  public static Broker start(Path dir) {
    return new Broker(EmbeddedKafka.start(dir, 0));
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
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  /** Writes a record to its home partition and returns its position, topic-partition@offset. */
  public String write(String topic, String key, byte @Nullable [] value)
      throws ExecutionException, InterruptedException {
    return write(new ProducerRecord<>(topic, key.getBytes(UTF_8), value));
  }

  public String write(ProducerRecord<byte[], byte[]> record)
      throws ExecutionException, InterruptedException {
    RecordMetadata written = producer.send(record).get();
    return written.topic() + "-" + written.partition() + "@" + written.offset();
  }

  /** The command, against this broker. */
  public CliRun run(Topics topics, String... args) {
    Stream<String> connection =
        Stream.of("--bootstrap-server", kafka.bootstrapServers(), "--prefix", topics.prefix());
    return CliRun.of(Stream.concat(Stream.of(args), connection).toArray(String[]::new));
  }

  @Override
  public void close() {
    producer.close();
    kafka.close();
  }
}
