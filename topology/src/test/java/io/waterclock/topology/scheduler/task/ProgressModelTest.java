package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.topology.explore.Explorer;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two schedules that occur each second, short ticks, outages, edits, pauses, deletes and crashes,
 * in every order: the position and the progress that are stored say exactly which occurrences are
 * decided, each once, and none stays undecided. {@code -Dwaterclock.model=N} explores N states.
 */
final class ProgressModelTest {
  private static final int IN_THE_BUILD = 350 * Integer.getInteger("waterclock.depth", 1);
  private static final int OF_A_CONTROL = 20_000;

  private enum Event {
    SECOND,
    OUTAGE,
    PUT_REPLAY,
    PUT_COLLAPSE,
    DELETE_REPLAY,
    PAUSE_REPLAY,
    RESUME_REPLAY,
    READ,
    READ_COMMAND,
    TICK,
    COMMIT,
    CRASH
  }

  /** What the product does, and faults that must be found. */
  private enum Variant {
    PRODUCT,
    POSITION_IS_NOT_STORED,
    PROGRESS_IS_NOT_STORED,
    PROGRESS_IS_NOT_DELETED,
    FIRES_SURVIVE_A_CRASH,
    STATE_SURVIVES_A_CRASH,
    OFFSETS_SURVIVE_A_CRASH
  }

