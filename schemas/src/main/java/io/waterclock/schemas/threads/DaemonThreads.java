package io.waterclock.schemas.threads;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep a process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** A factory that gives all of its threads this name. */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
