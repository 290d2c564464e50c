package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Backfill;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.schemas.ScheduleId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;
import org.junit.jupiter.api.Test;

class ProgressStoreTest {
  private final KeyValueStore<Bytes, byte[]> bytes = Stores.inMemoryKeyValueStore("progress").get();
  private final ProgressStore store = new ProgressStore(bytes);
  private final SplittableRandom random = new SplittableRandom(11);
  private final RandomStates values = new RandomStates(random);

  @Test
  void states_come_back_whole_and_a_delete_leaves_nothing_of_them() {
    // ids of which one begins another, so that ranges could overlap
    List<ScheduleId> ids =
        List.of("a", "a0", "a-", "aa", "b").stream().map(ScheduleId::parse).toList();
    Map<ScheduleId, ScheduleState> expected = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      ScheduleId id = ids.get(random.nextInt(ids.size()));
      if (random.nextInt(4) == 0) {
        store.delete(id.utf8());
        expected.remove(id);
      } else {
        ScheduleState state = next(id, expected.get(id));
        store.put(state);
        expected.put(id, state);
      }
      for (ScheduleId any : ids) {
        Optional<ScheduleState> state = Optional.ofNullable(expected.get(any));
        assertThat(store.contains(any.utf8())).isEqualTo(state.isPresent());
        state.ifPresent(s -> assertThat(store.get(any, stored(s)).map(store::whole)).contains(s));
      }
    }
    ids.forEach(id -> store.delete(id.utf8()));
    assertThat(bytes.approximateNumEntries()).isZero();
  }

  @Test
  void very_many_rows_of_a_schedule_are_not_read_to_find_the_next_one() {
    List<ScheduleId> all = Stream.of("a", "m", "z").map(ScheduleId::new).toList();
    all.forEach(id -> store.put(next(id, null)));
    for (int i = 0; i < 1_000; i++) {
      byte[] key = ByteBuffer.allocate(10).put((byte) 'm').put((byte) 0).putLong(i).array();
      bytes.put(Bytes.wrap(key), new byte[] {0});
    }
    AtomicInteger read = new AtomicInteger();
    ProgressStore counted = new ProgressStore(counting(read));

    assertThat(counted.idsAfter(Optional.empty(), 10)).isEqualTo(all);
    assertThat(counted.idsWithin(all.get(0), all.get(2))).containsExactlyInAnyOrderElementsOf(all);
    assertThat(read).hasValueLessThan(100);
  }

  /** The same rows, each of which counts when it is read. */
  private KeyValueStore<Bytes, byte[]> counting(AtomicInteger read) {
    InMemoryKeyValueStore rows =
        new InMemoryKeyValueStore("counted") {
          @Override
          public synchronized KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
            KeyValueIterator<Bytes, byte[]> range = super.range(from, to);
            return new KeyValueIterator<>() {
              @Override
              public boolean hasNext() {
                return range.hasNext();
              }

              @Override
              public KeyValue<Bytes, byte[]> next() {
                read.incrementAndGet();
                return range.next();
              }

              @Override
              public Bytes peekNextKey() {
                return range.peekNextKey();
              }

              @Override
              public void close() {
                range.close();
              }
            };
          }
        };
    try (KeyValueIterator<Bytes, byte[]> all = bytes.all()) {
      all.forEachRemaining(row -> rows.put(row.key, row.value));
    }
    return rows;
  }

  @Test
  void what_is_ordered_keeps_the_revision_of_its_time_as_long_as_it_is_needed() {
    ScheduleId id = new ScheduleId("a");
    List<Accepted> revisions = new ArrayList<>();
    Deque<Accepted> ordered = new ArrayDeque<>();
    revisions.add(values.accepted());
    ScheduleState state =
        ScheduleState.of(id, revisions.get(0), values.instant(), Optional.empty());
    Deque<Accepted> backfills = new ArrayDeque<>();
    for (int i = 0; i < 2_000; i++) {
      Accepted current = state.current();
      CommandState commanded = state.commanded();
      switch (random.nextInt(6)) {
        case 0 -> {
          Accepted next = values.accepted();
          state = state.with(commanded.replacing(current)).with(next);
        }
        case 1 -> {
          WaitingFires fires = commanded.fires();
          state =
              state.with(commanded.withFires(fires.with(values.manualFire(fires.next()), current)));
          ordered.add(current);
        }
        case 2 -> {
          state = state.with(commanded.backfilling(with(commanded.backfills(), values.backfill())));
          backfills.add(current);
        }
        case 3, 4 -> {
          if (!ordered.isEmpty()) {
            int most = 1 + random.nextInt(3);
            List<ManualFire> fires = store.fires(state, most, Long.MAX_VALUE);
            assertThat(fires).hasSize(Math.min(most, ordered.size()));
            for (ManualFire fire : fires) {
              assertThat(fire.by(current)).isEqualTo(ordered.remove());
            }
            state = state.with(commanded.withFires(commanded.fires().without(fires, current)));
          }
        }
        default -> {
          if (!backfills.isEmpty()) {
            assertThat(store.underOfBackfill(state).orElse(current)).isEqualTo(backfills.remove());
            List<Backfill> all = commanded.backfills();
            state = state.with(commanded.backfilling(all.subList(1, all.size())));
          }
        }
      }
      store.put(state);
      state = store.get(id, stored(state)).orElseThrow();
      long kept = Stream.concat(ordered.stream(), backfills.stream()).distinct().count();
      long rows = 1 + ordered.size() + 2 * kept + 1;
      assertThat(bytes.approximateNumEntries()).as("rows").isLessThanOrEqualTo(rows);
      assertThat(state.commanded().fires().bytes())
          .isGreaterThanOrEqualTo(
              ordered.stream().mapToInt(it -> it.snapshot().body().length).sum());
    }
    store.delete(id.utf8());
    assertThat(bytes.approximateNumEntries()).isZero();
  }

  private static <T> List<T> with(List<T> list, T more) {
    return Stream.concat(list.stream(), Stream.of(more)).toList();
  }

  @Test
  void the_first_drop_of_an_entry_counts_until_it_is_forgotten_also_after_a_restart() {
    byte[] id = {'x'};
    assertThat(store.dropped(id)).isEmpty();
    assertThat(store.putDropped(id, 5)).isTrue();
    assertThat(store.putDropped(id, 9)).isTrue();
    ProgressStore restarted = new ProgressStore(bytes);
    assertThat(restarted.dropped(id)).hasValue(5);
    assertThat(restarted.contains(id)).isFalse();
    assertThat(restarted.idsWithin(new ScheduleId("a"), new ScheduleId("z"))).isEmpty();
    assertThat(restarted.forgetDropped(id)).isTrue();
    assertThat(restarted.forgetDropped(id)).isFalse();
    assertThat(restarted.dropped(id)).isEmpty();
    assertThat(bytes.approximateNumEntries()).isZero();
  }

  @Test
  void no_more_drops_are_remembered_than_a_store_has_room_for() {
    for (int i = 0; i < ProgressStore.MOST_DROPPED; i++) {
      assertThat(store.putDropped(new ScheduleId("s" + i).utf8(), i)).isTrue();
    }
    assertThat(store.putDropped(new ScheduleId("s0").utf8(), 0)).isTrue();
    assertThat(store.putDropped(new ScheduleId("one-more").utf8(), 0)).isFalse();
    store.forgetDropped(new ScheduleId("s0").utf8());
    assertThat(store.putDropped(new ScheduleId("one-more").utf8(), 0)).isTrue();
  }

  @Test
  void the_position_is_not_taken_for_a_schedule() {
    Position position = new Position(5, new byte[] {'x'});
    store.putPosition(position, 6);
    assertThat(store.position()).contains(new StoredPosition(position, 6));
    store.delete(new byte[] {'x'});
    assertThat(store.position()).isPresent();
  }

  /** As decisions change a state: older revisions are carried, both leave at the front. */
  private ScheduleState next(ScheduleId id, @org.jspecify.annotations.Nullable ScheduleState old) {
    long seq = old == null ? 0 : highest(old) + 1;
    int carriedCount = random.nextInt(3);
    int olderCount = random.nextInt(3);
    List<CarriedOccurrences> carried =
        LongStream.range(seq, seq + carriedCount).mapToObj(values::carried).toList();
    List<ReplacedRevision> older =
        LongStream.range(seq + carriedCount, seq + carriedCount + olderCount)
            .mapToObj(s -> new ReplacedRevision(s, values.accepted()))
            .toList();
    if (old != null && random.nextBoolean() && !old.older().isEmpty()) {
      ReplacedRevision first = old.older().get(0);
      carried = List.of(values.carried(first.seq()));
      older = old.older().subList(1, old.older().size());
    }
    Accepted current = old == null ? values.accepted() : old.current();
    return new ScheduleState(
        id,
        current,
        values.instant(),
        carried,
        List.copyOf(older),
        values.maybe(),
        random.nextBoolean() ? Optional.of("why") : Optional.empty(),
        old == null ? values.maybe() : old.completedAt(),
        random.nextBoolean()
            ? CommandState.NONE
            : values.commanded(old == null ? 0 : seqOfFires(old), current),
        random.nextBoolean() ? Runs.NONE : values.runs());
  }

  private static long seqOfFires(ScheduleState state) {
    return state.commanded().fires().next();
  }

  private static long highest(ScheduleState state) {
    return LongStream.concat(
            state.carried().stream().mapToLong(CarriedOccurrences::seq),
            state.older().stream().mapToLong(ReplacedRevision::seq))
        .max()
        .orElse(-1);
  }

  private static StoredSchedule stored(ScheduleState state) {
    return new StoredSchedule(state.current(), state.completedAt());
  }
}
