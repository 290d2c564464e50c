package io.waterclock.topology.scheduler.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether state that is found on this machine may be used.
 *
 * <p>Idea: state on disk is brought up to date by what its changelogs say since. What was deleted
 * they say with tombstones, and these are kept for a time only. State that is older than that
 * brings back to life what was deleted: schedules, and the progress of schedules that have caught
 * up. So state is used up to half of that time, which leaves the other half for reading.
 *
 * <p>When state was last written follows from the state itself: a partition stores its clock with
 * its position, each time that it decides and with each watermark. The time of a file would not do,
 * as a copy is younger than what it holds; nor would the time of a commit, as Kafka Streams commits
 * at its start, before it has read anything.
 *
 * @param longest inclusive: how old state may be
 * @param now the time; rather too late than too early
 */
public record StateAge(Duration longest, Supplier<Instant> now) {
  /** How old state may be unless it is configured. */
  public static final Duration STANDARD = Duration.ofHours(12);

  /** Clocks differ; what is further ahead was written by one that was off, nobody knows when. */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  /** For how long the changelogs have to keep tombstones. */
  public static Duration tombstonesKept(Duration longest) {
    return longest.multipliedBy(2);
  }

  /**
   * Says why state may not be used; empty when it may.
   *
   * @param writtenAt when it was last written; empty where that is not known
   */
  public Optional<String> objection(Optional<Instant> writtenAt) {
    if (writtenAt.isEmpty()) {
      return Optional.of("does not say when it was last written");
    }
    Duration age = Duration.between(writtenAt.get(), now.get());
    if (age.compareTo(longest) > 0) {
      return Optional.of(
          "was last written at " + writtenAt.get() + ", longer ago than state.max.age=" + longest);
    }
    return age.negated().compareTo(AHEAD) > 0
        ? Optional.of("was last written at " + writtenAt.get() + ", which is still to come")
        : Optional.empty();
  }
}
