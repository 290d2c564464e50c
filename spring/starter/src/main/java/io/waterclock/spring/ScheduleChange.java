package io.waterclock.spring;

import io.waterclock.client.schedules.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A change of a schedule that was sent. Nothing waits for the scheduler's answer unless {@link
 * #answer} is called; a refusal is logged in any case, except for a change in a transaction that
 * Spring does not manage. Thread-safe.
 */
public final class ScheduleChange {
  private final String scheduleId;
  private final Supplier<CompletableFuture<Answer>> answer;

  /**
   * For tests without a broker, as {@code @WaterclockTest} makes them.
   *
   * @param answer is called at each call of {@link #answer}
   */
  public ScheduleChange(String scheduleId, Supplier<CompletableFuture<Answer>> answer) {
    this.scheduleId = scheduleId;
    this.answer = answer;
  }

  /** The id of the schedule. */
  public String scheduleId() {
    return scheduleId;
  }

  /**
   * The scheduler's answer. Of a change in a transaction, ask after the commit: the timeout counts
   * from the first call.
   */
  public CompletableFuture<Answer> answer() {
    return answer.get();
  }
}
