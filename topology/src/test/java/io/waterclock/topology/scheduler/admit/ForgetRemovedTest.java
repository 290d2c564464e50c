package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.EarlierLives;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** How long it is remembered that a schedule was removed. */
final class ForgetRemovedTest {
  private static final Instant T0 = Instant.parse("2026-12-07T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final KeyValueStore<Bytes, byte[]> store =
      Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();
  private final TaskContext task = TestTask.with(store);
  private final StrayStore removed = task.partition().stores().strays();

  @Test
  void few_are_remembered_as_long_as_tombstones_are_kept() {
    ForgetRemoved forget = forget();
    remove(3);
    run(forget, T0.plus(DAY.multipliedBy(7)));
    assertThat(count()).isEqualTo(3);
    assertThat(removed.forgotten()).isEmpty();
    run(forget, T0.plus(DAY.multipliedBy(8)));
    assertThat(count()).isZero();
    assertThat(removed.forgotten())
        .contains(new StrayStore.Forgotten(T0.minusSeconds(1), T0.minusSeconds(2)));
  }

  @Test
  void many_are_remembered_for_the_retention() {
    ForgetRemoved forget = forget();
    remove(2_500);
    run(forget, T0.plus(Duration.ofMinutes(50)));
    run(forget, T0.plus(Duration.ofMinutes(58)));
    assertThat(count()).isEqualTo(2_500);
    run(forget, T0.plus(Duration.ofMinutes(70)));
    assertThat(count()).isZero();
  }

  @Test
  void what_a_pass_forgets_does_not_make_many_of_few() {
    ForgetRemoved forget = forget();
    remove(5, T0.minus(DAY.multipliedBy(8)));
    remove(3);
    run(forget, T0);
    assertThat(count()).isEqualTo(3);
    run(forget, T0.plus(Duration.ofMinutes(70)));
    assertThat(count()).isEqualTo(3);
  }

  @Test
  void one_pass_is_taken_in_each_interval() {
    ForgetRemoved forget = forget();
    Instant kept = T0.plus(DAY.multipliedBy(7));
    remove(1);
    run(forget, kept);
    run(forget, kept.plus(MINUTE).minusMillis(1));
    assertThat(count()).isEqualTo(1);
    run(forget, kept.plus(MINUTE));
    assertThat(count()).isZero();
  }

  private ForgetRemoved forget() {
    return new ForgetRemoved(
        removed, new Settings.Retention(HOUR, HOUR, DAY.multipliedBy(7)), 3, MINUTE);
  }

  /** Enough slices for a pass. */
  private void run(ForgetRemoved forget, Instant now) {
    for (int i = 0; i < 4; i++) {
      task.applier().apply(forget.run(now));
    }
  }

  private void remove(int count) {
    remove(count, T0);
  }

  private void remove(int count, Instant removedAt) {
    for (int i = 0; i < count; i++) {
      EarlierLives decided = EarlierLives.endedAt(T0.minusSeconds(2 + i));
      task.applier()
          .apply(
              new Effect.RememberRemoved(
                  ScheduleId.parse("s-" + i + removedAt.getEpochSecond()),
                  T0.minusSeconds(1 + i),
                  i,
                  decided,
                  removedAt));
    }
  }

  private int count() {
    return removed.rowsAfter(Optional.empty(), 10_000).size();
  }
}
