package io.waterclock.audit;

import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of the latest revision in the topic status, for a revision with {@code enabled =
 * false}.
 *
 * <p>Idea: only a Resume makes such a revision active. Only before its first Resume is its status
 * PAUSED without a pause by command. Compaction may remove the oldest statuses, but none after a
 * remaining one. So if a status shows that the revision was held from its start, every Resume is
 * known.
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

  /** This state after the next status of the same revision. */
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

  /** True if a status shows that it was active before an instant. */
  boolean isActiveBefore(Instant through) {
    return activeSince.filter(since -> since.isBefore(through)).isPresent();
  }

  /** True if all statuses since its acceptance are known: an older pause also held it. */
  boolean isSeenFrom(Instant acceptedAt) {
    return heldByDefinition || pausedSince.filter(since -> !since.isAfter(acceptedAt)).isPresent();
  }
}
