package io.waterclock.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.rules.RetryPlan;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.spring.retry.RetryLaterFilter;
import io.waterclock.spring.retry.RetryLaterRecoverer;
import io.waterclock.spring.retry.RetryableLater;
import io.waterclock.spring.retry.RetryableLaterListeners;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

/** Listeners whose records wait in Kafka for a retry, with a broker and a scheduler. */
@Timeout(300)
final class RetryLaterTest {
  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final RetryPlan PLAN =
      RetryPlan.of(Duration.ofMillis(300), Duration.ofMillis(600));

  @TempDir static Path dir;
  private static EmbeddedKafka kafka;
  private static Waterclock scheduler;

  private final List<ConsumerRecord<String, String>> dead = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, Map.of());
    scheduler =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "partitions", "1",
                    "targets.allow", "plain,transactional,again,batches,outside",
                    "state.dir", dir.resolve("state").toString(),
                    "health.port", "off")));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("plain", 1, (short) 1),
                  new NewTopic("transactional", 1, (short) 1),
                  new NewTopic("annotated", 1, (short) 1),
                  new NewTopic("batches", 1, (short) 1),
                  new NewTopic("outside", 1, (short) 1),
                  new NewTopic("again", 1, (short) 1)))
          .all()
          .get();
    }
    await().atMost(BOUND).until(scheduler::isReady);
  }

  @AfterAll
  static void stop() {
    scheduler.close();
    kafka.close();
  }

  private static KafkaTemplate<Object, Object> template(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("key.serializer", StringSerializer.class);
    settings.put("value.serializer", StringSerializer.class);
    return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(settings));
  }

  private RetryLaterRecoverer recoverer(KafkaOperations<Object, Object> operations) {
    return RetryLaterRecoverer.to(operations, (record, failure) -> dead.add(cast(record)))
        .after(PLAN);
  }

  @SuppressWarnings("unchecked")
  private static ConsumerRecord<String, String> cast(ConsumerRecord<?, ?> record) {
    return (ConsumerRecord<String, String>) record;
  }

  private static ConcurrentMessageListenerContainer<Object, Object> container(
      String topic, String group, MessageListener<Object, Object> listener) {
    ContainerProperties properties = new ContainerProperties(topic);
    properties.setGroupId(group);
    properties.setMessageListener(
        new FilteringMessageListenerAdapter<>(listener, new RetryLaterFilter()));
    return new ConcurrentMessageListenerContainer<>(consumers(), properties);
  }

  private static DefaultKafkaConsumerFactory<Object, Object> consumers() {
    return new DefaultKafkaConsumerFactory<>(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "auto.offset.reset",
            "earliest",
            "isolation.level",
            "read_committed",
            "key.deserializer",
            StringDeserializer.class,
            "value.deserializer",
            StringDeserializer.class));
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    return Optional.ofNullable(record.headers().lastHeader(name))
        .map(Header::value)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .orElse("");
  }

  /** The error handler gets a batch as it was polled, with what a filter kept from the listener. */
  @Test
  void of_a_batch_that_fails_what_returns_to_another_group_is_left_alone() {
    List<ConsumerRecord<?, ?>> dead = new ArrayList<>();
    RetryLaterRecoverer recoverer =
        RetryLaterRecoverer.to(
            new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of())), // it cannot write
            (record, failure) -> dead.add(record));
    ConsumerRecord<Object, Object> record = new ConsumerRecord<>("orders", 0, 0, "k", "v");
    record.headers().add(HeaderNames.GROUP, "a".getBytes(UTF_8));
    record.headers().add(HeaderNames.RETURNS_TO, "orders".getBytes(UTF_8));
    KafkaUtils.setConsumerGroupId("b");
    try {
      recoverer.accept(record, new IllegalStateException("of another record"));
    } finally {
      KafkaUtils.clearConsumerGroupId();
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void a_record_returns_to_the_group_whose_listener_has_failed_and_is_a_dead_letter_at_the_end() {
    List<String> failing = new CopyOnWriteArrayList<>();
    List<String> content = new CopyOnWriteArrayList<>();
    KafkaTemplate<Object, Object> template = template(Map.of());
    ConcurrentMessageListenerContainer<Object, Object> one =
        container(
            "plain",
            "failing",
            record -> {
              failing.add(record.value() + header(record, HeaderNames.RETRIES));
              if (record.value().equals("bad")) {
                throw new IllegalStateException("not today");
              }
            });
    one.setCommonErrorHandler(new DefaultErrorHandler(recoverer(template), new FixedBackOff(0, 1)));
    ConcurrentMessageListenerContainer<Object, Object> other =
        container("plain", "content", record -> content.add((String) record.value()));
    one.start();
    other.start();
    try {
      template.send("plain", "k", "bad").join();
      template.send("plain", "k", "good").join();
      await().atMost(BOUND).until(() -> dead.size() == 1);
      await().atMost(BOUND).until(() -> content.size() == 2);
    } finally {
      one.stop();
      other.stop();
      template.destroy();
    }
    assertThat(failing)
        .as("twice each time, and the next record goes on meanwhile")
        .containsExactly("bad", "bad", "good", "bad1", "bad1", "bad2", "bad2");
    assertThat(content).containsExactly("bad", "good");
    assertThat(header(dead.get(0), HeaderNames.GROUP)).isEqualTo("failing");
    assertThat(header(dead.get(0), HeaderNames.ERROR)).contains("not today");
  }

  /** A listener that fails. */
  static final class Annotated {
    private final List<String> failing = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "annotated", groupId = "annotated")
    @RetryableLater(after = "${waits}", returnTo = "again", attempts = 2)
    void fail(ConsumerRecord<String, String> record) {
      failing.add(record.topic() + header(record, HeaderNames.RETRIES));
      throw new IllegalStateException("not today");
    }
  }

  @Test
  void a_listener_with_the_annotation_needs_no_other_configuration() {
    KafkaTemplate<Object, Object> template = template(Map.of());
    Annotated listener = new Annotated();
    try (GenericApplicationContext context = new GenericApplicationContext()) {
      AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader(context);
      reader.register(Listening.class);
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("test", Map.of("waits", "300ms, 600ms")));
      context.registerBean(Annotated.class, () -> listener);
      context.registerBean(
          "own", RecordFilterStrategy.class, () -> record -> record.value().equals("odd"));
      context.registerBean(
          RetryableLaterListeners.class,
          () ->
              new RetryableLaterListeners(
                  context.getBeanFactory(), () -> template, () -> recoverer(template)));
      context.refresh();
      template.send("annotated", "k", "odd").join();
      template.send("annotated", "k", "bad").join();
      await().atMost(BOUND).until(() -> dead.size() == 1);
    } finally {
      template.destroy();
    }
    assertThat(listener.failing)
        .containsExactly("annotated", "annotated", "again1", "again1", "again2", "again2");
    assertThat(header(dead.get(0), HeaderNames.GROUP)).isEqualTo("annotated");
  }

  @EnableKafka
  @Configuration(proxyBeanMethods = false)
  static class Listening {
    @Bean
    static PropertySourcesPlaceholderConfigurer placeholders() {
      return new PropertySourcesPlaceholderConfigurer();
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<Object, Object> kafkaListenerContainerFactory(
        Optional<KafkaTransactionManager<Object, Object>> transactions) {
      ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(consumers());
      transactions.ifPresent(factory.getContainerProperties()::setKafkaAwareTransactionManager);
      return factory;
    }
  }

  @Test
  void in_a_container_with_transactions_the_offset_and_the_record_are_in_one() {
    List<String> seen = new CopyOnWriteArrayList<>();
    KafkaTemplate<Object, Object> template = template(Map.of("transactional.id", "retrying-"));
    ConcurrentMessageListenerContainer<Object, Object> listening =
        container(
            "transactional",
            "transactional",
            record -> {
              seen.add(record.value() + header(record, HeaderNames.RETRIES));
              if (header(record, HeaderNames.RETRIES).isEmpty()) {
                throw new IllegalStateException("not yet");
              }
            });
    listening
        .getContainerProperties()
        .setKafkaAwareTransactionManager(
            new KafkaTransactionManager<>(template.getProducerFactory()));
    listening.setAfterRollbackProcessor(
        new DefaultAfterRollbackProcessor<>(
            recoverer(template), new FixedBackOff(0, 0), template, true));
    listening.start();
    try {
      var unused =
          template.executeInTransaction(operations -> operations.send("transactional", "k", "v"));
      await().atMost(BOUND).until(() -> seen.contains("v1"));
    } finally {
      listening.stop();
      template.destroy();
    }
    assertThat(seen).containsExactly("v", "v1");
    assertThat(dead).isEmpty();
  }

  @Test
  void a_template_with_transactions_has_one_of_its_own_where_the_container_has_none() {
    List<String> seen = new CopyOnWriteArrayList<>();
    KafkaTemplate<Object, Object> template = template(Map.of("transactional.id", "outside-"));
    ConcurrentMessageListenerContainer<Object, Object> listening =
        container(
            "outside",
            "outside",
            record -> {
              seen.add(record.value() + header(record, HeaderNames.RETRIES));
              if (header(record, HeaderNames.RETRIES).isEmpty()) {
                throw new IllegalStateException("not yet");
              }
            });
    listening.setCommonErrorHandler(
        new DefaultErrorHandler(recoverer(template), new FixedBackOff(0, 0)));
    listening.start();
    try {
      var unused =
          template.executeInTransaction(operations -> operations.send("outside", "k", "v"));
      await().atMost(BOUND).until(() -> seen.contains("v1"));
    } finally {
      listening.stop();
      template.destroy();
    }
    assertThat(seen).containsExactly("v", "v1");
    assertThat(dead).isEmpty();
  }

  /** A listener of batches that fails once. */
  static final class Batches {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "batches", groupId = "batches", batch = "true")
    @RetryableLater(after = "300ms", attempts = 2)
    void fail(List<ConsumerRecord<String, String>> batch) {
      for (ConsumerRecord<String, String> record : batch) {
        seen.add(record.value() + header(record, HeaderNames.RETRIES));
      }
      if (header(batch.get(0), HeaderNames.RETRIES).isEmpty()) {
        throw new IllegalStateException("not yet");
      }
    }
  }

  @Test
  void a_batch_in_a_container_with_transactions_waits_for_a_retry_too() {
    KafkaTemplate<Object, Object> template = template(Map.of("transactional.id", "batches-"));
    Batches listener = new Batches();
    try (GenericApplicationContext context = new GenericApplicationContext()) {
      new AnnotatedBeanDefinitionReader(context).register(Listening.class);
      context.registerBean(
          KafkaTransactionManager.class,
          () -> new KafkaTransactionManager<>(template.getProducerFactory()));
      context.registerBean(Batches.class, () -> listener);
      context.registerBean(
          RetryableLaterListeners.class,
          () ->
              new RetryableLaterListeners(
                  context.getBeanFactory(), () -> template, () -> recoverer(template)));
      var unused =
          template.executeInTransaction(
              operations -> {
                var first = operations.send("batches", "k", "a");
                return operations.send("batches", "k", "b");
              });
      context.refresh();
      await().atMost(BOUND).until(() -> listener.seen.containsAll(List.of("a1", "b1")));
    } finally {
      template.destroy();
    }
    assertThat(listener.seen.subList(0, 4)).containsExactly("a", "b", "a", "b");
    assertThat(listener.seen.subList(4, listener.seen.size()))
        .as("waits are of different lengths")
        .containsExactlyInAnyOrder("a1", "b1");
    assertThat(dead).isEmpty();
  }
}
