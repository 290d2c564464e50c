package io.waterclock.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.clients.WatchedClients;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The response to a commit does not come in time, while the thread has fetched more than it has
 * processed. Kafka Streams closes the task and has the group rebalance.
 */
@Timeout(300)
final class CommitTimeoutTest {
  private static final List<String> WORDS =
      IntStream.range(0, 10).mapToObj(Integer::toString).toList();

  @RegisterExtension static final TestBroker kafka = new TestBroker(Map.of());

  @TempDir Path dir;

  /** What has been committed is known: the rest is read again. */
  @Test
  @Tag("all")
  void no_record_is_skipped_after_a_commit_that_timed_out() throws Exception {
    assertAllAreCopiedOnce("committed", 1);
  }

  /** The second attempt fails, too, so the transaction is aborted, and nothing is committed. */
  @Test
  @Tag("all")
  void no_record_is_skipped_after_a_first_commit_that_was_aborted() throws Exception {
    assertAllAreCopiedOnce("aborted", 2);
  }

  private void assertAllAreCopiedOnce(String name, int timeOuts) throws Exception {
    String from = name + "-in";
    String to = name + "-out";
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(from, 1, (short) 1), new NewTopic(to, 1, (short) 1)))
          .all()
          .get();
    }
    write(from);
    AtomicInteger left = new AtomicInteger(timeOuts);
    Topology copying =
        new Topology()
            .addSource("in", from)
            .addProcessor("copy", Copying::new, "in")
            .addSink("out", to, "copy");
    try (KafkaStreams streams = new KafkaStreams(copying, settings(name), new TimingOut(left))) {
      streams.start();
      try (TopicReader<String> copies =
          new TopicReader<>(kafka.bootstrapServers(), to, bytes -> new String(bytes, UTF_8))) {
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(copies.values()).containsExactlyElementsOf(WORDS));
      }
    }
    assertThat(left).hasValue(0);
  }

  private static void write(String topic) {
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 1000),
            new StringSerializer(),
            new StringSerializer())) {
      WORDS.forEach(word -> producer.send(new ProducerRecord<>(topic, word)));
    }
  }

  private StreamsConfig settings(String name) {
    return new StreamsConfig(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            name,
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            StreamsConfig.STATE_DIR_CONFIG,
            dir.toString(),
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
            StreamsConfig.EXACTLY_ONCE_V2,
            StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
            9_000,
            // the rebalance ends within a poll
            StreamsConfig.POLL_MS_CONFIG,
            5_000,
            StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG,
            Serdes.StringSerde.class,
            StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG,
            Serdes.StringSerde.class));
  }

  /** Has a commit requested when it has processed the first record, and the last. */
  private static final class Copying extends ContextualProcessor<String, String, String, String> {
    @Override
    public void process(Record<String, String> word) {
      context().forward(word);
      if (word.value().equals(WORDS.get(0)) || word.value().equals(WORDS.get(WORDS.size() - 1))) {
        context().commit();
      }
    }
  }

  /**
   * The clients of the product, whose first commits time out.
   *
   * @param left how many will
   */
  private record TimingOut(AtomicInteger left, WatchedClients clients)
      implements KafkaClientSupplier {
    TimingOut(AtomicInteger left) {
      this(left, new WatchedClients(id -> {}, ends -> {}, Optional.empty()));
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
      return clients.getAdmin(config);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
      Producer<byte[], byte[]> producer = clients.getProducer(new HashMap<>(config));
      return (Producer<byte[], byte[]>)
          Proxy.newProxyInstance(
              Producer.class.getClassLoader(),
              new Class<?>[] {Producer.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("commitTransaction")
                    && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                  throw new TimeoutException("no answer to the commit");
                }
                try {
                  return method.invoke(producer, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
      return clients.getConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
      return clients.getRestoreConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
      return clients.getGlobalConsumer(config);
    }
  }
}
