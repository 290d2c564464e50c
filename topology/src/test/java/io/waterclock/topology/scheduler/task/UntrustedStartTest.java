package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.topology.scheduler.context.ClockGuard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A host whose clock is not trusted when its tasks begin. */
final class UntrustedStartTest {
  private static final int PARTITIONS = 3;
  private static final String ID = "reports/daily";

  private boolean isTrusted = true;
  private final SimulatedCluster cluster =
      new SimulatedCluster(PARTITIONS, time -> ClockGuard.of(time, () -> isTrusted));

  @Test
  void topics_have_forgotten_deletes_though_the_clock_tells_it_later() {
    decide();
    int home = cluster.home(ID.getBytes(StandardCharsets.US_ASCII));
    cluster.produce(
        cluster.topics().schedules(),
        (home + 1) % PARTITIONS,
        ID,
        Optional.of("{\"at\":\"2099-01-01T00:00:00Z\"}"),
        cluster.now(),
        "r");
    cluster.advance(Duration.ofDays(8));
    isTrusted = false;
    cluster.tasks().forEach(SimulatedTask::crash);
    decide(); // what it reads now waits
    isTrusted = true;
    cluster.tasks().forEach(SimulatedTask::tick);
    decide();
    Answer answer = cluster.answers().get(0);
    assertThat(answer.getProblems().get(0).getMessage())
        .contains("the scheduler no longer remembers whether its schedule was deleted");
  }

  private void decide() {
    for (int rounds = 0; rounds < 3; rounds++) {
      cluster.drain();
      cluster.advance(Duration.ofSeconds(1));
    }
  }
}
