package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.store.AgedStores;
import io.waterclock.topology.scheduler.store.StateAge;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * What of the graph a test kit may replace.
 *
 * @param stores where a store of a given name keeps its values
 * @param tombstonesKept for how long the changelogs of the stores keep tombstones
 * @param around put around the scheduler's processor
 */
public record TopologyParts(
    Function<String, KeyValueBytesStoreSupplier> stores,
    Duration tombstonesKept,
    UnaryOperator<Processor<byte[], byte[], byte[], Object>> around) {

  /** With the changelogs' standard. */
  public TopologyParts(
      Function<String, KeyValueBytesStoreSupplier> stores,
      UnaryOperator<Processor<byte[], byte[], byte[], Object>> around) {
    this(stores, StateAge.tombstonesKept(StateAge.STANDARD), around);
  }

  /** RocksDB, however old it is, and nothing around. */
  public static TopologyParts standard() {
    return new TopologyParts(Stores::persistentKeyValueStore, UnaryOperator.identity());
  }

  /** RocksDB that is not too old, and nothing around. */
  public static TopologyParts of(StateAge age) {
    return new TopologyParts(
        new AgedStores(age), StateAge.tombstonesKept(age.longest()), UnaryOperator.identity());
  }
}