  @Test
  void what_is_stored_says_what_is_decided() {
    explorer(Variant.PRODUCT).mustHold("Position and progress", IN_THE_BUILD);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PRODUCT")
  void each_planted_fault_is_found(Variant variant) {
    explorer(variant).mustBreak(variant, OF_A_CONTROL);
  }

  private static Explorer<Event> explorer(Variant variant) {
    return new Explorer<>(() -> new Partition(variant), Event.class);
  }

  /** One task and its clients. */
  private static final class Partition implements Explorer.World<Event> {
    private static final String REPLAY = "a";
    private static final String COLLAPSE = "b";
    private static final int MOST_WRITTEN = 4;
    private static final int MOST_SECONDS = 8;

    private final Variant variant;
    private final SimulatedCluster cluster = SimulatedCluster.ofShortTicks(2);
    private final SimulatedTask task = cluster.tasks().get(0);
    private int written;
    private long tickedMs;

    Partition(Variant variant) {
      this.variant = variant;
      task.sabotage(new Planted());
      put(REPLAY, "replay");
      put(COLLAPSE, "collapse");
      cluster.drain();
      tickedMs = cluster.nowMs();
    }

    @Override
    public boolean play(Event event) {
      return switch (event) {
        case SECOND -> pass(1);
        case OUTAGE -> pass(5);
        case PUT_REPLAY -> put(REPLAY, "replay");
        case PUT_COLLAPSE -> put(COLLAPSE, "collapse");
        case DELETE_REPLAY -> write(cluster.topics().schedules(), REPLAY, Optional.empty());
        case PAUSE_REPLAY -> command("pause");
        case RESUME_REPLAY -> command("resume");
        case READ -> task.read(cluster.topics().schedules());
        case READ_COMMAND -> task.read(cluster.topics().commands());
        case TICK -> tick();
        case COMMIT -> commit();
        case CRASH -> crash();
      };
    }

    private boolean pass(int seconds) {
      cluster.advance(Duration.ofSeconds(seconds));
      return !cluster.now().isAfter(SimulatedCluster.START.plusSeconds(MOST_SECONDS));
    }

    private boolean put(String id, String catchUp) {
      String json =
          "{\"every\":\"1s\",\"anchor\":\"%s\",\"grace\":\"1s\",\"catch_up\":\"%s\",\"payload\":%d}"
              .formatted(SimulatedCluster.START, catchUp, written);
      return write(cluster.topics().schedules(), id, Optional.of(json));
    }

    private boolean command(String action) {
      String json = "{\"command_id\":\"c%d\",\"%s\":{}}".formatted(written, action);
      return write(cluster.topics().commands(), REPLAY, Optional.of(json));
    }

    private boolean write(String topic, String id, Optional<String> json) {
      cluster.produce(topic, 0, id, json, cluster.now(), "r-" + written);
      return ++written <= MOST_WRITTEN;
    }

    private boolean tick() {
      task.tick();
      tickedMs = cluster.nowMs();
      return true;
    }

    private boolean commit() {
      task.commit();
      return true;
    }

    private boolean crash() {
      switch (variant) {
        case FIRES_SURVIVE_A_CRASH -> task.commitRecords();
        case STATE_SURVIVES_A_CRASH -> task.commitState();
        case OFFSETS_SURVIVE_A_CRASH -> task.commitOffsets();
        default -> {
          // nothing survives
        }
      }
      task.crash();
      tickedMs = 0;
      return true;
    }

    @Override
    public String fingerprint() {
      return task.fingerprint()
          + cluster.log(cluster.topics().schedules(), 0)
          + cluster.log(cluster.topics().commands(), 0)
          + (cluster.nowMs() - tickedMs)
          + cluster.now()
          + cluster.fires().size()
          + cluster.committed().missed().size();
    }

    @Override
    public Optional<String> broken() {
      return Stream.of(REPLAY, COLLAPSE)
          .flatMap(id -> stored(id, false).stream())
          .findFirst()
          .or(this::unsettled);
    }

    /** What is wrong after the task had the time to decide everything. */
    private Optional<String> unsettled() {
      for (int i = 0; i < 20; i++) {
        cluster.drain();
      }
      return Stream.of(REPLAY, COLLAPSE)
          .flatMap(id -> stored(id, true).stream())
          .findFirst()
          .or(() -> agreesWithTopic());
    }

    private Optional<String> agreesWithTopic() {
      for (String id : List.of(REPLAY, COLLAPSE)) {
        Optional<String> inForce = task.definition(id).map(StrayTrace::payload);
        Optional<String> inTopic = StrayTrace.last(cluster, id).map(StrayTrace::payload);
        if (!inForce.equals(inTopic)) {
          return Optional.of(id + " is " + inForce + ", but the topic says " + inTopic);
        }
      }
      return Optional.empty();
    }

    /** Compares what is committed of a schedule with what it has committed to say. */
    private Optional<String> stored(String id, boolean isSettled) {
      Optional<ScheduleState> state = committed(ScheduleId.parse(id));
      Instant from =
          state
              .map(
                  it ->
                      it.older().stream()
                          .map(ReplacedRevision::accepted)
                          .map(accepted -> accepted.ownsAfter())
                          .reduce(it.current().ownsAfter(), (a, b) -> a.isBefore(b) ? a : b))
              .orElse(Instant.MAX);
      for (Instant at = SimulatedCluster.START;
          !at.isAfter(cluster.now());
          at = at.plusSeconds(1)) {
        long outcomes = outcomes(id, at);
        boolean isOwned = at.isAfter(from);
        Instant occurrence = at;
        boolean isDecided = state.filter(it -> isDecided(it, occurrence)).isPresent();
        boolean isHeld = state.filter(ScheduleState::isHeld).isPresent();
        if (outcomes > 1 || (isOwned && outcomes != (isDecided ? 1 : 0))) {
          return Optional.of(
              "%s at %s has %d outcomes, and is %s"
                  .formatted(id, at, outcomes, isDecided ? "decided" : "undecided"));
        }
        if (isSettled && isOwned && outcomes == 0 && !isHeld) {
          return Optional.of("%s at %s stays undecided".formatted(id, at));
        }
      }
      return Optional.empty();
    }

    private static boolean isDecided(ScheduleState state, Instant at) {
      return !at.isAfter(state.decidedThrough())
          && state.carried().stream()
              .noneMatch(range -> !at.isBefore(range.first()) && !at.isAfter(range.last().at()));
    }

    private long outcomes(String id, Instant at) {
      long fired =
          cluster.fires().stream()
              .filter(fire -> fire.getScheduleId().equals(id))
              .map(Fire::getOccurrence)
              .filter(at::equals)
              .count();
      long missed =
          cluster.committed().missed().stream()
              .filter(range -> range.getScheduleId().equals(id))
              .filter(range -> covers(range, at))
              .count();
      return fired + missed;
    }

    private static boolean covers(Missed range, Instant at) {
      return !at.isBefore(range.getFirst()) && !at.isAfter(range.getLast());
    }

    /** As a task reads it that begins now. */
    private Optional<ScheduleState> committed(ScheduleId id) {
      ProgressStore progress = new ProgressStore(store(ProgressStore.NAME));
      Position position =
          progress.position().map(StoredPosition::position).orElse(Position.throughAllAt(0));
      return new States(new ScheduleStore(store(ScheduleStore.NAME)), progress, new Timetables())
          .load(id, position);
    }

    private KeyValueStore<Bytes, byte[]> store(String name) {
      KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore(name).get();
      task.committedStores().getOrDefault(name, Map.of()).forEach(store::put);
      return store;
    }

    private final class Planted implements Sabotage {
      @Override
      public boolean writes(String store, Bytes key, boolean isDelete) {
        if (!store.equals(ProgressStore.NAME)) {
          return true;
        }
        boolean isPosition = key.get().length == 1 && key.get()[0] == 0;
        boolean isProgress = key.get()[0] != 0;
        return switch (variant) {
          case POSITION_IS_NOT_STORED -> !isPosition;
          case PROGRESS_IS_NOT_STORED -> !isProgress || isDelete;
          case PROGRESS_IS_NOT_DELETED -> !isProgress || !isDelete;
          default -> true;
        };
      }
    }
  }
}
