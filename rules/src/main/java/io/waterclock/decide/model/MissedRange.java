package io.waterclock.decide.model;

import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    private Why(
        MissedReason reason,
        @Nullable Instant collapsedInto,
        @Nullable Run run,
        @Nullable Instant pausedSince,
        @Nullable Long graceMs) {
      this(
          reason,
          Optional.ofNullable(collapsedInto),
          Optional.ofNullable(run),
          Optional.ofNullable(pausedSince),
          Optional.ofNullable(graceMs));
    }

    /** A reason that names nothing. */
    public static Why of(MissedReason reason) {
      return new Why(reason, (Instant) null, null, null, null);
    }

    public static Why collapsedInto(Instant fired) {
      return new Why(MissedReason.COLLAPSED_INTO, fired, null, null, null);
    }

    public static Why overlap(Run run) {
      return new Why(MissedReason.OVERLAP, null, run, null, null);
    }

    public static Why paused(Instant since) {
      return new Why(MissedReason.PAUSED, null, null, since, null);
    }

    public static Why grace(long graceMs) {
      return new Why(MissedReason.GRACE, null, null, null, graceMs);
    }
  }
}
