package io.waterclock.topology.scheduler.store;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;

/**
 * How RocksDB keeps the files of a state store.
 *
 * <p>It compacts them when they have reached an age. By itself it compares their sizes only: a
 * million schedules that came and went may stay on disk, behind small markers that say that they
 * are gone, until as much is written anew. RocksDB looks at the age of files whenever it has
 * written one. Kafka Streams hands only some of the options on to it; a collector that counts
 * deletions is none of them.
 *
 * <p>Blocks are four times as large as by default: schedules that are due together are read in the
 * order of their ids, as are those that the walks look at, and the cost of that is mostly the
 * beginning of a block.
 */
public final class StateFiles implements RocksDBConfigSetter {
  /** The setting of Kafka Streams that has the age, a {@link Duration}; RocksDB counts seconds. */
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
