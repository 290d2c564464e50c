package io.waterclock.topology.scheduler.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Decides whether an instance may reuse the state on its disk.
 *
 * <p>Idea: Kafka Streams updates state on disk from the changelogs. A delete in a changelog is a
 * tombstone, which Kafka keeps for a limited time. State that is older than that time would revive
 * deleted schedules, and the progress of schedules that have caught up since. So state is usable
 * for half of that time; the other half is for reading.
 *
 * <p>The state itself shows its age: a partition stores its clock with its position, at each
 * decision and each watermark. The time of a file is unsuitable, since a copy is younger than its
 * content. So is the time of a commit, since Kafka Streams commits at its start, before it has read
 * anything.
 *
 * @param longest inclusive: how old state may be
 * @param now the time; if in doubt, too late
 */
public record StateAge(Duration longest, Supplier<Instant> now) {
  /** The default of the largest age. */
  public static final Duration STANDARD = Duration.ofHours(12);

  /**
   * The largest tolerated difference between clocks. State from further ahead has an unknown age,
   * since a wrong clock wrote it.
   */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  /** How long the changelogs must keep tombstones. */
  public static Duration tombstonesKept(Duration longest) {
    return longest.multipliedBy(2);
  }

  /** How old state may be if the changelogs keep tombstones for this long. */
  public static Duration usable(Duration tombstonesKept) {
    return tombstonesKept.dividedBy(2);
  }

  /**
   * The settings of the changelogs for state of this age: small segments, so that the broker
   * compacts them, and tombstones that outlast state on disk.
   */
  public static Map<String, String> changelogSettings(Duration longest) {
    return Map.of(
        TopicConfig.SEGMENT_BYTES_CONFIG,
        Integer.toString(64 * 1024 * 1024),
        TopicConfig.DELETE_RETENTION_MS_CONFIG,
        Long.toString(tombstonesKept(longest).toMillis()));
  }

  /**
   * Returns why state may not be used; empty when it may.
   *
   * @param writtenAt when it was last written; empty if unknown
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
