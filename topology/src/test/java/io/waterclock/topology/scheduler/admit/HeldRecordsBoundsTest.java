package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Wire;
import io.waterclock.topology.scheduler.admit.HeldRecords.Place;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** How much is held, and which schemas are looked for. */
final class HeldRecordsBoundsTest {
  private static final int MIB = 1 << 20;

  /** Looks of one check, at the lowest schema ids and at the others in turn. */
  private static final int LOOKS = 110;

  private final Set<Integer> known = new TreeSet<>();
  private final List<Integer> looks = new ArrayList<>();
  private final TaskContext task =
      TestTask.with(
          Stores.inMemoryKeyValueStore(ProgressStore.NAME).get(),
          Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get(),
          new MockProcessorContext<>(),
          new Wire(Encoding.AVRO, this::lookup),
          RecordDeaths.none());
  private final List<Long> held = new ArrayList<>();
  private final HeldRecords records = TestAdmission.heldRecords(task);
  private boolean keeps = true;

  @Test
  void a_key_takes_16_mib_to_the_byte_and_gets_room_back() {
    assertThat(add("a", sized("a", 8 * MIB))).isTrue();
    assertThat(add("a", sized("a", 8 * MIB + 1))).isFalse();
    assertThat(add("a", sized("a", 8 * MIB))).isTrue();
    assertThat(add("a", new byte[0])).isFalse();
    assertThat(records.full(inbound("a", new byte[0]))).contains("2 records of this key");
    assertThat(records.full(inbound("b", new byte[0]))).isEmpty();

    apply(records.removeFirst(place("a")));
    assertThat(add("a", sized("a", 8 * MIB))).isTrue();
    assertThat(records.size()).isEqualTo(2);
  }

