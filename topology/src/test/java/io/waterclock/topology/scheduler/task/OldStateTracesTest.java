package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/**
 * Instances come and go with their state on disk, while the changelogs drop tombstones as early as
 * they may: an instance that restores a partition has exactly the committed state. {@code
 * -Dwaterclock.seed=N} runs one trace, {@code -Dwaterclock.traces=N} that many.
 */
final class OldStateTracesTest {
  private static final int IN_THE_BUILD = 34 * Integer.getInteger("waterclock.depth", 1);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Test
  void who_restores_a_partition_has_what_was_committed() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("waterclock.seed"));
    long used =
        one.map(LongStream::of)
            .orElseGet(() -> LongStream.range(0, Long.getLong("waterclock.traces", IN_THE_BUILD)))
            .parallel()
            .map(
                seed -> {
                  Trace trace = new Trace(seed, LONGEST);
                  assertThat(trace.play())
                      .as("waterclock.seed=%d\n%s", seed, trace.story)
                      .isEmpty();
                  return trace.used;
                })
            .sum();
    assertThat(used)
        .as("how often state on disk was young enough")
        .isGreaterThan(one.isEmpty() ? IN_THE_BUILD : -1);
  }

  /** The negative control: the same histories with state of any age. */
  @Test
  void state_of_any_age_brings_back_what_was_deleted() {
    assertThat(
            LongStream.range(0, IN_THE_BUILD)
                .parallel()
                .mapToObj(seed -> new Trace(seed, Duration.ofDays(365)).play())
                .filter(wrong -> !wrong.isEmpty())
                .count())
        .isGreaterThan(IN_THE_BUILD / 10);
  }

  /** A partition, the instances that have it in turn, and its changelogs. */
  private static final class Trace {
    private static final int STEPS = 120;
    private static final List<String> INSTANCES = List.of("a", "b", "c");

    private final SplittableRandom random;
    private final StateAge age;
    private final SimulatedCluster cluster = new SimulatedCluster(1);
    private final List<Change> changelog = new ArrayList<>();
    private final Map<String, Disk> disks = new HashMap<>();
    private final StringBuilder story = new StringBuilder();
    private Map<String, Map<Bytes, byte[]>> logged = Map.of();
    private String owner = "a";
    private long offset;
    private int produced;
    private int used;

    /** Where a value is. */
    private record Place(String store, Bytes key) {}

    /**
     * A record of a changelog.
     *
     * @param value empty for a tombstone
     */
    private record Change(long offset, Place place, Optional<byte[]> value, long atMs) {}

    /**
     * What an instance that ended has kept.
     *
     * @param offset exclusive: how far the changelogs are in it
     */
    private record Disk(
        Map<String, Map<Bytes, byte[]>> stores, MemoryDueIndex index, long offset) {}

    Trace(long seed, Duration longest) {
      this.random = new SplittableRandom(seed);
      this.age = new StateAge(longest, () -> Instant.ofEpochMilli(cluster.nowMs()));
    }

    /** Returns what was restored and not committed, or the other way round; nothing as a rule. */
    Set<Place> play() {
      for (int i = 0; i < STEPS; i++) {
        cluster.advance(Duration.ofMillis(1 + random.nextLong(longestStep().toMillis())));
        if (random.nextInt(3) == 0) {
          write("id/" + random.nextInt(6));
        }
        cluster.drain();
        log();
        if (random.nextInt(6) == 0) {
          Set<Place> wrong = handOver(INSTANCES.get(random.nextInt(INSTANCES.size())));
          if (!wrong.isEmpty()) {
            return wrong;
          }
        }
      }
      return Set.of();
    }

    private Duration longestStep() {
      return switch (random.nextInt(10)) {
        case 0 -> Duration.ofHours(3);
        case 1, 2 -> Duration.ofMinutes(20);
        default -> Duration.ofSeconds(10);
      };
    }

    private void write(String id) {
      String text =
          random.nextInt(3) == 0
              ? "{\"in\":\"5s\"}"
              : "{\"every\":\"10m\",\"payload\":" + produced + "}";
      Optional<String> json = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(text);
      note(id + " " + json.orElse("deleted"));
      cluster.produce(
          cluster.topics().schedules(),
          0,
          id,
          json,
          Instant.ofEpochMilli(cluster.nowMs()),
          "c-" + produced++);
    }

    /** What a commit has changed goes to the changelogs. */
    private void log() {
      Map<Place, byte[]> before = flat(logged);
      logged = task().committedStores();
      Map<Place, byte[]> after = flat(logged);
      after.forEach(
          (place, value) -> {
            if (!Arrays.equals(value, before.get(place))) {
              append(place, Optional.of(value));
            }
          });
      before.keySet().stream()
          .filter(place -> !after.containsKey(place))
          .forEach(place -> append(place, Optional.empty()));
    }

    private void append(Place place, Optional<byte[]> value) {
      changelog.add(new Change(offset++, place, value, cluster.nowMs()));
    }

    /** Compacts as a broker may: keeps the last write of each key, and a tombstone for its time. */
    private void compact() {
      Map<Place, Long> last = new HashMap<>();
      changelog.forEach(change -> last.put(change.place(), change.offset()));
      long keptSinceMs = cluster.nowMs() - StateAge.tombstonesKept(LONGEST).toMillis();
      changelog.removeIf(
          change ->
              change.offset() < last.getOrDefault(change.place(), 0L)
                  || (change.value().isEmpty() && change.atMs() < keptSinceMs));
    }

    private Set<Place> handOver(String next) {
      disks.put(owner, new Disk(task().committedStores(), task().committedIndex(), offset));
      compact();
      Optional<Disk> found = Optional.ofNullable(disks.get(next));
      Optional<Disk> taken = found.filter(disk -> age.objection(writtenAt(disk)).isEmpty());
      used += taken.filter(disk -> !next.equals(owner)).isPresent() ? 1 : 0;
      note(
          owner
              + " hands over to "
              + next
              + ", whose state is "
              + (taken.isPresent() ? "used" : "not used"));
      owner = next;
      Map<Place, byte[]> restored = taken.map(disk -> flat(disk.stores())).orElseGet(HashMap::new);
      long from = taken.map(Disk::offset).orElse(0L);
      changelog.stream()
          .filter(change -> change.offset() >= from)
          .forEach(
              change ->
                  change
                      .value()
                      .ifPresentOrElse(
                          value -> restored.put(change.place(), value),
                          () -> restored.remove(change.place())));
      task()
          .restore(
              taken.map(Disk::index).orElseGet(MemoryDueIndex::new),
              taken
                  .map(disk -> disk.stores().getOrDefault(ScheduleStore.NAME, Map.of()))
                  .orElse(Map.of()));
      assertThat(task().tooLate()).as(story.toString()).isEmpty();
      task().crash();
      return differences(restored, flat(task().committedStores()));
    }

    private static Set<Place> differences(Map<Place, byte[]> one, Map<Place, byte[]> other) {
      Set<Place> all = new HashSet<>(one.keySet());
      all.addAll(other.keySet());
      all.removeIf(place -> Arrays.equals(one.get(place), other.get(place)));
      return all;
    }

    private static Optional<Instant> writtenAt(Disk disk) {
      KeyValueStore<Bytes, byte[]> progress =
          Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();
      disk.stores().getOrDefault(ProgressStore.NAME, Map.of()).forEach(progress::put);
      return new ProgressStore(progress)
          .position()
          .map(StoredPosition::clockMs)
          .map(Instant::ofEpochMilli);
    }

    private static Map<Place, byte[]> flat(Map<String, Map<Bytes, byte[]>> stores) {
      Map<Place, byte[]> flat = new HashMap<>();
      new TreeMap<>(stores)
          .forEach(
              (store, contents) ->
                  contents.forEach((key, value) -> flat.put(new Place(store, key), value)));
      return flat;
    }

    private SimulatedTask task() {
      return cluster.tasks().get(0);
    }

    private void note(String line) {
      story.append(Instant.ofEpochMilli(cluster.nowMs())).append(' ').append(line).append('\n');
    }
  }
}
