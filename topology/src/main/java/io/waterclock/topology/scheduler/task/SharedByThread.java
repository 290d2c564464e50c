package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.context.CommitPace;
import io.waterclock.topology.scheduler.context.Settings;
import java.util.function.LongSupplier;

/** The state that the processors of a stream thread share. For that thread only. */
record SharedByThread(TickBudget.OfThread budget, CommitPace.OfThread pace) {

  /**
   * Creates one for each thread; for the processors of an application.
   *
   * @param nanoTime as of {@link System#nanoTime}
   */
  static ThreadLocal<SharedByThread> of(Settings settings, LongSupplier nanoTime) {
    return ThreadLocal.withInitial(
        () ->
            new SharedByThread(
                new TickBudget.OfThread(settings.pace().tickBudget(), nanoTime),
                new CommitPace.OfThread(nanoTime)));
  }
}
