package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;

/** A scheduler that tells {@link PeerRuns} when it runs a schedule, and does nothing else then. */
interface Peer extends AutoCloseable {

  /**
   * Defines the schedules of a work, each of which fires once; returns when they are safely kept.
   */
  void define(Work work) throws Exception;

  @Override
  void close();
}
