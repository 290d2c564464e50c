package io.waterclock.runtime.state;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;

/**
 * Has a store of Kafka Streams use the cache of all other stores, and their buffers for writes: by
 * default, each store of each partition takes up to 100 MB. Made by Kafka Streams.
 */
public final class SharedCache implements RocksDBConfigSetter {
  @Override
  public void setConfig(String store, Options options, Map<String, Object> configs) {
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    options.setTableFormatConfig(table.setBlockCache(StoreDatabase.CACHE));
    options.setWriteBufferSize(StoreDatabase.WRITE_BUFFER_BYTES);
  }

  @Override
  public void close(String store, Options options) {
    // the cache lives as long as the process
  }
}
