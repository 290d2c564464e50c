package io.waterclock.spring.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.spring.actuate.PartHealth;
import io.waterclock.spring.actuate.SchedulerHealth;
import io.waterclock.spring.actuate.WorkerHealth;
import io.waterclock.spring.schedule.DeclaredSchedule;
import io.waterclock.spring.schedule.Removal;
import io.waterclock.spring.schedule.ScheduleWriter;
import io.waterclock.spring.worker.WorkerLifecycle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes of an error in the thread of the scheduler. */
final class EmbeddedSchedulerTest {
  private static final String MISSING = "org/apache/kafka/streams/NewerThanThis";

  private final CompletableFuture<Throwable> thrown = new CompletableFuture<>();
  private final EmbeddedScheduler scheduler =
      new EmbeddedScheduler(
          WaterclockConfig.parse(Map.of()),
          config -> {
            Thread.currentThread()
                .setUncaughtExceptionHandler((thread, cause) -> thrown.complete(cause));
            throw new NoClassDefFoundError(MISSING);
          });

  @AfterEach
  void stop() {
    scheduler.stop();
  }

  private void awaitEnd() {
    assertThat(thrown.orTimeout(60, TimeUnit.SECONDS).join())
        .isInstanceOf(NoClassDefFoundError.class);
  }

  private static void assertDown(PartHealth health) {
    assertThat(health.status()).isEqualTo(PartHealth.Status.DOWN);
    assertThat(health.details().get("reason"))
        .asString()
        .contains("NoClassDefFoundError")
        .contains(MISSING);
  }

  @Test
  void its_health_is_down_and_says_why() {
    scheduler.start();
    awaitEnd();
    assertDown(new SchedulerHealth(scheduler).get());
  }

  @Test
  void the_worker_that_waits_for_the_topics_is_down_and_says_why() {
    WorkerLifecycle worker =
        new WorkerLifecycle(
            () -> FireWorker.builder("127.0.0.1:1", "service").onAny(run -> {}),
            () -> true,
            scheduler.topics(),
            new WorkerLifecycle.Times(Duration.ZERO, Duration.ZERO));
    worker.start();
    scheduler.start();
    awaitEnd();
    assertThat(worker.worker()).isEmpty();
    assertDown(new WorkerHealth(worker).get());
    worker.stop();
  }

  @Test
  void schedules_that_wait_for_the_topics_are_not_written_and_say_why() {
    scheduler.start();
    awaitEnd();
    try (Schedules schedules = Schedules.builder("127.0.0.1:1").build()) {
      ScheduleWriter writer =
          new ScheduleWriter(
              schedules,
              List.of(),
              () -> List.of(new DeclaredSchedule("a", Optional.empty(), "the test")),
              Optional.empty(),
              new Removal(Removal.Mode.LOG, Duration.ZERO, false),
              scheduler.topics());
      writer.start();
      assertThat(writer.results().get("a")).startsWith("not written, ").contains(MISSING);
      writer.stop();
    }
  }
}
