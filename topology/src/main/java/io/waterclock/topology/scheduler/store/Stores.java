package io.waterclock.topology.scheduler.store;

import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The stores of a task. Only {@code Applier} changes them. For the task's stream thread. */
public record Stores(
    ScheduleStore schedules,
    ProgressStore progress,
    CalendarStore calendars,
    CommandStore commands,
    StrayStore strays,
    HeldRecordStore heldRecords,
    HeldRecordStore waitingCommands,
    HeldRecordStore earlier) {

  /**
   * @param store finds a store of the topology by its name
   */
  public static Stores of(Function<String, KeyValueStore<Bytes, byte[]>> store) {
    KeyValueStore<Bytes, byte[]> progress = store.apply(ProgressStore.NAME);
    KeyValueStore<Bytes, byte[]> commands = store.apply(CommandStore.NAME);
    return new Stores(
        new ScheduleStore(store.apply(ScheduleStore.NAME)),
        new ProgressStore(progress),
        new CalendarStore(progress),
        new CommandStore(commands),
        new StrayStore(progress),
        new HeldRecordStore(progress, HeldRecordStore.Until.SCHEMA),
        new HeldRecordStore(commands, HeldRecordStore.Until.SCHEDULE),
        new HeldRecordStore(progress, HeldRecordStore.Until.EARLIER));
  }

  /** The store of the records that wait for the same. */
  public HeldRecordStore held(HeldRecordStore.Until until) {
    return switch (until) {
      case SCHEMA -> heldRecords;
      case SCHEDULE -> waitingCommands;
      case EARLIER -> earlier;
    };
  }
}
