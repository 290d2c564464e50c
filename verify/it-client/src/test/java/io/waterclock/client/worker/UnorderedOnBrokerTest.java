package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.TestFires;
import io.waterclock.client.worker.brokers.ShareGroup;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers without order, on the share groups of a broker. */
@Timeout(600)
final class UnorderedOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir static Path dir;
  static EmbeddedKafka kafka;

  private final Instant first = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  @BeforeAll
  static void start() {
    kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"),
            0,
            Map.of(
                "group.share.min.record.lock.duration.ms", "6000",
                "group.share.record.lock.duration.ms", "6000"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static FireWorker.Builder worker(Rig rig) {
    return rig.worker("service").unordered();
  }

  @Test
  @Tag("all")
  void more_threads_have_fires_than_the_topic_has_partitions() throws Exception {
    int threads = Rig.PARTITIONS + 2;
    int fires = 10 * threads;
    CountDownLatch together = new CountDownLatch(threads);
    Set<String> done = ConcurrentHashMap.newKeySet();
    try (Rig rig = new Rig(kafka.bootstrapServers(), "many")) {
      for (int i = 0; i < fires; i++) {
        rig.send(TestFires.of("s/" + i, first, HOUR, schedule -> {}));
      }
      rig.flush();
      List<FireWorker> workers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        workers.add(
            worker(rig)
                .threads(threads / 2)
                .onAny(
                    run -> {
                      together.countDown();
                      together.await();
                      done.add(run.fireKey());
                    })
                .start());
      }
      assertThat(together.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
      await().atMost(BOUND).until(() -> done.size() == fires);
      await()
          .atMost(BOUND)
          .until(() -> workers.stream().allMatch(it -> it.state() == WorkerStatus.State.RUNNING));
      workers.forEach(FireWorker::close);
      assertThat(workers).allMatch(each -> each.state() == WorkerStatus.State.STOPPED);
    }
  }

  @Test
  @Tag("all")
  void a_fire_runs_once_though_it_takes_longer_than_its_loan_and_retries_and_dead_letters_work()
      throws Exception {
    List<String> runs = new CopyOnWriteArrayList<>();
    AtomicInteger attempts = new AtomicInteger();
    try (Rig rig = new Rig(kafka.bootstrapServers(), "slow");
        FireWorker worker =
            worker(rig)
                .threads(3)
                .onSchedule(
                    "slow",
                    run -> {
                      runs.add(run.fireKey());
                      Thread.sleep(9_000);
                    })
                .onSchedule(
                    "poison",
                    run -> {
                      attempts.incrementAndGet();
                      run.leaveCheckpoint(new byte[] {1});
                    })
                .start()) {
      rig.fire("slow", first, HOUR, schedule -> {});
      rig.fire(
          "poison",
          first,
          HOUR,
          schedule -> {
            schedule.setMaxAttempts(3);
            schedule.setBackoffMs(10);
          });
      rig.emitBytes(0, "nonsense".getBytes(StandardCharsets.UTF_8));
      // more than two if a loaded machine has let a loan end
      await().atMost(BOUND).until(() -> rig.read(rig.topics.dlq()).size() >= 2);
      await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 1);
      rig.fire("slow", first.plusMillis(1), HOUR, schedule -> {});
      await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 2);
      assertThat(runs).hasSize(2).doesNotHaveDuplicates();
      assertThat(attempts.get() % 3).isZero();
      assertThat(rig.read(rig.topics.dlq()))
          .extracting(record -> Rig.header(record, HeaderNames.ERROR))
          .anySatisfy(
              error ->
                  assertThat(error)
                      .startsWith("ATTEMPTS_EXHAUSTED after 3")
                      .contains("a worker without order keeps no checkpoints"));
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void a_worker_that_stops_hands_its_unfinished_fires_to_another_one() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    List<String> done = new CopyOnWriteArrayList<>();
    try (Rig rig = new Rig(kafka.bootstrapServers(), "handover")) {
      FireWorker stopped =
          worker(rig)
              .threads(1)
              .onAny(
                  run -> {
                    begun.countDown();
                    Thread.sleep(600_000);
                  })
              .start();
      rig.fire("a", first, HOUR, schedule -> {});
      assertThat(begun.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
      stopped.close(Duration.ofMillis(100));
      assertThat(stopped.state()).isEqualTo(WorkerStatus.State.STOPPED);
      try (FireWorker other =
          worker(rig).threads(1).onAny(run -> done.add(run.fireKey())).start()) {
        await().atMost(BOUND).until(() -> done.size() == 1);
        assertThat(other.failure()).isEmpty();
      }
    }
  }

  @Test
  @Tag("all")
  void brokers_without_share_groups_are_refused_with_what_to_do() throws Exception {
    try (EmbeddedKafka old = EmbeddedKafka.start(dir.resolve("old"), 0)) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", old.bootstrapServers()))) {
        admin
            .updateFeatures(
                Map.of(
                    "share.version",
                    new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)),
                new UpdateFeaturesOptions())
            .all()
            .get();
      }
      try (Rig rig = new Rig(old.bootstrapServers(), "old");
          FireWorker worker = worker(rig).onAny(run -> {}).start()) {
        await().atMost(BOUND).until(() -> worker.state() == WorkerStatus.State.FAILED);
        assertThat(worker.failure().orElseThrow())
            .hasMessage(
                "the brokers at %s have no share groups, which unordered() needs: use Kafka 4.2 or"
                        .formatted(old.bootstrapServers())
                    + " later, and enable them with kafka-features.sh upgrade --feature"
                    + " share.version=1");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.9.1", "4.0.1", "4.1.1-cp"})
  void kafka_clients_without_share_groups_are_refused_with_their_version(String version) {
    assertThatThrownBy(() -> ShareGroup.checkClient(version))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kafka-clients 4.2 or later, and the class path has " + version);
    for (String fits : List.of("4.2.0", "4.10.0", "5.0.0-SNAPSHOT")) {
      ShareGroup.checkClient(fits);
    }
  }
}
