package io.waterclock.client.worker;

/**
 * What a service does when a fire comes. Called by several threads, never twice at once for one
 * schedule.
 */
@FunctionalInterface
public interface FireHandler {
  /**
   * Does it. Returning means success; any exception means that this attempt has failed, and a
   * {@link GiveUpException} that there shall be no other. At the run's deadline the thread is
   * interrupted and {@link Run#isCancelled} turns true: a handler that returns then has succeeded,
   * one that throws has failed for good, and one that does neither is abandoned after a while.
   */
  void handle(Run run) throws Exception;

  /**
   * Called once when a worker starts, before it reads anything.
   *
   * @throws Exception if this can never work, such as when a table is missing: the worker ends then
   */
  default void check() throws Exception {}
}
