package io.waterclock.topology.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;

/**
 * Has RocksDB compact a file of a state store in which much was deleted. By itself it compares the
 * sizes of files only: a million schedules that came and went would stay on disk, behind small
 * markers that say that they are gone, until as much is written anew.
 *
 * <p>One instance per store, as Kafka Streams makes them.
 */
public final class CompactAfterDeletions implements RocksDBConfigSetter {
  /** Entries that lie beside one another. */
  private static final long WINDOW = 1_000;

  /** Deletions among them that have the file compacted. */
  private static final long DELETIONS = 500;

  /** Deletions among all entries of a file that have it compacted. */
  private static final double SHARE = 0.5;

  private final List<TablePropertiesCollectorFactory> collectors = new ArrayList<>();

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    TablePropertiesCollectorFactory collector =
        TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
            WINDOW, DELETIONS, SHARE);
    collectors.add(collector);
    options.setTablePropertiesCollectorFactory(List.of(collector));
  }

  @Override
  public void close(String storeName, Options options) {
    collectors.forEach(TablePropertiesCollectorFactory::close);
    collectors.clear();
  }
}
