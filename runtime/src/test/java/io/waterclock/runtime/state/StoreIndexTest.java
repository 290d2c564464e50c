package io.waterclock.runtime.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index of a store on disk. */
final class StoreIndexTest {
  private static final int STEPS = 400;
  private static final DueIndex.Entry FIRST = DueIndex.Entry.before(DueIndex.ALWAYS);

  @TempDir Path dir;

  @Test
  void an_index_lasts_with_the_commit_of_its_transaction() {
    Random random = new Random(Long.getLong("waterclock.seed", 25));
    MemoryDueIndex committed = new MemoryDueIndex();
    MemoryDueIndex current = new MemoryDueIndex();
    StoreDatabase database = open();
    DueIndex index = database.index(() -> {});
    for (int step = 0; step < STEPS; step++) {
      DueIndex.Entry entry = entry(random.nextInt(5) * 1_000L - 2_000, "id/" + random.nextInt(9));
      switch (random.nextInt(20)) {
        case 0, 1 -> {
          database.commit(OptionalLong.empty());
          committed.become(current);
        }
        case 2 -> {
          database.close();
          database = open();
          index = database.index(() -> {});
          current.become(committed);
        }
        case 3 -> {
          database.discard();
          current.become(committed);
        }
        case 4 -> {
          byte[] stamp = {(byte) step};
          index.stamp(stamp);
          current.stamp(stamp);
        }
        case 5, 6, 7, 8 -> {
          index.delete(entry);
          current.delete(entry);
        }
        default -> {
          index.put(entry);
          current.put(entry);
        }
      }
      assertThat(index.contains(entry)).isEqualTo(current.contains(entry));
      assertThat(index.stamp()).usingRecursiveComparison().isEqualTo(current.stamp());
      DueIndex.Entry after = random.nextBoolean() ? FIRST : entry;
      assertThat(index.range(after, 1_500, 7))
          .usingRecursiveFieldByFieldElementComparator()
          .isEqualTo(current.range(after, 1_500, 7));
    }
    database.close();
  }

  @Test
  void a_restored_row_of_a_whole_index_is_looked_at_in_any_case() {
    try (StoreDatabase database = open()) {
      DueIndex index = database.index(() -> {});
      database.restore(List.of(restored(1, "a", "1")));
      assertThat(index.range(FIRST, Long.MAX_VALUE, 9)).isEmpty();
      index.stamp(new byte[] {1});
      database.commit(OptionalLong.empty());
      database.restore(List.of(restored(2, "b", "1"), restored(3, "c", null)));
      assertThat(index.range(FIRST, Long.MAX_VALUE, 9))
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(entry(DueIndex.ALWAYS, "b"));
    }
  }

  @Test
  void a_cleared_index_is_empty_whatever_becomes_of_the_transaction() {
    try (StoreDatabase database = open()) {
      DueIndex index = database.index(() -> {});
      index.stamp(new byte[] {1});
      index.put(entry(DueIndex.ALWAYS, "a"));
      index.put(entry(Long.MAX_VALUE - 1, "z"));
      database.commit(OptionalLong.empty());
      index.clear();
      index.build(List.of(entry(5, "b")));
      database.discard();
      assertThat(index.stamp()).isEmpty();
      assertThat(index.range(FIRST, Long.MAX_VALUE, 9))
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(entry(5, "b"));
    }
  }

  private StoreDatabase open() {
    return new StoreDatabase(dir.resolve("rows"), "id-3", Duration.ofHours(1));
  }

  private static DueIndex.Entry entry(long dueMs, String id) {
    return new DueIndex.Entry(dueMs, id.getBytes(UTF_8));
  }

  private static ConsumerRecord<byte[], byte[]> restored(
      long offset, String id, @Nullable String value) {
    return new ConsumerRecord<>(
        "changelog", 0, offset, id.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
  }
}
