package io.waterclock.topology.stream;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * What of the graph a test kit may replace.
 *
 * @param stores where a store of a given name keeps its values
 * @param around put around the scheduler's processor
 */
public record Parts(
    Function<String, KeyValueBytesStoreSupplier> stores,
    UnaryOperator<Processor<byte[], byte[], byte[], Object>> around) {

  /** RocksDB, and nothing around. */
  public static Parts standard() {
    return new Parts(Stores::persistentKeyValueStore, UnaryOperator.identity());
  }
}
