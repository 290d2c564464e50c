package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.context.Settings;

/** The state that the processors of a stream thread share. For that thread only. */
record SharedByThread(TickBudget.OfThread budget, CommitPace.OfThread pace) {

  /** Creates one for each thread; for the processors of an application. */
  static ThreadLocal<SharedByThread> of(Settings settings) {
    return ThreadLocal.withInitial(
        () ->
            new SharedByThread(
                new TickBudget.OfThread(settings.pace().tickBudget()),
                new CommitPace.OfThread(System::nanoTime)));
  }
}
