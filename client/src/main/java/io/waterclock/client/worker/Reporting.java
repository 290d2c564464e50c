package io.waterclock.client.worker;

/** Which outcomes a worker reports; those that a fire asks for it always reports. */
public enum Reporting {
  /** No others. */
  ASKED,

  /** How each run ended: one record of some 200 bytes for each fire that ran. The default. */
  RESULTS,

  /** Also each start, and fires that the worker dropped without running them. */
  ALL
}
