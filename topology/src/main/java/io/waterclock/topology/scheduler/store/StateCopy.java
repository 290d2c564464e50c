package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.ScheduleId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory copy of one partition's state from its changelogs, for readers outside the
 * scheduler. Takes about as much memory as the definitions have bytes. Not thread-safe.
 */
public final class StateCopy {
  private static final int SLICE = 128;

  private final KeyValueStore<Bytes, byte[]> schedules =
      Stores.inMemoryKeyValueStore(ScheduleStore.NAME).get();
  private final KeyValueStore<Bytes, byte[]> progress =
      Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();

  /** The names of all changelogs of a scheduler. */
  public static List<String> changelogs(String applicationId) {
    return List.of(
        changelog(applicationId, ScheduleStore.NAME),
        changelog(applicationId, ProgressStore.NAME),
        changelog(applicationId, CommandStore.NAME));
  }

  /** The name of the changelog with the definitions. */
  public static String definitions(String applicationId) {
    return changelog(applicationId, ScheduleStore.NAME);
  }

  /** The name of the changelog with their progress. */
  public static String progress(String applicationId) {
    return changelog(applicationId, ProgressStore.NAME);
  }

  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** Adds a record of {@link #definitions}; the caller keeps the order of a partition. */
  public void takeDefinition(byte[] key, byte @Nullable [] value) {
    schedules.put(Bytes.wrap(key), value);
  }

  /** Adds a record of {@link #progress}; the caller keeps the order of a partition. */
  public void takeProgress(byte[] key, byte @Nullable [] value) {
    progress.put(Bytes.wrap(key), value);
  }

  /** How many records are held for the schema registry; the state is their only copy. */
  public int heldRecords() {
    return new HeldRecordStore(progress, HeldRecordStore.Until.SCHEMA).seqs().size();
  }

  /** How many records wait until the task has read its inputs; the schedules are without them. */
  public int unreadRecords() {
    return new HeldRecordStore(progress, HeldRecordStore.Until.EARLIER).seqs().size();
  }

  /**
   * Passes every schedule with all its waiting fires to {@code each}, in ascending order of the
   * ids.
   *
   * @throws IllegalStateException if a value was written by a newer version of Waterclock
   */
  public void forEach(Consumer<ScheduleState> each) {
    ProgressStore progressStore = new ProgressStore(progress);
    Timetables tables = new Timetables();
    tables.follow(Calendars.NONE.with(versions()));
    States states = new States(new ScheduleStore(schedules), progressStore, tables);
    Position position =
        progressStore.position().map(StoredPosition::position).orElse(Position.throughAllAt(0));
    Optional<ScheduleId> last = Optional.empty();
    States.Slice slice;
    do {
      slice = states.slice(last, SLICE);
      slice.rows().forEach(row -> each.accept(progressStore.whole(states.load(row, position))));
      last = slice.reached(last);
    } while (!slice.isLast());
  }

  private Map<String, List<CalendarVersion>> versions() {
    Map<String, List<CalendarVersion>> versions = new HashMap<>();
    new CalendarStore(progress)
        .all()
        .forEach(
            (name, rows) ->
                versions.put(name, rows.stream().map(CalendarStore.Row::version).toList()));
    return versions;
  }
}
