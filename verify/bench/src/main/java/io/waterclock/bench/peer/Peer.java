package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;

/** A scheduler whose jobs report their runs to {@link PeerRuns}, and do nothing else. */
interface Peer extends AutoCloseable {

  /**
   * Defines the schedules of a work, each of which fires once; returns when they are safely kept.
   */
  void define(Work work) throws Exception;

  @Override
  void close();
}
