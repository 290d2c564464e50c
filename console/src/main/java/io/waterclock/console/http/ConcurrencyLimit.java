package io.waterclock.console.http;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Work on the server's own threads that may take seconds: a few at a time, so that the others are
 * free for other requests. Thread-safe.
 */
final class ConcurrencyLimit {
  private final Semaphore free;

  ConcurrencyLimit(int atOnce) {
    this.free = new Semaphore(atOnce);
  }

  /**
   * Does the work now.
   *
   * @throws BadRequestException if as many are under way
   */
  <T> T now(Supplier<T> work) {
    if (!free.tryAcquire()) {
      throw new BadRequestException(503, "Others are being computed; try again.");
    }
    try {
      return work.get();
    } finally {
      free.release();
    }
  }
}
