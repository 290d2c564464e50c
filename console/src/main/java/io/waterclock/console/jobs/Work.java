package io.waterclock.console.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a job does. */
@FunctionalInterface
public interface Work {
  /**
   * Works until it is done or cancelled. The message of an exception is shown to the person.
   *
   * @return the result; of bounded size, since it is kept
   */
  ObjectNode run(Progress progress);

  /** How far the work is; for the thread of the job. */
  interface Progress {
    /**
     * @param total how much there is to do, as far as is known
     */
    void at(long done, long total);

    /** Whether somebody wants it to end. */
    boolean isCancelled();
  }
}
