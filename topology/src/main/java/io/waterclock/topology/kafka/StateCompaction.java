package io.waterclock.topology.kafka;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.Options;

/**
 * Has RocksDB compact the files of a state store when they are older than an hour. By itself it
 * compares the sizes of files only: a million schedules that came and went may stay on disk, behind
 * small markers that say that they are gone, until as much is written anew.
 *
 * <p>RocksDB looks at the age of files whenever it has written one. Kafka Streams hands only some
 * of the options on to it; a collector that counts deletions is none of them.
 */
public final class StateCompaction implements RocksDBConfigSetter {
  private static final long SECONDS = TimeUnit.HOURS.toSeconds(1);

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    options.setPeriodicCompactionSeconds(SECONDS);
  }

  @Override
  public void close(String storeName, Options options) {}
}
