package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.Sink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * Bounds the bytes a second of the fires of each owner in a partition.
 *
 * <p>Idea: a token bucket for the small fires of each owner, and one for the large ones. A fire
 * goes out while its bucket is not empty, and takes its bytes, which may leave a debt. So that no
 * fire waits for much larger ones, each size has a small bucket for itself, which it uses when the
 * common one is empty. A schedule whose turn comes while both are empty waits in the catch-up lane:
 * late beats wrong. Its own occurrences keep their order.
 */
final class FireRates {
  /** Inclusive: the largest small fire. */
  static final int SMALL = 16 << 10;

  /** Inclusive: the largest fire of each size. */
  private static final List<Integer> SIZES =
      List.of(1 << 10, 4 << 10, SMALL, 64 << 10, 256 << 10, Integer.MAX_VALUE);

  /** The common rate is so many times the rate of the bucket of one size. */
  private static final int COMMON = 8;

  /** How long a schedule that waits is not looked at again. */
  private static final Duration TRUSTED = Duration.ofSeconds(1);

  /** Who has not been looked at for so long does not wait any more. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(1);

  private static final Logger LOG = SafeLogger.of(FireRates.class);

  private final Counts counts;
  private final Settings.FireBytes bounds;
  private final OwnerLimits owners;

  /** The shares of each owner, in the order of the sizes. */
  private final Map<String, List<Share>> shares = new HashMap<>();

  /** The buckets of all shares, each once, and the logs of all owners. */
  private final List<RateLimit> limits = new ArrayList<>();

  private final List<RejectionLog> logs = new ArrayList<>();

  /**
   * The schedules that wait in each lane, so that looking at one again reads nothing. What commands
   * ordered and what is due may have definitions of different sizes. An entry may be old: its
   * schedule may fire something else by now, or be deleted.
   */
  private final Map<Lane, Map<ScheduleId, Waiting>> waiting = new EnumMap<>(Lane.class);

  private Instant forgetAt = Instant.MIN;

  private Instant now = Instant.EPOCH;

  private record Waiting(Share share, Instant lookedAt) {}

  /** What the fires of one owner and one size may take. */
  record Share(String owner, RateLimit common, RateLimit own, RejectionLog log, String why) {
    private boolean isUsedUp() {
      return common.left() <= 0 && own.left() <= 0;
    }

    private void use(long bytes) {
      (common.left() > 0 ? common : own).use((int) Math.min(bytes, Integer.MAX_VALUE));
    }
  }

  FireRates(TaskContext task) {
    for (Lane lane : Lane.values()) {
      waiting.put(lane, new HashMap<>());
    }
    this.counts = task.partition().counts();
    this.bounds = task.settings().limits().fireBytes();
    this.owners = task.settings().limits().owners();
  }

  /** Lets the buckets grow. */
  void grow(Instant to) {
    now = to;
    if (!now.isBefore(forgetAt)) {
      Instant tooOld = now.minus(FORGOTTEN);
      waiting.values().forEach(lane -> lane.values().removeIf(it -> it.lookedAt.isBefore(tooOld)));
      forgetAt = now.plus(TRUSTED);
    }
    limits.forEach(limit -> limit.grow(to));
    logs.forEach(RejectionLog::logCount);
  }

  /** True for a schedule that has waited and must go on; reads nothing. */
  boolean stillWaits(ScheduleId id, Lane lane) {
    Map<ScheduleId, Waiting> inLane = in(lane);
    Waiting known = inLane.isEmpty() ? null : inLane.get(id);
    return known != null && known.share.isUsedUp() && now.isBefore(known.lookedAt.plus(TRUSTED));
  }

  /** The share of the next due fire of a schedule. */
  Share of(ScheduleState state) {
    return of(state.id(), state.head().snapshot().body().length);
  }

  /**
   * The share of a fire. Costs a comparison with each owner.
   *
   * @param bytes about its size
   */
  Share of(ScheduleId id, long bytes) {
    int size = 0;
    while (bytes > SIZES.get(size)) {
      size++;
    }
    String owner = owners.of(id).map(OwnerLimits.Owner::name).orElse(OwnerLimits.ALL_OTHERS);
    return shares.computeIfAbsent(owner, this::full).get(size);
  }

  /** True when the next fire of a schedule must wait. */
  boolean mustWait(ScheduleId id, Share share, Lane lane) {
    Map<ScheduleId, Waiting> inLane = in(lane);
    if (!share.isUsedUp()) {
      if (!inLane.isEmpty()) { // each fire passes here
        inLane.remove(id);
      }
      return false;
    }
    if (inLane.put(id, new Waiting(share, now)) == null) {
      counts.postponed(share.owner);
      share.log.rejected("Fires of " + id + " wait", share.why);
    }
    return true;
  }

  /** Counts and takes the bytes of the fires of a decision. */
  void sent(EncodedDecision encoded, Share share) {
    long bytes = 0;
    for (Outgoing sent : encoded.outgoing()) { // each fire passes here: no stream
      bytes += bytesOfFire(sent);
    }
    if (bytes > 0) {
      counts.sent(share.owner, bytes);
      share.use(bytes);
    }
  }

  /** Those of a fire, which may wait for a limit first; 0 for another record. */
  private static int bytesOfFire(Outgoing sent) {
    Object value = sent.record().value();
    if (sent.sink() == Sink.WAITING && value instanceof Addressed addressed) {
      value = addressed.value();
    } else if (sent.sink() != Sink.FIRES) {
      return 0;
    }
    return value instanceof byte[] fire ? fire.length : 0;
  }

  private Map<ScheduleId, Waiting> in(Lane lane) {
    return Objects.requireNonNull(waiting.get(lane));
  }

  private List<Share> full(String owner) {
    String rest = " more times, a schedule of the owner " + owner + " had to wait";
    RejectionLog log = RejectionLog.oneEachMinute(() -> now, rest, LOG::warn);
    logs.add(log);
    int smallSizes = SIZES.indexOf(SMALL) + 1;
    return Stream.concat(
            full(owner, log, "small.fires.rate", bounds.small(), smallSizes),
            full(owner, log, "large.fires.rate", bounds.large(), SIZES.size() - smallSizes))
        .toList();
  }

  private Stream<Share> full(String owner, RejectionLog log, String setting, int rate, int sizes) {
    String why =
        "those of its owner %s take more than %s, %d bytes a second in a partition"
            .formatted(owner, setting, rate);
    RateLimit common = full(rate);
    return Stream.generate(
            () -> new Share(owner, common, full(Math.max(1, rate / COMMON)), log, why))
        .limit(sizes);
  }

  private RateLimit full(int rate) {
    RateLimit limit = new RateLimit(rate);
    limit.fill(now);
    limits.add(limit);
    return limit;
  }
}
