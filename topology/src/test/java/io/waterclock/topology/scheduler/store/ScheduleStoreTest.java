package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Schedule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class ScheduleStoreTest {
  private final SplittableRandom random = new SplittableRandom(7);
  private final RandomStates values = new RandomStates(random);
  private final List<String> calls = new ArrayList<>();
  private final ScheduleStore store =
      new ScheduleStore(recording(Stores.inMemoryKeyValueStore("schedules").get()));
  private final TreeMap<String, StoredSchedule> expected = new TreeMap<>();

  @Test
  void answers_are_the_same_whatever_order_is_expected() {
    for (int i = 0; i < 1_000; i++) {
      write(i);
    }
    for (int round = 0; round < 300; round++) {
      store.expectAscending(random.nextBoolean());
      int at = random.nextInt(500);
      int stride = 1 + random.nextInt(6);
      for (int i = 0; i < 300; i++) {
        at =
            random.nextInt(100) == 0
                ? random.nextInt(500)
                : at + (random.nextInt(80) == 0 ? 0 : 1 + random.nextInt(stride));
        assertThat(store.get(id(at))).isEqualTo(Optional.ofNullable(expected.get(text(at))));
        if (random.nextInt(200) == 0) {
          write(at + random.nextInt(3));
        }
      }
    }
    assertThat(calls).contains("range");
  }

  @Test
  void a_run_in_ascending_order_is_read_and_not_searched() {
    for (int i = 0; i < 1_000; i++) {
      write(i);
    }
    calls.clear();
    store.expectAscending(true);
    for (int i = 0; i < 1_000; i++) {
      assertThat(store.get(id(i))).isEqualTo(Optional.ofNullable(expected.get(text(i))));
    }
    assertThat(calls).hasSizeLessThan(100).containsOnlyOnce("range");
  }

  @Test
  void a_run_that_was_cut_short_goes_on_at_once() {
    for (int i = 0; i < 1_000; i++) {
      write(i);
    }
    for (int i = 0; i < 1_000; i++) {
      boolean isNewTick = i % 200 == 0;
      if (isNewTick) {
        store.expectAscending(false);
        calls.clear();
        store.expectAscending(true);
      }
      assertThat(store.get(id(i))).isEqualTo(Optional.ofNullable(expected.get(text(i))));
      if (isNewTick && i > 0) {
        assertThat(calls).containsExactly("get", "range");
      }
    }
  }

  @Test
  void a_few_ascending_look_ups_are_no_run_however_often_they_come() {
    for (int i = 0; i < 1_000; i++) {
      write(i);
    }
    store.expectAscending(true);
    for (int i = 0; i < 200; i++) {
      store.get(id(i));
    }
    store.expectAscending(false);
    calls.clear();
    for (int i = 200; i < 1_000; i++) {
      store.expectAscending(true);
      assertThat(store.get(id(i))).isEqualTo(Optional.ofNullable(expected.get(text(i))));
      store.expectAscending(false);
    }
    assertThat(calls).hasSize(801).containsOnlyOnce("range");
  }

  @Test
  void what_is_written_during_a_run_is_seen() {
    for (int i = 0; i < 200; i++) {
      write(i);
    }
    store.expectAscending(true);
    for (int i = 0; i < 100; i++) {
      store.get(id(i));
    }
    write(100);
    assertThat(store.get(id(100))).isEqualTo(Optional.ofNullable(expected.get(text(100))));
  }

  @Test
  void slices_of_large_definitions_are_short_and_leave_none_out() {
    for (int i = 0; i < 60; i++) {
      Accepted small = values.accepted();
      store.put(id(i), new StoredSchedule(i % 2 == 0 ? large(small) : small, Optional.empty()));
    }
    List<ScheduleId> seen = new ArrayList<>();
    Optional<ScheduleId> last = Optional.empty();
    ScheduleStore.Slice slice;
    do {
      slice = store.rowsAfter(last, 50);
      assertThat(slice.rows()).hasSizeBetween(1, 11);
      slice.rows().forEach(row -> seen.add(row.id()));
      last = Optional.of(seen.get(seen.size() - 1));
    } while (!slice.isLast());
    assertThat(seen).hasSize(60).isSorted().doesNotHaveDuplicates();
    assertThat(store.rowsAfter(last, 50)).isEqualTo(new ScheduleStore.Slice(List.of(), true));
  }

  private static Accepted large(Accepted accepted) {
    Schedule schedule =
        Schedule.newBuilder(accepted.schedule())
            .setPayload(ByteBuffer.wrap(new byte[1_000_000]))
            .build();
    return new Accepted(
        ScheduleSnapshot.of(schedule),
        accepted.revision(),
        accepted.effectiveAt(),
        accepted.ownsAfter(),
        accepted.namesAfter(),
        accepted.resolvedAt(),
        accepted.boundedBy(),
        accepted.dueFloor(),
        accepted.ownedBefore(),
        accepted.writtenAt(),
        accepted.past());
  }

  private void write(int number) {
    if (random.nextInt(5) == 0) {
      store.delete(id(number));
      expected.remove(text(number));
    } else {
      Accepted accepted = values.accepted();
      StoredSchedule schedule = new StoredSchedule(accepted, Optional.empty());
      store.put(id(number), schedule);
      expected.put(text(number), schedule);
    }
  }

  private static String text(int number) {
    return String.format("s-%06d", number);
  }

  private static byte[] id(int number) {
    return text(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** The store, with the names of the methods that are called written down. */
  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> recording(KeyValueStore<Bytes, byte[]> inner) {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              try {
                return method.invoke(inner, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
