package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.store.StateAge;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The parts of the graph that a test kit may replace.
 *
 * @param stores the supplier of the store with a given name
 * @param changelogSettings of the stores' changelogs, beside the size of a record
 * @param around wraps the scheduler's processor
 */
public record TopologyParts(
    Function<String, KeyValueBytesStoreSupplier> stores,
    Map<String, String> changelogSettings,
    UnaryOperator<Processor<byte[], byte[], byte[], Object>> around) {

  /** With the standard settings of the changelogs. */
  public TopologyParts(
      Function<String, KeyValueBytesStoreSupplier> stores,
      UnaryOperator<Processor<byte[], byte[], byte[], Object>> around) {
    this(stores, StateAge.changelogSettings(StateAge.STANDARD), around);
  }

  /** RocksDB of any age, and no wrapper. */
  public static TopologyParts standard() {
    return new TopologyParts(Stores::persistentKeyValueStore, UnaryOperator.identity());
  }
}
