package io.waterclock.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.RunProcess;
import io.waterclock.client.worker.FireWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scheduler, a worker and commands on brokers of each supported line of Kafka, and of an older
 * one.
 */
@Timeout(900)
@Tag("all")
final class BrokerReleasesTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"3.7", "3.9", "4.0", "4.3", "4.4"})
  void a_scheduler_runs_on_brokers_of_this_release(String release) throws Exception {
    try (ReleasedBroker broker = ReleasedBroker.start(release, dir.resolve("broker"))) {
      succeed(broker, "doctor", "--preflight", "--property", "partitions=2");
      assertThat(broker.topics()).isEmpty();
      try (RunProcess scheduler = run(broker).awaitReady()) {
        succeed(broker, "put", "a", "--every", "1s");
        awaitFires(broker, 3);
        try (FireWorker worker =
            FireWorker.builder(broker.address(), "remembering")
                .onAny(run -> run.leaveCheckpoint(new byte[] {1}))
                .start()) {
          await().atMost(BOUND).until(() -> broker.topics().contains("waterclock.workers"));
          assertThat(worker.failure()).isEmpty();
        }
        succeed(broker, "doctor");
        assertThat(scheduler.terminate()).isZero();
        assertThat(scheduler.lines()).noneMatch(line -> line.contains(" WARN "));
      }
      int before = fires(broker);
      try (RunProcess scheduler = run(broker).awaitReady()) {
        awaitFires(broker, before + 3);
        assertThat(scheduler.terminate()).isZero();
      }
      succeed(broker, "audit");
    }
  }

  @Test
  void an_older_release_is_refused_in_one_sentence_and_nothing_is_created() throws Exception {
    try (ReleasedBroker broker = ReleasedBroker.start("3.6", dir.resolve("broker"))) {
      String sentence =
          "the brokers at %s are older than Kafka 3.7 (they know metadata.version up to level 14),"
                  .formatted(broker.address())
              + " and Waterclock needs 3.7 or later";
      try (RunProcess scheduler = run(broker)) {
        assertThat(scheduler.awaitExit()).isEqualTo(1);
        assertThat(scheduler.lines()).containsExactly("waterclock: " + sentence);
      }
      CliRun preflight = command(broker, "doctor", "--preflight");
      assertThat(preflight.exitCode()).isEqualTo(1);
      assertThat(preflight.lines()).contains("WRONG  brokers: " + sentence);
      assertThat(broker.topics()).isEmpty();
    }
  }

  private RunProcess run(ReleasedBroker broker) throws Exception {
    return RunProcess.start(
        dir,
        "--bootstrap-server",
        broker.address(),
        "--set",
        "partitions=2",
        "--set",
        "state.dir=" + dir.resolve("state"));
  }

  private static void awaitFires(ReleasedBroker broker, int count) {
    await().atMost(BOUND).until(() -> fires(broker) >= count);
  }

  private static int fires(ReleasedBroker broker) {
    return command(broker, "fires", "--schedule", "a").lines().size();
  }

  private static void succeed(ReleasedBroker broker, String... words) {
    CliRun run = command(broker, words);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
  }

  private static CliRun command(ReleasedBroker broker, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--bootstrap-server", broker.address(), "--timeout", "2m"));
    return CliRun.today(all.toArray(String[]::new));
  }
}
