package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.meter.Traffic;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that fires schedules, in processes of its own, put to the same work as the others. For
 * one thread at a time: {@link #listen}, {@link #define}, {@link #perform}, as often as there is
 * work.
 */
interface Contender extends AutoCloseable {

  /** The name in tables. */
  String name();

  /** Sends all fires of a work to a listener from now on. */
  void listen(Work work, FireListener listener);

  /** Defines the schedules of a work ahead of time; returns when they are safely kept. */
  void define(Work work);

  /**
   * Sees the work through. One that fires by itself may return at once; its fires come to the
   * listener all the same.
   *
   * @param fires how many there will be
   * @param deadline when to give up
   */
  void perform(Work work, int fires, Instant deadline);

  /**
   * The factor by which a load may be slower for each schedule than the load before it, which may
   * be a fortieth as large.
   */
  default double loadMargin() {
    return 1.3;
  }

  /** The CPU time of its processes and of this one, so far. */
  CpuTimes cpu();

  /** What it has written so far; empty for one that does not write to Kafka. */
  default Optional<Traffic> traffic() {
    return Optional.empty();
  }

  @Override
  void close();
}
