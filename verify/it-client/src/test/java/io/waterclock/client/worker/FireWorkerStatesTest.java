package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.schedules.NoAnswerException;
import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker says of itself while something that it needs is not there. */
@Timeout(600)
@Tag("all")
final class FireWorkerStatesTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  private static FireWorker.Builder worker(String bootstrapServers) {
    return FireWorker.builder(bootstrapServers, "service").onAny(run -> {});
  }

  /** A worker without order would have consumers of its share group to close. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_worker_whose_cluster_is_away_is_connecting_and_can_be_closed(boolean ordered)
      throws Exception {
    FireWorker.Builder builder = worker("127.0.0.1:1");
    FireWorker started;
    try (FireWorker worker = (ordered ? builder : builder.unordered()).start()) {
      started = worker;
      assertThatThrownBy(() -> worker.awaitRunning(Duration.ofSeconds(1)))
          .isInstanceOf(NotRunningException.class)
          .hasMessageStartingWith(
              "the worker of service is CONNECTING and was not RUNNING in time");
      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(worker.status())
                      .isEqualTo(
                          WorkerStatus.of(
                              WorkerStatus.State.CONNECTING,
                              "no Kafka broker answers at 127.0.0.1:1, or it refuses the"
                                  + " connection")));
      assertThat(worker.failure()).isEmpty();
    }
    assertThat(started.state()).isEqualTo(WorkerStatus.State.STOPPED);
  }

  @Test
  void a_permanent_error_ends_a_worker_at_its_start() throws Exception {
    try (EmbeddedKafka kafka = kafka(0)) {
      try (FireWorker worker = worker(kafka.bootstrapServers()).start()) {
        assertThatThrownBy(() -> worker.awaitRunning(BOUND))
            .hasMessageContaining("the worker of service is ")
            .hasMessageContaining("there is no topic waterclock.fires: the scheduler creates it");
        await().atMost(BOUND).until(() -> worker.state() == WorkerStatus.State.FAILED);
      }
      try (Rig rig = new Rig(kafka.bootstrapServers(), "claims");
          Connection open = database()) {
        FireHandler handler =
            JdbcFireHandler.of(
                FireWorkerStatesTest::database,
                new JdbcDeduplicator("service"),
                (connection, run) -> {});
        try (FireWorker worker = rig.worker("service").onType("report", handler).start()) {
          await().atMost(BOUND).until(() -> worker.state() == WorkerStatus.State.FAILED);
          assertThat(worker.failure().orElseThrow())
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("table waterclock_claims")
              .hasMessageContaining("JdbcDeduplicator.createTable(connection)");
        }
        JdbcDeduplicator.createTable(open);
        try (FireWorker worker = rig.worker("service").onType("report", handler).start()) {
          worker.awaitRunning(BOUND);
          assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
        }
      }
    }
  }

  @Test
  void a_worker_waits_while_its_cluster_is_away_and_runs_when_it_is_back() throws Exception {
    EmbeddedKafka kafka = kafka(0);
    int port = Integer.parseInt(kafka.bootstrapServers().replaceAll(".*:", ""));
    try (Rig rig = new Rig(kafka.bootstrapServers(), "away");
        Schedules schedules = schedules(kafka.bootstrapServers());
        FireWorker worker = rig.worker("service").onAny(run -> {}).start()) {
      worker.awaitRunning(BOUND);
      assertThatThrownBy(() -> schedules.delete("a").join()).isInstanceOf(NoAnswerException.class);
      kafka.close();
      assertThatThrownBy(() -> schedules.pause("a").join())
          .isInstanceOf(NotWrittenException.class)
          .hasMessageContaining("no Kafka broker answered at 127.0.0.1:" + port);
      await().atMost(BOUND).until(() -> worker.state() == WorkerStatus.State.DEGRADED);
      assertThat(worker.status().cause().orElseThrow()).contains("127.0.0.1:" + port);
      kafka = kafka(port);
      worker.awaitRunning(BOUND);
      assertThat(worker.failure()).isEmpty();
    } finally {
      kafka.close();
    }
  }

  /** A client of a scheduler that is away; the rig has created the other topics. */
  private static Schedules schedules(String bootstrapServers) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      admin.createTopics(List.of(new NewTopic("away.answers", 1, (short) 1))).all().get();
    }
    return Schedules.builder(bootstrapServers)
        .prefix("away")
        .timeout(Duration.ofMillis(1_500))
        .build();
  }

  private EmbeddedKafka kafka(int port) {
    return EmbeddedKafka.start(
        dir.resolve("kafka"), port, Map.of("group.min.session.timeout.ms", "500"));
  }

  private static Connection database() throws SQLException {
    return DriverManager.getConnection("jdbc:h2:mem:states");
  }
}
