package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.EarlierLives;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.admit.LastWrites.Order;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stray against what is known of its schedule, which was deleted, and of forgotten ones. */
final class LastWritesTest {
  private static final ScheduleId DELETED = ScheduleId.parse("deleted");

  /** In seconds: the delete is of 100, the last write of all forgotten schedules of 200. */
  @ParameterizedTest
  @CsvSource({
    "deleted,   99,     , OVERTAKEN",
    "deleted,  100,     , OVERTAKEN",
    "deleted,  101,     , NEWER",
    "unknown,  199,     , FORGOTTEN",
    "unknown,  200,     , FORGOTTEN",
    "unknown,  201,     , NEWER",
    "deleted,  150,  150, FORGOTTEN",
    "deleted,  151,  150, NEWER",
    "unknown,  300,  300, FORGOTTEN",
    "unknown,  301,  300, NEWER"
  })
  void decide(String id, long writtenAt, Long lostThrough, Order expected) {
    StrayStore store = new StrayStore(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
    Instant deleted = Instant.ofEpochSecond(100);
    store.put(DELETED, new RemovedSchedule(deleted, deleted, 1, EarlierLives.endedAt(deleted)));
    store.put(new StrayStore.Forgotten(Instant.ofEpochSecond(200), Instant.EPOCH));
    LastWrites writes =
        new LastWrites(store, () -> Optional.ofNullable(lostThrough).map(Instant::ofEpochSecond));

    assertThat(
            writes.compare(
                ScheduleId.parse(id), Optional.empty(), Instant.ofEpochSecond(writtenAt)))
        .isEqualTo(expected);
  }
}