  @Test
  void a_key_takes_1000_records_and_gets_room_back() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(add("a", new byte[0])).isTrue();
    }
    assertThat(add("a", new byte[0])).isFalse();
    assertThat(records.full(inbound("a", new byte[0]))).contains("1000 records of this key");
    apply(records.removeFirst(place("a")));
    assertThat(add("a", new byte[0])).isTrue();
    assertThat(add("a", new byte[0])).isFalse();
  }

  @Test
  void places_have_the_order_by_which_a_map_finds_one_of_many_with_equal_hash_codes() {
    Place reports = new Place(place("a").id(), true);
    assertThat(new TreeSet<>(List.of(place("b"), reports, place("a"))))
        .containsExactly(place("a"), reports, place("b"));
  }

  @Test
  void a_partition_takes_256_mib_to_the_byte_and_gets_room_back() {
    keeps = false;
    for (int i = 0; i < 15; i++) {
      String key = "k" + (char) ('a' + i);
      assertThat(add(key, sized(key, 16 * MIB))).isTrue();
    }
    assertThat(add("kz", sized("kz", 16 * MIB + 1))).isFalse();
    assertThat(add("kz", sized("kz", 16 * MIB))).isTrue();
    assertThat(add("b", new byte[0])).isFalse();
    assertThat(records.full(inbound("b", new byte[0]))).contains("16 records of this partition");

    apply(records.removeFirst(place("ka")));
    assertThat(add("kb", new byte[0])).as("over the bound of its key").isFalse();
    assertThat(add("ka", sized("ka", 16 * MIB))).isTrue();
    assertThat(add("b", new byte[0])).isFalse();
  }

  @Test
  void a_partition_takes_100000_records_and_gets_room_back() {
    keeps = false;
    for (int i = 0; i < 100_000; i++) {
      assertThat(add("k" + i, new byte[0])).isTrue();
    }
    assertThat(records.size()).isEqualTo(100_000);
    assertThat(add("more", new byte[0])).isFalse();
    assertThat(records.full(inbound("more", new byte[0])))
        .contains("100000 records of this partition");

    apply(records.removeFirst(place("k7")));
    assertThat(add("more", new byte[0])).isTrue();
    assertThat(add("more", new byte[0])).isFalse();
  }

  @Test
  void records_are_numbered_in_the_order_of_arrival_also_after_a_restart() {
    add("a", new byte[0]);
    add("b", new byte[0]);
    add("a", new byte[0]);
    HeldRecords restarted = TestAdmission.heldRecords(task);
    restarted.add(inbound("b", new byte[0])).ifPresent(this::apply);

    assertThat(held).containsExactly(0L, 1L, 2L, 3L);
    assertThat(restarted.size()).isEqualTo(4);
    assertThat(restarted.places()).containsExactly(place("a"), place("b"));
  }

  @Test
  void what_is_released_is_not_held_after_a_restart() {
    add("a", new byte[] {1});
    add("a", new byte[] {2});
    apply(records.removeFirst(place("a")));
    HeldRecords restarted = TestAdmission.heldRecords(task);
    assertThat(restarted.size()).isEqualTo(1);
    assertThat(restarted.first(place("a")).orElseThrow().value().orElseThrow()).containsExactly(2);
    apply(restarted.removeFirst(place("a")));
    assertThat(TestAdmission.heldRecords(task).isEmpty()).isTrue();
  }

  @Test
  void a_check_looks_for_the_lowest_schema_ids_and_for_some_of_the_others_in_turn() {
    for (int schema = 300; schema > 0; schema--) {
      add("k" + schema, registered(schema));
    }
    known.addAll(List.of(1, 10, 300, 150));
    assertThat(records.ready()).containsExactlyInAnyOrder(place("k1"), place("k10"), place("k300"));
    assertThat(looks).hasSizeLessThanOrEqualTo(LOOKS);
    assertThat(records.ready()).containsExactlyInAnyOrder(place("k1"), place("k10"), place("k150"));
    looks.clear();
    records.ready();
    records.ready();
    records.ready();
    assertThat(looks).containsAll(IntStream.rangeClosed(1, 300).boxed().toList());
  }

  @Test
  void a_schema_is_looked_for_until_no_first_record_waits_for_it() {
    add("a", registered(5));
    add("a", registered(6));
    add("b", registered(5));
    apply(records.removeFirst(place("a")));
    assertThat(looked()).containsExactly(5, 6);
    apply(records.removeFirst(place("b")));
    assertThat(looked()).containsExactly(6);
    apply(records.removeFirst(place("a")));
    assertThat(looked()).isEmpty();
    assertThat(records.isEmpty()).isTrue();
  }

  @Test
  void the_lowest_schema_ids_are_those_that_records_wait_for_now() {
    for (int schema = 1; schema <= 10; schema++) {
      add("k" + schema, registered(schema));
    }
    for (int schema = 1; schema <= 10; schema++) {
      apply(records.removeFirst(place("k" + schema)));
    }
    for (int schema = 400; schema > 10; schema--) {
      add("k" + schema, registered(schema));
    }
    known.add(11);
    assertThat(records.ready()).containsExactly(place("k11"));
  }

  private Set<Integer> looked() {
    looks.clear();
    assertThat(records.ready()).isEmpty();
    return new TreeSet<>(looks);
  }

  private boolean add(String key, byte[] value) {
    Optional<Effect> hold = records.add(inbound(key, value));
    hold.ifPresent(this::apply);
    return hold.isPresent();
  }

  private void apply(Effect effect) {
    if (effect instanceof Effect.Hold hold) {
      held.add(hold.record().seq());
    }
    if (keeps) {
      task.applier().apply(effect);
    }
  }

  private SchemaSource.Lookup lookup(int schema) {
    looks.add(schema);
    return known.contains(schema)
        ? new SchemaSource.Lookup.Known(io.waterclock.schemas.avro.Schedule.getClassSchema())
        : new SchemaSource.Lookup.Unavailable("away");
  }

  /** A value with which the record takes so many bytes in the store. */
  private static byte[] sized(String key, int bytes) {
    int empty = InboundBytes.encode(inbound(key, new byte[0])).length;
    return new byte[bytes - empty];
  }

  private static byte[] registered(int schema) {
    return ByteBuffer.allocate(6).put((byte) 0).putInt(schema).array();
  }

  private Place place(String key) {
    return records.place(inbound(key, new byte[0]));
  }

  private static Inbound inbound(String key, byte[] value) {
    return new Inbound(
        Optional.of(key.getBytes(UTF_8)),
        Optional.of(value),
        new RecordHeaders(),
        Instant.EPOCH,
        "waterclock.schedules",
        0,
        7);
  }
}
