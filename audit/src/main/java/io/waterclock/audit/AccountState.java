package io.waterclock.audit;

import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * What the topic status tells of the revision that it names last, for one that its own definition
 * holds: {@code enabled = false}.
 *
 * <p>Idea: such a revision is active after a Resume and in no other way, and says PAUSED without a
 * command's pause before its first Resume and never again. The topic is compacted, so the oldest
 * statuses may be gone, but none that follows one that is left: whoever has seen that it was held
 * from its beginning on has seen every Resume.
 *
 * @param activeSince when it was first seen to be active
 * @param heldByDefinition true when it was seen before its first Resume
 * @param pausedSince the earliest that a command's pause goes back
 */
record AccountState(
    String revision,
    Optional<Instant> activeSince,
    boolean heldByDefinition,
    Optional<Instant> pausedSince) {

  /** Nothing is known of the revision but its name. */
  static AccountState of(String revision) {
    return new AccountState(revision, Optional.empty(), false, Optional.empty());
  }

  /** With what the next status tells of the same revision. */
  AccountState then(ScheduleStatus status) {
    return switch (status.getState()) {
      case ACTIVE ->
          new AccountState(
              revision,
              activeSince.or(() -> Optional.of(status.getSince())),
              heldByDefinition,
              pausedSince);
      case PAUSED -> paused(Optional.ofNullable(status.getPause()).map(CommandedPause::getSince));
      case COMPLETED, FAULTED, REJECTED -> this;
    };
  }

  private AccountState paused(Optional<Instant> since) {
    boolean isEarlier =
        since.isPresent() && pausedSince.filter(known -> !since.get().isBefore(known)).isEmpty();
    return new AccountState(
        revision,
        activeSince,
        heldByDefinition || since.isEmpty(),
        isEarlier ? since : pausedSince);
  }

  /** True when it had gone on before an instant, as far as is seen. */
  boolean isActiveBefore(Instant through) {
    return activeSince.filter(since -> since.isBefore(through)).isPresent();
  }

  /** True when all is seen since its acceptance: a pause that is older held it as well. */
  boolean isSeenFrom(Instant acceptedAt) {
    return heldByDefinition || pausedSince.filter(since -> !since.isAfter(acceptedAt)).isPresent();
  }
}
