package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * A worker that runs fires and reports them. What becomes of a run follows from the key of its
 * fire. Where failures count, runs of occurrences that are due in an outage are short and succeed,
 * in each of the compared histories: when a failure is reported is a matter of when its run began.
 */
record RandomRuns(long seed, Set<Feature> features, List<History.Outage> outages) {
  private static final Duration SHORT = Duration.ofMillis(100);

  /** A failure that comes after the next run has succeeded does not count. */
  private static final Duration BEFORE_THE_NEXT = Duration.ofMillis(9_007);

  /** Longer than a run takes, or may take by its time-out. */
  static final Duration LONGEST = Duration.ofSeconds(130);

  private static final Duration AFTER = Duration.ofSeconds(15);

  List<Input> of(Fire fire, Instant now, ToIntFunction<String> home, int partitions) {
    if (!fire.getWantsOutcome()) {
      return List.of();
    }
    SplittableRandom random = new SplittableRandom(seed ^ fire.getFireId().hashCode());
    boolean late = now.isAfter(fire.getDue().plusSeconds(3));
    boolean inOutage = outages.stream().anyMatch(outage -> isWithin(outage, fire.getDue()));
    boolean plain = features.contains(Feature.FAILURES) && (late || inOutage);
    int longest = inOutage ? 30 : 80;
    Duration length =
        random.nextInt(4) > 0 ? SHORT : Duration.ofMillis(3_003 + 1_000L * random.nextInt(longest));
    boolean fails = random.nextInt(2) == 0 && features.contains(Feature.FAILURES);
    Duration took = plain ? SHORT : fails ? BEFORE_THE_NEXT : length;
    boolean silent = random.nextInt(8) == 0;
    int partition =
        features.contains(Feature.STRAY_REPORTS) && random.nextBoolean()
            ? random.nextInt(partitions)
            : home.applyAsInt(fire.getScheduleId());
    if (silent && !plain) {
      return List.of();
    }
    String end = fails && !plain ? "failed" : "succeeded";
    return List.of(
        report(fire, "started", partition, now.plusMillis(1)),
        report(fire, end, partition, now.plus(took)));
  }

  private static boolean isWithin(History.Outage outage, Instant due) {
    return due.isAfter(outage.from()) && due.isBefore(outage.to().plus(AFTER));
  }

  private static Input report(Fire fire, String state, int partition, Instant at) {
    String key = FireKey.of(ScheduleId.parse(fire.getScheduleId()), fire.getOccurrence()).text();
    String json = "{\"fire_key\":\"" + key + "\",\"state\":\"" + state + "\"}";
    return new Input(Input.Topic.OUTCOMES, partition, fire.getScheduleId(), Optional.of(json), at);
  }
}
