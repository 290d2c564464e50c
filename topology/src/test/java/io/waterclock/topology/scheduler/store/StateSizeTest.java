package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class StateSizeTest {
  private static final ScheduleId ID = ScheduleId.parse("a/b");
  private static final int LONGER_KEY = 1 + Long.BYTES;

  private final KeyValueStore<Bytes, byte[]> schedules = Stores.inMemoryKeyValueStore("s").get();
  private final KeyValueStore<Bytes, byte[]> progress = Stores.inMemoryKeyValueStore("p").get();
  private final RandomStates random = new RandomStates(new SplittableRandom(3));

  @Test
  void no_record_that_keeps_a_part_of_a_state_is_larger() {
    for (int i = 0; i < 500; i++) {
      ScheduleState state = state(i);
      new ScheduleStore(schedules)
          .put(ID.utf8(), new StoredSchedule(state.current(), state.completedAt()));
      new ProgressStore(progress).put(state);
      int largest = Math.max(largest(schedules), largest(progress));
      assertThat(StateSize.largest(state)).isBetween(largest, largest + LONGER_KEY);
    }
  }

  private ScheduleState state(int i) {
    Accepted current = random.accepted();
    return new ScheduleState(
        ID,
        current,
        random.instant(),
        i % 2 == 0 ? List.of() : List.of(random.carried(2L * i)),
        i % 3 == 0 ? List.of() : List.of(new ReplacedRevision(2L * i + 1, random.accepted())),
        random.maybe(),
        i % 5 == 0 ? Optional.of("why".repeat(i)) : Optional.empty(),
        random.maybe(),
        random.commanded(10L * i, current),
        random.runs());
  }

  private static int largest(KeyValueStore<Bytes, byte[]> store) {
    int largest = 0;
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        largest = Math.max(largest, next.key.get().length + next.value.length);
      }
    }
    return largest;
  }
}
