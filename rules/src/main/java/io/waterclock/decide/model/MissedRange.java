package io.waterclock.decide.model;

import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;

/**
 * Occurrences of one revision that will not fire.
 *
 * @param first inclusive
 * @param last inclusive
 * @param count a lower bound when not exact
 */
public record MissedRange(
    String revision, Instant first, Instant last, long count, boolean exact, Why why) {

  public MissedReason reason() {
    return why.reason();
  }

  /**
   * A reason with what it names, so that it can be checked.
   *
   * @param collapsedInto with COLLAPSED_INTO: the occurrence that fires for them
   * @param run with OVERLAP
   * @param pausedSince with PAUSED
   * @param graceMs with GRACE, unless a later definition had replaced theirs by then
   */
  public record Why(
      MissedReason reason,
      Optional<Instant> collapsedInto,
      Optional<Run> run,
      Optional<Instant> pausedSince,
      Optional<Long> graceMs) {

    /** A reason that names nothing. */
    public static Why of(MissedReason reason) {
      return new Why(
          reason, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static Why collapsedInto(Instant fired) {
      return new Why(
          MissedReason.COLLAPSED_INTO,
          Optional.of(fired),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    public static Why overlap(Run run) {
      return new Why(
          MissedReason.OVERLAP,
          Optional.empty(),
          Optional.of(run),
          Optional.empty(),
          Optional.empty());
    }

    public static Why paused(Instant since) {
      return new Why(
          MissedReason.PAUSED,
          Optional.empty(),
          Optional.empty(),
          Optional.of(since),
          Optional.empty());
    }

    public static Why grace(long graceMs) {
      return new Why(
          MissedReason.GRACE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(graceMs));
    }
  }
}
