package io.waterclock.spring.actuate;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.http.HealthBoard;
import io.waterclock.spring.actuate.PartHealth.Status;
import io.waterclock.spring.scheduler.EmbeddedScheduler;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the scheduler in this JVM decides. Thread-safe; asks nothing of the brokers. */
public record SchedulerHealth(EmbeddedScheduler embedded) implements Supplier<PartHealth> {
  @Override
  public PartHealth get() {
    Optional<Throwable> failure = embedded.failure();
    if (failure.isPresent()) {
      return PartHealth.of(Status.DOWN, Map.of(), PartHealth.reason(failure.get()));
    }
    return embedded
        .scheduler()
        .map(SchedulerHealth::of)
        .orElseGet(() -> PartHealth.of(Status.OUT_OF_SERVICE, Map.of(), Optional.of("it starts")));
  }

  private static PartHealth of(Waterclock scheduler) {
    HealthBoard.Verdict live = scheduler.health().live();
    HealthBoard.Verdict ready = scheduler.health().ready();
    HealthBoard.Verdict worst = live.isOk() ? ready : live;
    Status status = !live.isOk() ? Status.DOWN : ready.isOk() ? Status.UP : Status.OUT_OF_SERVICE;
    return PartHealth.of(
        status,
        Map.of("tasks", scheduler.health().tasks()),
        Optional.of(String.join("; ", worst.problems())).filter(text -> !text.isEmpty()));
  }
}
