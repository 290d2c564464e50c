package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.store.CalendarStore.Row;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class CalendarStoreTest {
  private final RandomStates random = new RandomStates(new SplittableRandom(5));
  private final KeyValueStore<Bytes, byte[]> store =
      Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();
  private final CalendarStore calendars = new CalendarStore(store);
  private final ProgressStore progress = new ProgressStore(store);

  @Test
  void versions_come_back_by_name_oldest_first_and_mix_with_no_progress() {
    Row first = new Row(0, random.calendarVersion());
    Row second = new Row(1, random.calendarVersion());
    Row other = new Row(300, random.calendarVersion());
    calendars.put("a", second);
    calendars.put("a/b", other);
    calendars.put("a", first);
    progress.putPosition(Position.throughAllAt(7), 7);

    assertThat(calendars.all())
        .isEqualTo(Map.of("a", List.of(first, second), "a/b", List.of(other)));
    assertThat(progress.position()).isPresent();
    assertThat(progress.idsWithin(new ScheduleId("0"), new ScheduleId("z"))).isEmpty();

    calendars.delete("a", 0);
    assertThat(calendars.all()).isEqualTo(Map.of("a", List.of(second), "a/b", List.of(other)));
  }
}
