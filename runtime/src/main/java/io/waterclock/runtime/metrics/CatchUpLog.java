package io.waterclock.runtime.metrics;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.topology.scheduler.count.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says once for each outage of a partition what was caught up with and what was missed. For the
 * task's stream thread only.
 */
final class CatchUpLog {
  /** A watermark is written every five seconds. */
  private static final Duration BEHIND = Duration.ofMinutes(1);

  private static final Duration IN_STEP = Duration.ofSeconds(15);

  private final int partition;
  private final Counts counts;
  private Optional<Outage> outage = Optional.empty();
  private boolean isNew;

  /**
   * @param isNew whether nothing of the partition was ever decided: then it begins behind, while
   *     its inputs are read, without an outage
   */
  CatchUpLog(int partition, boolean isNew, Counts counts) {
    this.partition = partition;
    this.isNew = isNew;
    this.counts = counts;
  }

  /** What had been counted when it was noticed that the partition is behind. */
  private record Outage(Instant since, long fired, Map<MissedReason, Long> missed) {}

  /**
   * To be called about once a second.
   *
   * @param decidedThrough by the latest watermark
   * @return a sentence when the partition has caught up
   */
  Optional<String> at(Instant decidedThrough, Instant now) {
    Duration behind = Duration.between(decidedThrough, now);
    if (isNew) {
      isNew = behind.compareTo(IN_STEP) > 0;
      return Optional.empty();
    }
    if (outage.isEmpty() && behind.compareTo(BEHIND) > 0) {
      outage = Optional.of(new Outage(decidedThrough, counts.fired(), missed()));
    }
    if (outage.isEmpty() || behind.compareTo(IN_STEP) > 0) {
      return Optional.empty();
    }
    Outage over = outage.get();
    outage = Optional.empty();
    return Optional.of(sentence(over, now));
  }

  private String sentence(Outage over, Instant now) {
    Map<MissedReason, Long> all = missed();
    String reasons =
        Arrays.stream(MissedReason.values())
            .filter(reason -> number(all, reason) > number(over.missed(), reason))
            .map(
                reason ->
                    "%s %s"
                        .formatted(
                            number(all, reason) - number(over.missed(), reason),
                            reason.name().toLowerCase(Locale.ROOT)))
            .collect(Collectors.joining(", "));
    return "Partition %s: has caught up with what was due since %s, %s s ago: %s fired, missed: %s"
        .formatted(
            partition,
            over.since(),
            Duration.between(over.since(), now).toSeconds(),
            counts.fired() - over.fired(),
            reasons.isEmpty() ? "none" : reasons);
  }

  private static long number(Map<MissedReason, Long> missed, MissedReason reason) {
    return missed.getOrDefault(reason, 0L);
  }

  private Map<MissedReason, Long> missed() {
    Map<MissedReason, Long> all = new EnumMap<>(MissedReason.class);
    for (MissedReason reason : MissedReason.values()) {
      all.put(reason, counts.missed(reason));
    }
    return all;
  }
}
