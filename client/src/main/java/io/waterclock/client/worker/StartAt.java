package io.waterclock.client.worker;

/** Where a group that has never committed an offset begins to read fires. */
public enum StartAt {
  /**
   * At the first fire that the topic retains, of the last seven days unless configured. The rule
   * for backlogs then decides which of them run.
   */
  BEGINNING,
  /**
   * At the fires that come from now on. A partition that the topic gets later is read from its
   * beginning.
   */
  NOW
}
