package io.waterclock.client.worker;

import java.util.Optional;

/** What a worker does with a fire that none of its handlers takes. */
public enum OnUnhandled {
  /**
   * It goes on to the next one, and counts it; another group may be the one that runs it. Whoever
   * says so explicitly is not warned.
   */
  PASS_OVER,
  /** Its outcome is DROPPED: for a group that is the only one for these schedules. */
  DROP,
  /** It has failed, and is in the dead-letter topic. */
  DEAD_LETTER;

  private static final String WHY = "no handler of this worker takes it";

  Optional<FireHandler> handler() {
    return switch (this) {
      case PASS_OVER -> Optional.empty();
      case DROP -> Optional.of(run -> run.drop(WHY));
      case DEAD_LETTER ->
          Optional.of(
              run -> {
                throw new GiveUpException(WHY);
              });
    };
  }
}
