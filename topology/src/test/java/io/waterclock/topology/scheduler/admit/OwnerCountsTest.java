package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.Decider;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StoredSchedule;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** An owner with more schedules than one definition may count. */
final class OwnerCountsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final int MANY = 2 * OwnerCounts.PART + 100;

  private final KeyValueStore<Bytes, byte[]> memory =
      Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get();
  private final ScheduleStore schedules = new ScheduleStore(countingReads());
  private final Effort effort = Effort.of(1);
  private int costOfEnd = 1;
  private final Map<String, Instant> ends =
      new HashMap<>(Map.of("acme/over-1", Instant.EPOCH, "acme/over-2", NOW));
  private final Decider decider = new Decider(new Timetables(), Duration.ofHours(1));
  private final OwnerCounts owners =
      new OwnerCounts(
          OwnerLimits.parse("acme/ schedules=" + (MANY + 2), new ArrayList<>()),
          1,
          schedules,
          (id, accepted, unstored, by) -> {
            effort().count(costOfEnd);
            return Optional.ofNullable(ends.get(id.value())).filter(at -> !at.isAfter(by));
          },
          () -> NOW,
          effort);
  private int read;

  @Test
  void no_definition_reads_more_than_a_part_of_what_its_owner_has() {
    store(MANY);
    for (int i = 0; i < 5; i++) {
      read = 0;
      owners.tooMany(id("acme/new"), Optional.empty(), Optional.of(state("acme/new")), NOW);
      assertThat(read).isLessThanOrEqualTo(OwnerCounts.PART + 100);
    }
  }

  @Test
  void what_changes_meanwhile_is_counted_once_and_the_limit_is_exact_in_the_end() {
    store(MANY);
    accept("acme/0-before-all");
    accept("acme/z-after-all");
    assertThat(isRefused("acme/third")).isTrue();
    owners.changed(
        id("acme/0-before-all"), Optional.of(state("acme/0-before-all")), Optional.empty());
    assertThat(isRefused("acme/third")).isFalse();
  }

  @Test
  void what_is_over_makes_room_once_and_takes_some_when_it_begins_anew() {
    store(MANY);
    accept("acme/over-1");
    accept("acme/over-2");
    accept("acme/third");
    accept("acme/fourth");
    assertThat(isRefused("acme/fifth")).isTrue();
    Optional<ScheduleState> over = Optional.of(state("acme/over-1"));
    assertThat(owners.tooMany(id("acme/over-1"), over, over, NOW)).isPresent();
    schedules.delete(id("acme/over-1").utf8());
    owners.changed(id("acme/over-1"), over, Optional.empty());
    assertThat(isRefused("acme/fifth")).isTrue();
    owners.changed(id("acme/third"), Optional.of(state("acme/third")), Optional.empty());
    assertThat(isRefused("acme/fifth")).isFalse();
  }

  @Test
  void a_search_in_vain_is_good_for_a_minute() {
    fill();
    for (Duration since : List.of(Duration.ZERO, OwnerCounts.AHEAD)) {
      assertThat(isRefused("acme/new", NOW.plus(since))).isTrue();
      assertThat(isRefused("acme/new", NOW.minus(since))).isTrue();
    }
    assertThat(read).isZero();
    assertThat(isRefused("acme/new", NOW.plus(OwnerCounts.AHEAD).plusMillis(1))).isTrue();
    assertThat(read).isPositive();
  }

  @Test
  void what_ends_in_this_minute_makes_room_when_it_does_and_costs_no_other_search() {
    ends.put("acme/s100007", NOW.plusSeconds(10));
    ends.put("acme/s100008", NOW.plusSeconds(20));
    fill();
    assertThat(isRefused("acme/new", NOW.plusMillis(9_999))).isTrue();
    assertThat(isRefused("acme/new", NOW.plusSeconds(10))).isFalse();
    ends.put("acme/new", NOW.plusSeconds(15));
    accept("acme/new", NOW.plusSeconds(10));
    assertThat(isRefused("acme/next", NOW.plusMillis(14_999))).isTrue();
    accept("acme/next", NOW.plusSeconds(15));
    ends.remove("acme/s100008");
    owners.changed(
        id("acme/s100008"), Optional.of(state("acme/s100008")), Optional.of(state("acme/s100008")));
    assertThat(isRefused("acme/last", NOW.plusSeconds(20))).as("an edit goes on").isTrue();
    assertThat(read).isZero();
  }

  @Test
  void each_schedule_that_is_read_counts_as_steps() {
    store(MANY);
    long before = effort.total();
    assertThat(isRefused("acme/new")).isFalse();
    assertThat(effort.total() - before).isGreaterThan(100L * OwnerCounts.PART);
  }

  /** Such as those of recurrence rules whose first occurrence lies far from their anchor. */
  @Test
  void ends_that_are_costly_to_find_make_a_part_shorter_and_are_all_found_at_last() {
    store(MANY);
    accept("acme/first");
    accept("acme/second");
    ends.put("acme/s" + (100_000 + MANY - 1), NOW);
    costOfEnd = 100_000;
    int refused = 0;
    while (isRefused("acme/new")) {
      refused++;
      long before = effort.total();
      isRefused("acme/new");
      assertThat(effort.total() - before).isLessThan(Slice.ENOUGH_STEPS + 500_000);
    }
    assertThat(refused).isGreaterThan(MANY / (2 * 20) / 2);
  }

  private Effort effort() {
    return effort;
  }

  /** All that the owner may have, and a search for what is over. */
  private void fill() {
    store(MANY);
    accept("acme/first");
    accept("acme/second");
    for (int i = 0; i < 3; i++) {
      assertThat(isRefused("acme/new")).isTrue();
    }
    read = 0;
  }

  private void accept(String id, Instant written) {
    assertThat(isRefused(id, written)).isFalse();
    put(id);
    owners.changed(id(id), Optional.empty(), Optional.of(state(id)));
  }

  private boolean isRefused(String id, Instant written) {
    return owners.tooMany(id(id), Optional.empty(), Optional.of(state(id)), written).isPresent();
  }

  private void accept(String id) {
    accept(id, NOW);
  }

  private boolean isRefused(String id) {
    return isRefused(id, NOW);
  }

  private void store(int many) {
    for (int i = 0; i < many; i++) {
      put("acme/s" + (100_000 + i));
    }
  }

  private void put(String id) {
    schedules.put(id(id).utf8(), new StoredSchedule(state(id).current(), Optional.empty()));
  }

  private ScheduleState state(String id) {
    Schedule hourly =
        Schedule.newBuilder()
            .setTrigger(EveryTrigger.newBuilder().setN(1).setUnit(Unit.HOUR).setAnchor(NOW).build())
            .setTimezone("UTC")
            .build();
    return decider
        .decide(id(id), Optional.empty(), new Event.Defined(hourly, "r", NOW), NOW)
        .state()
        .orElseThrow();
  }

  private static ScheduleId id(String id) {
    return ScheduleId.parse(id);
  }

  /** The store in memory, which counts what its iterators give. */
  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> countingReads() {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            OwnerCountsTest.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, given) -> {
              Object result = method.invoke(memory, given);
              return result instanceof KeyValueIterator<?, ?> iterator
                  ? counting(iterator)
                  : result;
            });
  }

  private Object counting(KeyValueIterator<?, ?> iterator) {
    return Proxy.newProxyInstance(
        OwnerCountsTest.class.getClassLoader(),
        new Class<?>[] {KeyValueIterator.class},
        (proxy, method, given) -> {
          read += method.getName().equals("next") ? 1 : 0;
          return method.invoke(iterator, given);
        });
  }
}
