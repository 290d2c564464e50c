package io.waterclock.runtime.state;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;

/**
 * Configures the files of RocksDB for a state store.
 *
 * <p>RocksDB compacts files that reach an age. By default it compares only their sizes: a million
 * removed schedules may stay on disk behind small tombstones until the same amount is written
 * again. RocksDB checks the age of files whenever it has written one. Kafka Streams passes only
 * some options on; a collector that counts deletions is not among them.
 *
 * <p>Blocks have four times the default size: the scheduler reads schedules that are due together
 * in the order of their ids, and so does the watchdog, and most of the cost is the start of a
 * block.
 */
public final class StateFiles implements RocksDBConfigSetter {
  /** The setting of Kafka Streams with the age, a {@link Duration}; RocksDB uses seconds. */
  public static final String AGE_SETTING = "waterclock.state.compaction.age";

  private static final long BLOCK_BYTES = 16 * 1024;

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    Duration age = (Duration) Objects.requireNonNull(configs.get(AGE_SETTING), AGE_SETTING);
    options.setPeriodicCompactionSeconds(Math.max(1, age.toSeconds()));
    BlockBasedTableConfig blocks = (BlockBasedTableConfig) options.tableFormatConfig();
    blocks.setBlockSize(BLOCK_BYTES);
    options.setTableFormatConfig(blocks);
  }

  @Override
  public void close(String storeName, Options options) {}
}
