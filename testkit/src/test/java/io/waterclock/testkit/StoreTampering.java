package io.waterclock.testkit;

import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** Breaks what the scheduler has stored, so that it can be seen whether anyone notices. */
public final class StoreTampering {
  private static final Bytes POSITION = Bytes.wrap(new byte[] {0});

  private StoreTampering() {}

  /** A position as it was once stored. */
  public interface Position {
    /** Stores it again in place of the one that is stored now. */
    void putBack();
  }

  /** The position that is stored now. */
  public static Position position(SchedulerHarness scheduler) {
    KeyValueStore<Bytes, byte[]> store = scheduler.liveStore("progress");
    byte[] value = Optional.ofNullable(store.get(POSITION)).orElseThrow();
    return () -> store.put(POSITION, value);
  }
}
