package io.waterclock.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.rules.RetryLines;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fires of a schedule keep their order while some of them wait for retries: with a broker. */
@Tag("all")
@Timeout(1_200)
final class OrderedRetriesTest {
  private static final Duration BOUND = Duration.ofMinutes(10);
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final int KILLS = Integer.getInteger("waterclock.kills", 12);
  private static final int SCHEDULES = 6;
  private static final int FIRES = 60;
  private static final Topics TOPICS = new Topics("ordered");

  @TempDir static Path dir;
  private static Optional<EmbeddedKafka> kafka = Optional.empty();
  private static Optional<Waterclock> scheduler = Optional.empty();

  @BeforeAll
  static void start() {
    EmbeddedKafka broker =
        EmbeddedKafka.start(dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "300"));
    kafka = Optional.of(broker);
    Waterclock started =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers",
                    broker.bootstrapServers(),
                    "prefix",
                    TOPICS.prefix(),
                    "partitions",
                    "3",
                    "metadata.max.age.ms",
                    "2000",
                    "retries",
                    "true",
                    "state.dir",
                    dir.resolve("state").toString(),
                    "health.port",
                    "off")));
    scheduler = Optional.of(started);
    await().atMost(BOUND).until(started::isReady);
  }

  @AfterAll
  static void stop() {
    scheduler.ifPresent(Waterclock::close);
    kafka.ifPresent(EmbeddedKafka::close);
  }

  private static String brokers() {
    return kafka.orElseThrow().bootstrapServers();
  }

  private static Schedules schedules() {
    return Schedules.builder(brokers()).prefix(TOPICS.prefix()).build();
  }

  /**
   * Two workers share the schedules, and each is killed again and again. A third of all runs fails.
   * A fire may have its effect twice, but no fire has its first one after a later fire. The topics
   * of the fires and of the retries have one partition more than that of the schedules.
   */
  @Test
  void workers_that_are_killed_do_not_change_the_order() throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
      NewPartitions four = NewPartitions.increaseTo(4);
      admin.createPartitions(Map.of(TOPICS.fires(), four, TOPICS.retries(), four)).all().get();
    }
    Path effects = Files.createFile(dir.resolve("effects.txt"));
    List<Process> workers = new ArrayList<>(List.of(worker(effects), worker(effects)));
    try {
      try (Schedules schedules = schedules()) {
        for (int i = 0; i < SCHEDULES; i++) {
          schedules
              .put(
                  "killed/" + i,
                  ScheduleBuilder.every(Duration.ofSeconds(1)).maxOccurrences(FIRES).maxAttempts(1))
              .join()
              .orThrow();
        }
      }
      await().atMost(BOUND).until(() -> effects(effects).size() > 0);
      for (int kill = 0; kill < KILLS; kill++) {
        await().pollDelay(Duration.ofMillis(1_000 + random.nextLong(4_000))).until(() -> true);
        int which = random.nextInt(workers.size());
        workers.get(which).destroyForcibly().waitFor();
        workers.set(which, worker(effects));
      }
      await()
          .atMost(BOUND)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> firsts(effects).values().stream().allMatch(all -> all.size() == FIRES));
    } finally {
      for (Process worker : workers) {
        worker.destroyForcibly().waitFor();
      }
    }
    Map<String, List<Instant>> firsts = firsts(effects);
    assertThat(firsts).hasSize(SCHEDULES);
    firsts.forEach((id, occurrences) -> assertThat(occurrences).as(id).isSorted());
    System.out.println(effects(effects).size() + " effects of " + SCHEDULES * FIRES + " fires");
  }

  /** The occurrences of each schedule, in the order in which they had their first effects. */
  private static Map<String, List<Instant>> firsts(Path effects) throws IOException {
    return effects(effects).stream()
        .distinct()
        .map(line -> line.split(" ", 2))
        .collect(
            Collectors.groupingBy(
                words -> words[0],
                Collectors.mapping(words -> Instant.parse(words[1]), Collectors.toList())));
  }

  private static List<String> effects(Path effects) throws IOException {
    return Files.readAllLines(effects, UTF_8);
  }

  private static Process worker(Path effects) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FailingWorker.class.getName(),
            brokers(),
            TOPICS.prefix(),
            effects.toString())
        .inheritIO()
        .start();
  }

  /** A worker as a process; what fails depends on the fire and the attempt alone. */
  static final class FailingWorker {
    private static final int FAILS_ONE_IN = 3;

    private FailingWorker() {}

    public static void main(String[] arguments) throws InterruptedException {
      Path effects = Path.of(arguments[2]);
      List<Duration> waits = IntStream.range(0, 40).mapToObj(i -> Duration.ofSeconds(2)).toList();
      try (FireWorker worker =
          FireWorker.builder(arguments[0], "killed")
              .prefix(arguments[1])
              .consumer(
                  Map.of(
                      "session.timeout.ms", 1_500,
                      "heartbeat.interval.ms", 300,
                      "metadata.max.age.ms", 2_000))
              .retry(RetryPlan.of(waits).inOrder())
              .onPrefix("killed/", run -> write(run, effects))
              .start()) {
        worker.await();
      }
    }

    private static void write(Run run, Path effects) {
      if ((run.fire().getFireId() + run.attempt()).hashCode() % FAILS_ONE_IN == 0) {
        throw new IllegalStateException("not today");
      }
      String line = run.fire().getScheduleId() + " " + run.fire().getOccurrence() + "\n";
      try {
        Files.writeString(effects, line, UTF_8, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void a_line_is_full_after_a_thousand_fires_and_those_in_it_run_in_their_order() {
    int more = 10;
    AtomicBoolean isOut = new AtomicBoolean(true);
    AtomicInteger deadLetters = new AtomicInteger();
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void onDeadLetter() {
            deadLetters.incrementAndGet();
          }
        };
    List<Instant> ran = new CopyOnWriteArrayList<>();
    RetryPlan plan =
        RetryPlan.of(IntStream.range(0, 100).mapToObj(i -> Duration.ofSeconds(20)).toList());
    try (Schedules schedules = schedules();
        FireWorker worker =
            FireWorker.builder(brokers(), "long")
                .prefix(TOPICS.prefix())
                .retry(plan.inOrder())
                .listener(listener)
                .onPrefix(
                    "long/",
                    run -> {
                      if (isOut.get()) {
                        throw new IllegalStateException("not today");
                      }
                      ran.add(run.fire().getOccurrence());
                    })
                .start()) {
      schedules
          .put(
              "long/1", ScheduleBuilder.once(Instant.now().plus(Duration.ofDays(1))).maxAttempts(1))
          .join()
          .orThrow();
      for (int i = 0; i < RetryLines.MOST_FIRES + more; i++) {
        var unused = schedules.trigger("long/1");
      }
      await().atMost(BOUND).until(() -> deadLetters.get() == more);
      isOut.set(false);
      await().atMost(BOUND).until(() -> ran.size() >= RetryLines.MOST_FIRES);
      assertThat(worker.failure()).isEmpty();
    }
    assertThat(ran).hasSize(RetryLines.MOST_FIRES).isSorted();
    assertThat(deadLetters).hasValue(more);
  }
}
