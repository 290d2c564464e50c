package io.waterclock.testkit;

import io.waterclock.topology.scheduler.store.DueIndex;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/** Breaks what the scheduler has stored, so that it can be seen whether anyone notices. */
public final class StoreTampering {
  private static final Bytes POSITION = Bytes.wrap(new byte[] {0});

  private StoreTampering() {}

  /** A position as it was once stored. */
  public interface Position {
    /** Stores it again in place of the one that is stored now. */
    void putBack();
  }

  /** What is stored of a schedule: its definition and revision. */
  public static byte[] definition(SchedulerHarness scheduler, String id) {
    return Optional.ofNullable(definitions(scheduler).get(key(id))).orElseThrow();
  }

  /** Stores another definition of a schedule without a record. */
  public static void define(SchedulerHarness scheduler, String id, byte[] definition) {
    definitions(scheduler).put(key(id), definition);
  }

  /** Removes a schedule without a record. */
  public static void remove(SchedulerHarness scheduler, String id) {
    definitions(scheduler).delete(key(id));
  }

  /** Forgets what is left of schedules that are gone. */
  public static void forgetRemoved(SchedulerHarness scheduler) {
    scheduler.store("progress").keySet().stream()
        .filter(key -> new String(key.get(), StandardCharsets.US_ASCII).startsWith("\0removed"))
        .forEach(key -> scheduler.liveStore("progress").delete(key));
  }

  /** The index of the definitions. */
  public static DueIndex index(SchedulerHarness scheduler) {
    StateStore store = definitions(scheduler);
    while (store instanceof WrappedStateStore<?, ?, ?> wrapper) {
      store = wrapper.wrapped();
    }
    return ((DueIndex.Indexed) store).dueIndex();
  }

  private static KeyValueStore<Bytes, byte[]> definitions(SchedulerHarness scheduler) {
    return scheduler.liveStore("schedules");
  }

  private static Bytes key(String id) {
    return Bytes.wrap(id.getBytes(StandardCharsets.US_ASCII));
  }

  /** The position that is stored now. */
  public static Position position(SchedulerHarness scheduler) {
    KeyValueStore<Bytes, byte[]> store = scheduler.liveStore("progress");
    byte[] value = Optional.ofNullable(store.get(POSITION)).orElseThrow();
    return () -> store.put(POSITION, value);
  }
}
