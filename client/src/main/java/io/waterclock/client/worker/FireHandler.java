package io.waterclock.client.worker;

/**
 * The code that a service runs for a fire. Several threads of the worker call it, but never two at
 * once for one schedule.
 */
@FunctionalInterface
public interface FireHandler {
  /**
   * Handles a fire. Returning means success. An exception means that this attempt has failed; a
   * {@link GiveUpException} asks for no further attempt. At the run's deadline the worker
   * interrupts the thread and {@link Run#isCancelled} becomes true: a handler that then returns has
   * succeeded, one that throws has failed for good, and the worker abandons one that does neither
   * after its patience.
   */
  void handle(Run run) throws Exception;

  /**
   * The worker calls this once when it starts, before it reads fires.
   *
   * @throws Exception if the handler can never work, for example because a table is missing; the
   *     worker then ends
   */
  default void check() throws Exception {}
}
