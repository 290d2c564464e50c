package io.waterclock.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.topology.scheduler.store.StateAge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StandbyUpdateListener.SuspendReason;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;

final class StandbyContactTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private Instant now = Instant.parse("2026-11-23T06:00:00Z");
  private final List<TaskId> distrusted = new ArrayList<>();
  private final StandbyContact contact =
      new StandbyContact(new StateAge(HOUR, () -> now), distrusted::add);

  @Test
  void a_standby_that_hears_something_now_and_then_goes_on() {
    start("schedules");
    start("progress");
    for (int i = 0; i < 48; i++) {
      now = now.plus(HOUR);
      assertThatCode(() -> hear("progress", 3)).doesNotThrowAnyException();
    }
    assertThatCode(() -> hear("schedules", 3)).doesNotThrowAnyException();
  }

  @Test
  void a_standby_that_has_heard_nothing_for_too_long_is_given_up() {
    start("progress");
    hear("progress", 3);
    now = now.plus(HOUR).plusMillis(1);
    assertThatCode(() -> hear("progress", 4)).doesNotThrowAnyException();
    assertThat(distrusted).isEmpty();
    assertThatThrownBy(() -> hear("schedules", 3)).isInstanceOf(TaskCorruptedException.class);
    assertThat(distrusted).containsExactly(new TaskId(0, 3));
  }

  @Test
  void silence_before_the_first_record_counts_too() {
    start("progress");
    now = now.plus(HOUR).plusMillis(1);
    assertThatThrownBy(() -> hear("progress", 3)).isInstanceOf(TaskCorruptedException.class);
  }

  @Test
  void a_standby_that_was_elsewhere_meanwhile_begins_anew() {
    start("progress");
    contact.onUpdateSuspended(changelog("progress", 3), "progress", 7, 7, SuspendReason.MIGRATED);
    now = now.plus(HOUR).plusMillis(1);
    start("progress");
    assertThatCode(() -> hear("progress", 3)).doesNotThrowAnyException();
  }

  private void start(String store) {
    contact.onUpdateStart(changelog(store, 3), store, 0);
  }

  private void hear(String store, int partition) {
    contact.onBatchLoaded(changelog(store, partition), store, new TaskId(0, partition), 10, 1, 10);
  }

  private static TopicPartition changelog(String store, int partition) {
    return new TopicPartition("app-" + store + "-changelog", partition);
  }
}
