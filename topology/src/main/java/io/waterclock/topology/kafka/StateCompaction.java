package io.waterclock.topology.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.Options;

/**
 * Has RocksDB compact the files of a state store when they have reached an age. By itself it
 * compares the sizes of files only: a million schedules that came and went may stay on disk, behind
 * small markers that say that they are gone, until as much is written anew.
 *
 * <p>RocksDB looks at the age of files whenever it has written one. Kafka Streams hands only some
 * of the options on to it; a collector that counts deletions is none of them.
 */
public final class StateCompaction implements RocksDBConfigSetter {
  /** The setting of Kafka Streams that has the age, a {@link Duration}; RocksDB counts seconds. */
  public static final String AGE_SETTING = "waterclock.state.compaction.age";

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    Duration age = (Duration) Objects.requireNonNull(configs.get(AGE_SETTING), AGE_SETTING);
    options.setPeriodicCompactionSeconds(Math.max(1, age.toSeconds()));
  }

  @Override
  public void close(String storeName, Options options) {}
}
