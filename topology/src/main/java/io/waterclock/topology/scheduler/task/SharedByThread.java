package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.context.Settings;

/** What the processors of a stream thread share. Used by that thread only. */
record SharedByThread(TickBudget.OfThread budget, CommitPace.OfThread pace) {

  /** For each thread that asks, its own; for the processors of an application. */
  static ThreadLocal<SharedByThread> of(Settings settings) {
    return ThreadLocal.withInitial(
        () ->
            new SharedByThread(
                new TickBudget.OfThread(settings.pace().tickBudget()),
                new CommitPace.OfThread(System::nanoTime)));
  }
}
