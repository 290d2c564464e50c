package io.waterclock.client.worker;

import java.util.Optional;

/** The action of a worker for a fire that none of its handlers takes. */
public enum OnUnhandled {
  /**
   * The worker counts the fire and continues with the next one; another group may run it. The
   * worker does not warn if this action is set explicitly.
   */
  PASS_OVER,
  /** The fire's outcome is DROPPED: for the only group of these schedules. */
  DROP,
  /** The fire fails and goes to the dead-letter topic. */
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
