package io.waterclock.runtime.state;

import org.apache.kafka.streams.errors.ProcessorStateException;

/** The files of a store contradict themselves. The changelog holds what they should. */
final class DamagedStoreException extends ProcessorStateException {
  private static final long serialVersionUID = 1L;

  DamagedStoreException(String message) {
    super(message);
  }

  DamagedStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
