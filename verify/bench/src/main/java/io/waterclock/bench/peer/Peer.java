package io.waterclock.bench.peer;

import io.waterclock.bench.load.Work;

/**
 * Another scheduler, in a process of its own, that does the same work as Waterclock: its jobs
 * report their runs to {@link PeerRuns}, and do nothing else.
 */
interface Peer extends AutoCloseable {

  /**
   * Defines the schedules of a work, each of which fires once; returns when they are safely kept.
   */
  void define(Work work) throws Exception;

  @Override
  void close();
}
