package io.waterclock.topology.scheduler.task;

import java.util.Optional;
import java.util.function.Function;

/** Leaves out of a history what its failure does not need. */
final class Smallest {
  private Smallest() {}

  /**
   * @param difference what is wrong with a history; empty if nothing is
   * @return the smallest history with a difference, and the difference; empty if there is none
   */
  static Optional<String> of(History history, Function<History, Optional<String>> difference) {
    Optional<String> found = difference.apply(history);
    if (found.isEmpty()) {
      return found;
    }
    History smallest = history;
    boolean goesOn = true;
    while (goesOn) {
      goesOn = false;
      for (History smaller : smallest.smaller()) {
        Optional<String> still = difference.apply(smaller);
        if (still.isPresent()) {
          smallest = smaller;
          found = still;
          goesOn = true;
          break;
        }
      }
    }
    History shown = smallest;
    return found.map(text -> shown + "\n" + text);
  }
}
