package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers where the scheduler writes in the registry format. */
@Timeout(600)
final class RegistryFormatTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir static Path dir;
  private static Optional<EmbeddedKafka> kafka = Optional.empty();

  private final Instant first = Instant.now().truncatedTo(ChronoUnit.MILLIS);
  private final List<String> done = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() {
    kafka =
        Optional.of(
            EmbeddedKafka.start(
                dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "500")));
  }

  @AfterAll
  static void stop() {
    kafka.ifPresent(EmbeddedKafka::close);
  }

  private static Rig rig(String prefix) throws Exception {
    return new Rig(kafka.orElseThrow().bootstrapServers(), prefix);
  }

  private FireWorker worker(Rig rig, Map<String, ?> settings) {
    return rig.worker("service")
        .kafka(settings)
        .consumer(
            Map.of(
                "session.timeout.ms", 1500,
                "heartbeat.interval.ms", 300,
                "max.poll.interval.ms", 1500))
        .onAny(run -> done.add(run.fireKey()))
        .start();
  }

  private Fire fire(String id, int number) {
    return TestFires.of(id, first.plusMillis(number), HOUR, schedule -> {});
  }

  private static String key(Fire fire) {
    return TestFires.key(fire).toString();
  }

  @Test
  void
      a_registry_that_does_not_answer_holds_back_a_partition_without_losses_dead_letters_or_a_stop()
          throws Exception {
    try (Rig rig = rig("away");
        FakeRegistry registry = new FakeRegistry(RecordCodecs.fire().schema())) {
      Map<String, ?> settings = Map.of("schema.registry.url", registry.url());
      Fire mine = fire("a", 0);
      Fire behind = fire("a", 1);
      registry.goAway();
      try (FireWorker worker = worker(rig, settings)) {
        rig.emit(mine, registry.encoding());
        rig.emit(behind, Encoding.AVRO);
        // longer than a consumer may stay away from its group
        await().atMost(BOUND).until(() -> registry.refused() > 5);
        for (int schedule = 0; schedule < 20; schedule++) {
          rig.emit(fire("other/" + schedule, 2), Encoding.AVRO);
        }
        List<String> elsewhere = elsewhere(rig, mine);
        await().atMost(BOUND).until(() -> done.containsAll(elsewhere));
        assertThat(done).doesNotContain(key(mine), key(behind));
        assertThat(worker.status().state()).isEqualTo(WorkerStatus.State.DEGRADED);
        assertThat(worker.status().cause().orElseThrow())
            .contains("the schema registry does not answer: " + registry.url());
      }
      try (FireWorker worker = worker(rig, settings)) {
        await().atMost(BOUND).until(() -> registry.refused() > 8);
        registry.comeBack();
        await().atMost(BOUND).until(() -> done.size() == 22);
        assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
      }
      assertThat(done).doesNotHaveDuplicates().containsSubsequence(key(mine), key(behind));
      assertThat(rig.read(rig.topics.dlq())).isEmpty();
    }
  }

  private List<String> elsewhere(Rig rig, Fire held) {
    return java.util.stream.IntStream.range(0, 20)
        .mapToObj(schedule -> fire("other/" + schedule, 2))
        .filter(fire -> rig.partition(fire) != rig.partition(held))
        .map(RegistryFormatTest::key)
        .toList();
  }

  @Test
  void a_worker_that_cannot_read_the_schedulers_fires_ends_without_dead_letters() throws Exception {
    try (Rig rig = rig("unable");
        FakeRegistry registry = new FakeRegistry(RecordCodecs.fire().schema())) {
      Fire mine = fire("a", 0);
      rig.emitBytes(rig.partition(mine), new byte[] {0, 0, 0, 0, 9, 1});
      rig.emit(mine, registry.encoding());
      try (FireWorker worker = worker(rig, Map.of())) {
        await().atMost(BOUND).until(() -> worker.state() == WorkerStatus.State.FAILED);
        assertThat(worker.failure())
            .get()
            .satisfies(
                failure ->
                    assertThat(failure)
                        .hasMessageContaining("@1 is a fire")
                        .hasMessageContaining("set schema.registry.url"));
      }
      assertThat(rig.read(rig.topics.dlq()))
          .as("what does not say that it is a fire")
          .singleElement()
          .satisfies(
              record ->
                  assertThat(Rig.header(record, HeaderNames.ERROR))
                      .contains("schema.registry.url"));
      try (FireWorker worker =
          worker(
              rig, Map.of("schema.registry.url", registry.url(), "specific.avro.reader", true))) {
        await().atMost(BOUND).until(() -> done.equals(List.of(key(mine))));
        await().atMost(BOUND).until(() -> rig.told(OutcomeState.SUCCEEDED).size() == 1);
        assertThat(worker.failure()).isEmpty();
      }
    }
  }

  @Test
  void wrong_settings_are_refused_all_at_once() throws Exception {
    try (Rig rig = rig("wrong")) {
      assertThatThrownBy(
              () ->
                  worker(
                      rig,
                      Map.of(
                          "schema.registry.url",
                          "nowhere",
                          "http.read.timeout.ms",
                          -1,
                          "auto.register.schemas",
                          false)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("schema.registry.url")
          .hasMessageContaining("http.read.timeout.ms");
    }
  }
}
