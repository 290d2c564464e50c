package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.State;
import io.waterclock.spring.actuate.PartHealth;
import io.waterclock.spring.actuate.WaterclockEndpoint;
import io.waterclock.spring.kafka.TransactionalFactories;
import io.waterclock.spring.schedule.ScheduleWriter;
import io.waterclock.spring.worker.WorkerLifecycle;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications with the starter, a broker, and a scheduler in the first application. */
@Timeout(120)
final class OnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(3);

  @TempDir static Path dir;

  private static final List<ConfigurableApplicationContext> OPEN = new ArrayList<>();
  private static EmbeddedKafka kafka;
  private static ConfigurableApplicationContext application;

  record Reminder(String order) {}

  static class Handlers {
    private final ObjectProvider<Tracer> tracer;
    final ConcurrentLinkedQueue<Object> received = new ConcurrentLinkedQueue<>();
    final CountDownLatch entered = new CountDownLatch(1);
    final AtomicReference<String> slow = new AtomicReference<>("not started");

    Handlers(ObjectProvider<Tracer> tracer) {
      this.tracer = tracer;
    }

    @WaterclockSchedule(id = "tick", every = "1s")
    void tick(Run run) {
      received.add("tick " + run.fire().getScheduleId());
    }

    @FireHandler(prefix = "reminders/")
    void remind(Reminder reminder) {
      received.add(reminder);
      tracer.stream()
          .forEach(
              one ->
                  received.add(
                      "trace " + Objects.requireNonNull(one.currentSpan()).context().traceId()));
    }

    @FireHandler(type = "slow")
    void slow() throws InterruptedException {
      entered.countDown();
      new CountDownLatch(1).await(1, TimeUnit.SECONDS);
      slow.set("finished");
    }
  }

  static class Orders {
    private final KafkaTemplate<String, String> kafka;
    private final WaterclockTemplate waterclock;

    Orders(KafkaTemplate<String, String> kafka, WaterclockTemplate waterclock) {
      this.kafka = kafka;
      this.waterclock = waterclock;
    }

    @Transactional("kafkaTransactionManager")
    public ScheduleChange place(String order, boolean fails) {
      var unused = kafka.send("orders", order, "placed");
      ScheduleChange change =
          waterclock.after("reminders/" + order, Duration.ofMillis(1), new Reminder(order));
      if (fails) {
        throw new IllegalStateException("no stock");
      }
      return change;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(ObservationsTest.Tracing.class)
  static class Application {
    @Bean
    Handlers handlers(ObjectProvider<Tracer> tracer) {
      return new Handlers(tracer);
    }

    @Bean
    Orders orders(KafkaTemplate<String, String> kafka, WaterclockTemplate waterclock) {
      return new Orders(kafka, waterclock);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1))).all().get();
    }
    application =
        run(
            Application.class,
            "spring.application.name=orders",
            "waterclock.scheduler.enabled=true",
            "waterclock.scheduler.properties.state.dir=" + dir.resolve("state"),
            "waterclock.scheduler.properties.partitions=1");
    await().atMost(BOUND).until(() -> parts().values().stream().allMatch(OnBrokerTest::isUp));
  }

  @AfterAll
  static void stop() {
    OPEN.forEach(ConfigurableApplicationContext::close);
    kafka.close();
  }

  private static ConfigurableApplicationContext run(Class<?> type, String... properties) {
    ConfigurableApplicationContext started =
        new SpringApplicationBuilder(type)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .properties(
                "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "spring.kafka.producer.transaction-id-prefix=tx-",
                "spring.datasource.generate-unique-name=true",
                "spring.jmx.enabled=false",
                "waterclock.timeout=2m", // the machine may be busy with other tests
                "management.endpoints.web.exposure.include=waterclock",
                "management.endpoints.jmx.exposure.include=waterclock")
            .properties(properties)
            .run();
    OPEN.add(0, started);
    return started;
  }

  private static Map<String, PartHealth> parts() {
    return application.getBean(WaterclockEndpoint.class).overview().parts();
  }

  private static boolean isUp(PartHealth part) {
    return part.status() == PartHealth.Status.UP;
  }

  private static Handlers handlers() {
    return application.getBean(Handlers.class);
  }

  private static WaterclockTemplate template() {
    return application.getBean(WaterclockTemplate.class);
  }

  private static Schedules schedules() {
    return application.getBean(Schedules.class);
  }

  private static boolean exists(String id) {
    return schedules().get(id).join().isPresent();
  }

  @Test
  void the_application_the_worker_and_its_scheduler_are_up() {
    assertThat(parts()).containsOnlyKeys("client", "worker", "scheduler");
    WaterclockEndpoint endpoint = application.getBean(WaterclockEndpoint.class);
    assertThat(endpoint.overview().handlers())
        .contains(
            new WaterclockEndpoint.Handler(
                "prefix reminders/", Handlers.class.getName() + ".remind(Reminder)"));
    assertThat(endpoint.schedule("no", "such")).isNull();
    WaterclockEndpoint.ScheduleView tick = Objects.requireNonNull(endpoint.schedule("tick"));
    assertThat(tick.state()).isEqualTo("ACTIVE");
    assertThat(tick.next()).isNotNull();
    await()
        .atMost(BOUND)
        .until(
            () ->
                Objects.requireNonNull(endpoint.schedule("tick")).runs().stream()
                    .anyMatch(run -> "SUCCEEDED".equals(run.state()) && run.endedAt() != null));
  }

  @Test
  void a_declared_schedule_is_written_and_its_method_called() {
    await().atMost(BOUND).until(() -> handlers().received.contains("tick tick"));
    assertThat(application.getBean(ScheduleWriter.class).results().get("tick"))
        .startsWith("written");
  }

  @Test
  void an_object_arrives_as_an_object() {
    assertThat(
            template()
                .after("reminders/1", Duration.ZERO, new Reminder("1"))
                .answer()
                .join()
                .orThrow()
                .isChange())
        .isTrue();
    await().atMost(BOUND).until(() -> handlers().received.contains(new Reminder("1")));
  }

  @Test
  void the_metrics_of_the_worker_are_in_the_registry_of_the_application() {
    await()
        .atMost(BOUND)
        .until(
            () ->
                application
                    .getBean(MeterRegistry.class)
                    .find("waterclock.worker.run")
                    .timers()
                    .stream()
                    .anyMatch(timer -> timer.count() > 0));
  }

  @Test
  void the_endpoint_pauses_and_resumes() {
    template().put("paused", ScheduleBuilder.every("1h")).answer().join().orThrow();
    WaterclockEndpoint endpoint = application.getBean(WaterclockEndpoint.class);
    assertThat(endpoint.command("pause", "paused").answer()).isEqualTo("Accepted");
    assertThat(schedules().get("paused").join().flatMap(KnownSchedule::state))
        .contains(State.PAUSED);
    assertThat(endpoint.command("resume", "paused").answer()).isEqualTo("Accepted");
    assertThat(endpoint.command("pause", "no", "such"))
        .satisfies(refused -> assertThat(refused.answer()).isEqualTo("NotFound"))
        .satisfies(refused -> assertThat(refused.reason()).contains("no/such"));
  }

  @Test
  void the_trace_of_a_put_reaches_the_fire_and_the_outcome() {
    template()
        .put(
            "reminders/traced",
            ScheduleBuilder.after(Duration.ZERO).reportAll(),
            new Reminder("traced"))
        .answer()
        .join()
        .orThrow();
    String trace = header("waterclock.fires", "reminders/traced|", "schedule-traceparent");
    assertThat(trace).startsWith("00-");
    assertThat(header("waterclock.outcomes", "reminders/traced", "traceparent")).isEqualTo(trace);
    String id = trace.split("-", -1)[1];
    await().atMost(BOUND).until(() -> handlers().received.contains("trace " + id));
  }

  /** The header of the first record whose key begins so. */
  private static String header(String topic, String key, String name) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<String> found = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      await()
          .atMost(BOUND)
          .until(
              () -> {
                for (ConsumerRecord<String, byte[]> record :
                    consumer.poll(Duration.ofMillis(100))) {
                  Header header = record.headers().lastHeader(name);
                  if (record.key().startsWith(key)) {
                    found.add(
                        header == null
                            ? "no header"
                            : new String(header.value(), StandardCharsets.UTF_8));
                  }
                }
                return !found.isEmpty();
              });
    }
    return found.get(0);
  }

  @Test
  @SuppressWarnings("unchecked")
  void a_change_commits_with_the_transaction_of_the_kafka_template() {
    KafkaTemplate<String, String> kafkaTemplate = application.getBean(KafkaTemplate.class);
    ScheduleChange change =
        kafkaTemplate.executeInTransaction(
            operations -> {
              var unused = operations.send("orders", "2", "placed");
              return template().after("reminders/2", Duration.ofMillis(1), new Reminder("2"));
            });
    assertThat(change.answer().join().orThrow().isChange()).isTrue();
    await().atMost(BOUND).until(() -> handlers().received.contains(new Reminder("2")));
  }

  @Test
  @SuppressWarnings("unchecked")
  void a_change_aborts_with_the_transaction_of_the_kafka_template() {
    KafkaTemplate<String, String> kafkaTemplate = application.getBean(KafkaTemplate.class);
    List<ScheduleChange> changes = new ArrayList<>();
    assertThatThrownBy(
            () ->
                kafkaTemplate.executeInTransaction(
                    operations -> {
                      changes.add(
                          template().after("reminders/3", Duration.ofMillis(1), new Reminder("3")));
                      changes.add(template().pause("tick"));
                      throw new IllegalStateException("no stock");
                    }))
        .hasMessage("no stock");
    assertThat(changes)
        .hasSize(2)
        .allSatisfy(
            change ->
                assertThatThrownBy(() -> change.answer().join())
                    .isInstanceOf(NotWrittenException.class));
    assertThat(exists("reminders/3")).isFalse();
    assertThat(schedules().get("tick").join().flatMap(KnownSchedule::state)).contains(State.ACTIVE);
  }

  @Test
  void a_change_commits_and_aborts_with_a_transaction_of_spring() {
    Orders orders = application.getBean(Orders.class);
    assertThat(orders.place("4", false).answer().join().orThrow().isChange()).isTrue();
    await().atMost(BOUND).until(() -> handlers().received.contains(new Reminder("4")));
    assertThatThrownBy(() -> orders.place("5", true)).hasMessage("no stock");
    // a later schedule of the same partition has fired, so the scheduler has read past the abort
    assertThat(orders.place("6", false).answer().join().orThrow().isChange()).isTrue();
    assertThat(exists("reminders/5")).isFalse();
  }

  /** A listener with a Kafka transaction calls a service with a transaction of a database. */
  @Test
  void of_several_templates_the_one_with_the_transaction_gets_the_change() {
    DefaultKafkaProducerFactory<String, String> first = factory("first-");
    DefaultKafkaProducerFactory<String, String> second = factory("second-");
    KafkaChangeSender sender =
        new KafkaChangeSender(
            schedules(), List.of(new KafkaTemplate<>(first), new KafkaTemplate<>(second)));
    TransactionTemplate database =
        new TransactionTemplate(new JdbcTransactionManager(application.getBean(DataSource.class)));
    ScheduleChange change =
        new TransactionTemplate(new KafkaTransactionManager<>(second))
            .execute(
                kafkaTransaction ->
                    database.execute(
                        transaction -> {
                          ScheduleChange sent =
                              sender.put("several", ScheduleBuilder.every("1h").build());
                          assertThat(TransactionSynchronizationManager.hasResource(first))
                              .isFalse();
                          return sent;
                        }));
    assertThat(change.answer().join().orThrow().isChange()).isTrue();
    first.destroy();
    second.destroy();
  }

  private static DefaultKafkaProducerFactory<String, String> factory(String prefix) {
    DefaultKafkaProducerFactory<String, String> factory =
        new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
    factory.setTransactionIdPrefix(prefix);
    new TransactionalFactories().postProcessAfterInitialization(factory, prefix);
    return factory;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class OneVersion {
    @WaterclockSchedule(id = "stays", every = "1h")
    void stays() {}

    @WaterclockSchedule(id = "goes", every = "1h")
    void goes() {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class NextVersion {
    @WaterclockSchedule(id = "stays", every = "1h")
    void stays() {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithoutSchedules {}

  private static ConfigurableApplicationContext version(Class<?> type, String... properties) {
    String[] all = new String[properties.length + 2];
    all[0] = "spring.application.name=versions";
    all[1] = "waterclock.schedules.removal-delay=1s";
    System.arraycopy(properties, 0, all, 2, properties.length);
    ConfigurableApplicationContext started = run(type, all);
    await()
        .atMost(BOUND)
        .until(
            () ->
                started.getBean(ScheduleWriter.class).results().values().stream()
                    .noneMatch("not written yet"::equals));
    return started;
  }

  @Test
  @Tag("all")
  void a_schedule_that_disappears_from_the_code_is_removed_if_the_application_says_so() {
    version(OneVersion.class).close();
    version(NextVersion.class).close();
    assertThat(exists("goes")).isTrue();
    version(WithoutSchedules.class, "waterclock.schedules.removal=delete");
    version(NextVersion.class, "waterclock.schedules.removal=delete");
    await().atMost(BOUND).until(() -> !exists("goes"));
    assertThat(exists("stays")).isTrue();
    assertThat(exists("tick")).isTrue();
  }

  /** A rolling deployment: an old instance starts again while the new one waits. */
  @Test
  @Tag("all")
  @ExtendWith(OutputCaptureExtension.class)
  void a_schedule_that_another_instance_writes_within_the_delay_stays(CapturedOutput log) {
    String owner = "waterclock.schedules.owner=rolling";
    version(OneVersion.class, owner).close();
    version(
        NextVersion.class,
        owner,
        "waterclock.schedules.removal=delete",
        "waterclock.schedules.removal-delay=4s");
    await().atMost(BOUND).until(() -> log.getAll().contains("[goes]; they are removed in PT4S"));
    schedules()
        .put("goes", ScheduleBuilder.every("1h").label("declared-by", "rolling"))
        .join()
        .orThrow();
    await()
        .atMost(BOUND)
        .until(
            () ->
                log.getAll()
                    .contains("The schedule goes continues: another instance has written it"));
    assertThat(exists("goes")).isTrue();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Slow {
    @Bean
    Handlers handlers(ObjectProvider<Tracer> tracer) {
      return new Handlers(tracer);
    }
  }

  @Test
  void an_application_that_stops_and_starts_again_runs_fires() throws Exception {
    ConfigurableApplicationContext again =
        run(Slow.class, "spring.application.name=again", "waterclock.schedules.enabled=false");
    again.stop();
    assertThat(again.getBean(WorkerLifecycle.class).worker()).isEmpty();
    again.start();
    template()
        .put("again", ScheduleBuilder.after(Duration.ZERO).type("slow"))
        .answer()
        .join()
        .orThrow();
    Handlers handlers = again.getBean(Handlers.class);
    assertThat(handlers.entered.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_running_handler_finishes_before_the_application_stops() throws Exception {
    ConfigurableApplicationContext slow =
        run(Slow.class, "spring.application.name=slow", "waterclock.schedules.enabled=false");
    template()
        .put("slow", ScheduleBuilder.after(Duration.ZERO).type("slow"))
        .answer()
        .join()
        .orThrow();
    Handlers handlers = slow.getBean(Handlers.class);
    assertThat(handlers.entered.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    slow.close();
    assertThat(handlers.slow.get()).isEqualTo("finished");
  }

  /** Beside the version that the other tests have, those that this Spring Boot runs with. */
  static Stream<Path> otherKafkaClients() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target", "kafka-clients"))) {
      List<Path> found = jars.sorted().toList();
      assertThat(found).hasSizeGreaterThan(1);
      return found.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("otherKafkaClients")
  @Tag("all")
  void an_application_runs_with_the_kafka_clients_of_its_framework(Path jar) throws Exception {
    String version = String.valueOf(jar.getFileName()).replaceAll("kafka-clients-(.*)\\.jar", "$1");
    String classPath =
        Stream.concat(
                Stream.of(jar.toString()),
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.contains("/org/apache/kafka/"))
                    .filter(entry -> !entry.matches(".*/(runtime|topology|testkit)/target/.*")))
            .collect(Collectors.joining(File.pathSeparator));
    Path out = dir.resolve(version + ".out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                classPath,
                PlainApplication.class.getName(),
                kafka.bootstrapServers())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean ended = process.waitFor(100, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as(Files.readString(out)).isTrue();
    assertThat(Files.readAllLines(out))
        .contains(
            "kafka-clients " + version,
            "put true",
            "committed true",
            "failed no stock",
            "aborted true",
            "reminded of a plain put",
            "reminded of a commit",
            "client UP",
            "worker UP",
            "closed")
        .doesNotContain("reminded of an abort")
        .anyMatch(line -> line.startsWith("refused Rejected["));
  }
}
