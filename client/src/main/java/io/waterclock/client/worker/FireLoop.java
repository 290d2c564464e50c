package io.waterclock.client.worker;

import java.time.Duration;

/** Reads fires in the worker's polling thread, and gives finished ones back to the brokers. */
interface FireLoop {
  /** Reads until the worker is to stop. */
  void run() throws Exception;

  /**
   * Hands back everything that is not finished.
   *
   * @param patience how long running handlers may take to end before the worker cancels them
   */
  void handBack(Duration patience);

  /** The number of unfinished records, about a second ago. Thread-safe. */
  long lag();

  /** Closes the Kafka clients of the loop. */
  void close(Duration bound);
}
