package io.waterclock.sim.node;

import java.util.Optional;

/** What a thread needs of its process. */
interface ThreadHost {
  NodeClock clock();

  void note(String text);

  /** A name for a consumer that joins its group for the first time. */
  String nextMember(String prefix);

  /** Whether the commit that now begins times out, and if so, whether the brokers get it. */
  Optional<Boolean> takeLostCommit();

  /** Whether what is written is not sent, as the process will be stopped before. */
  boolean stopsUnsent();

  /** Stops the process, which has written something and sent nothing of it. */
  void stopUnsentNow();
}
