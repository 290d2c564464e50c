package io.waterclock.runtime.state;

import org.apache.kafka.streams.errors.ProcessorStateException;

/**
 * The files of a store contradict themselves, or are another store's. The changelog has the rows.
 */
final class DamagedStoreException extends ProcessorStateException {
  DamagedStoreException(String message) {
    super(message);
  }

  DamagedStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
