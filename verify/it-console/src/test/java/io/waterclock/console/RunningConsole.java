package io.waterclock.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Tokens;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitWindow;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * A broker, a scheduler with schedules in every state, and a console that knows six people by their
 * tokens.
 */
final class RunningConsole implements AutoCloseable {
  static final String VIEWER = "viewer-token-0123456789";
  static final String OPERATOR = "operator-token-0123456789";
  static final String EDITOR = "editor-token-0123456789";

  /** Of an operator of ops/, and editor of edits/, alone. */
  static final String PARTIAL = "partial-token-0123456789";

  /** Of an operator of ops/ who sees nothing else. */
  static final String ONE_PREFIX = "one-prefix-token-0123456789";

  /** Of a person without a role. */
  static final String NO_ROLE = "no-role-token-0123456789";

  /** Markup that must never become more than text, and what looks like an instant. */
  static final String HOSTILE =
      "<img src=x onerror=\"document.title='owned'\"> 2026-13-45T99:99:99Z";

  final Topics topics = Topics.ofDefault();
  final Schedules schedules;
  final Console console;

  private interface Open {
    void close() throws IOException;
  }

  private final Deque<Open> open = new ArrayDeque<>();
  private final EmbeddedKafka kafka;

  private RunningConsole(Path dir) throws IOException {
    open.push(() -> Utils.delete(dir.toFile()));
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    open.push(kafka::close);
    Waterclock scheduler =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "partitions", "2",
                    "limits", "true",
                    "health.port", "0",
                    "instance", "scheduler-1",
                    "state.dir", dir.resolve("state").toString())));
    open.push(scheduler::close);
    // the machine may be busy with other tests
    schedules = Schedules.builder(kafka.bootstrapServers()).timeout(Duration.ofMinutes(4)).build();
    open.push(schedules::close);
    console = start();
    open.push(console::close);
  }

  static RunningConsole start(Path dir) throws IOException {
    return new RunningConsole(dir);
  }

  private Console start() throws IOException {
    AccessRules rules =
        AccessRules.parse(
            "viewer vera\n"
                + "operator otto\n"
                + "editor edda\n"
                + "viewer petra\n"
                + "operator petra ops/\n"
                + "editor petra edits/\n"
                + "operator olga ops/\n");
    Tokens tokens =
        Tokens.parse(
            "vera "
                + VIEWER
                + "\notto "
                + OPERATOR
                + "\nedda "
                + EDITOR
                + "\npetra "
                + PARTIAL
                + "\nolga "
                + ONE_PREFIX
                + "\nnora "
                + NO_ROLE);
    return Console.start(
        new Console.Settings(
            new ConsoleServer.Listening("127.0.0.1", 0, rules, new Identification.Bearer(tokens)),
            new ConsoleServer.Offer(
                List.of(),
                List.of(new ZoneData("2099z", Map.of("Europe/Berlin", ZoneOffset.UTC.getRules())))),
            ZoneOffset.UTC,
            new ModelWriter.Limits(64 << 20, 100_000, 100)),
        new Console.Source(
            new TopicReader(this::consumer),
            topics,
            SchemaSource.none(),
            Optional.of(
                new Writing(schedules, Redrive.Brokers.of(clients(), topics), this::limit))),
        InstantSource.system());
  }

  /** Writes a limit, or ends it. */
  void limit(LimitName name, Optional<Limit> limit) {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] value = limit.map(it -> RecordCodecs.limit().encode(it, WireFormat.JSON)).orElse(null);
      producer.send(new ProducerRecord<>(topics.limits(), name.utf8(), value)).get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Schedules in every state, fires with outcomes, a dead letter, a limit. */
  void fill() throws ExecutionException, InterruptedException {
    limit(
        new LimitName("etl"),
        Optional.of(
            Limit.newBuilder()
                .setMaxRunning(4)
                .setDescription("What the warehouse can take.")
                .setClosed(List.of(new LimitWindow("0 22 * * *", 3_600_000L, "Europe/Berlin")))
                .build()));
    schedules
        .put(
            "billing/invoices",
            ScheduleBuilder.every(Duration.ofSeconds(2))
                .owner("billing")
                .label("team", "money")
                .payloadJson("{\"secret\":\"s3cret\"}")
                .header("authorization", "s3cret-header")
                .reportAll())
        .join()
        .orThrow();
    schedules
        .put(
            "reports/daily",
            ScheduleBuilder.cron("30 2 * * *")
                .timezone("Europe/Berlin")
                .owner("reports")
                .description("Sends the numbers of the day before."))
        .join()
        .orThrow();
    schedules.put("reports/weekly", ScheduleBuilder.cron("0 9 * * MON").owner("reports")).join();
    schedules.put("ops/backup", ScheduleBuilder.every(Duration.ofMinutes(10)).owner("ops")).join();
    schedules.put("ops/cleanup", ScheduleBuilder.every(Duration.ofMinutes(7)).owner("ops")).join();
    schedules
        .command("ops/cleanup", ScheduleCommand.pause("disk is full, see #4711", "ann"))
        .join();
    schedules
        .put(
            "hostile/markup",
            ScheduleBuilder.every(Duration.ofMinutes(3))
                .owner(HOSTILE)
                .label("x", HOSTILE)
                .description(HOSTILE)
                .payloadText(HOSTILE)
                .header("h", HOSTILE))
        .join()
        .orThrow();
    schedules.command("hostile/markup", ScheduleCommand.pause(HOSTILE, HOSTILE)).join();
    schedules.put("timers/once", ScheduleBuilder.after(Duration.ofMillis(100))).join();
    schedules.putJson("broken/cron", "{\"cron\":\"61 * * * *\"}").join();
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  topics.schedules(),
                  HOSTILE.getBytes(UTF_8),
                  "{\"every\":\"5s\"}".getBytes(UTF_8)))
          .get();
    }
  }

  /** Writes a calendar that excludes every day. */
  void excludeAllDays(String calendar) throws ExecutionException, InterruptedException {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  topics.calendars(),
                  calendar.getBytes(UTF_8),
                  "{\"dates\":[\"2000-01-01/9999-12-31\"]}".getBytes(UTF_8)))
          .get();
    }
  }

  /** Reports outcomes of the fires so far of a schedule, every fourth a failure. */
  void report(String id) throws ExecutionException, InterruptedException {
    List<Fire> fires = schedules.fires(id).join();
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < fires.size(); i++) {
        Outcome outcome =
            Outcome.newBuilder()
                .setFireKey(FireKey.of(ScheduleId.parse(id), fires.get(i).getOccurrence()).text())
                .setState(i % 4 == 3 ? OutcomeState.FAILED : OutcomeState.SUCCEEDED)
                .build();
        producer
            .send(
                new ProducerRecord<>(
                    topics.outcomes(),
                    id.getBytes(UTF_8),
                    RecordCodecs.outcome().encode(outcome, WireFormat.AVRO)))
            .get();
      }
    }
  }

  /** From now on no broker answers. */
  void stopBroker() {
    kafka.close();
  }

  String address() {
    return "http://127.0.0.1:" + console.port();
  }

  private Map<String, Object> clients() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  private Consumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() throws IOException {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  /** Runs until it is killed, to look at the pages by hand: {@code RunningConsole}. */
  public static void main(String[] args) throws Exception {
    RunningConsole running = start(Files.createTempDirectory("console"));
    running.fill();
    System.out.println(running.address());
    new CountDownLatch(1).await();
  }
}
