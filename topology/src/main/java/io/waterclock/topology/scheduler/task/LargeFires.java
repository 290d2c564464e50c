package io.waterclock.topology.scheduler.task;

import io.waterclock.definition.OwnerLimits;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;

/**
 * Bounds the bytes a second of the large fires of each owner in a partition. Small fires are free,
 * and never wait for large ones.
 *
 * <p>Idea: a token bucket for each owner. A large fire goes out while its bucket is not empty, and
 * takes its bytes, which may leave a debt. A schedule whose turn comes while the bucket is empty
 * waits in the catch-up lane: late beats wrong. Its own occurrences keep their order.
 */
final class LargeFires {
  /** Inclusive: the largest small fire. */
  static final int SMALL = 16 << 10;

  private static final Logger LOG = SafeLogger.of(LargeFires.class);

  private final TaskContext task;
  private final OwnerLimits owners;
  private final Map<String, Bucket> buckets = new HashMap<>();

  /**
   * The schedules that wait in each lane, so that looking at one again reads nothing. What commands
   * ordered and what is due may have definitions of different sizes.
   */
  private final Map<Lane, Map<ScheduleId, Bucket>> waiting = new EnumMap<>(Lane.class);

  private Instant now = Instant.EPOCH;

  private static final class Bucket {
    private final RateLimit limit;
    private final RejectionLog log;

    Bucket(RateLimit limit, RejectionLog log) {
      this.limit = limit;
      this.log = log;
    }
  }

  LargeFires(TaskContext task) {
    for (Lane lane : Lane.values()) {
      waiting.put(lane, new HashMap<>());
    }
    this.task = task;
    this.owners = task.settings().limits().owners();
  }

  /** About the size of the next fire of a schedule, in bytes. */
  static long sizeOf(ScheduleState state) {
    return state.head().snapshot().body().length;
  }

  /** Forgets who waits: nothing does. */
  void forgetWaiting() {
    waiting.values().forEach(Map::clear);
  }

  /** Lets the buckets grow. */
  void grow(Instant to) {
    now = to;
    buckets.values().forEach(bucket -> bucket.limit.grow(to));
    buckets.values().forEach(bucket -> bucket.log.logCount());
  }

  /** True for a schedule that has waited and must go on; reads nothing. */
  boolean stillWaits(ScheduleId id, Lane lane) {
    Map<ScheduleId, Bucket> inLane = in(lane);
    Bucket bucket = inLane.isEmpty() ? null : inLane.get(id);
    return bucket != null && bucket.limit.left() <= 0;
  }

  /**
   * True when the next fire of a schedule must wait.
   *
   * @param lane where it waits
   * @param bytes about the size of that fire
   */
  boolean mustWait(ScheduleState state, Lane lane, long bytes) {
    if (bytes <= SMALL) {
      in(lane).remove(state.id());
      return false;
    }
    String owner = owner(state.id());
    Bucket bucket = bucket(owner);
    if (bucket.limit.left() > 0) {
      in(lane).remove(state.id());
      return false;
    }
    if (in(lane).put(state.id(), bucket) == null) {
      task.counts().postponed(owner);
      bucket.log.rejected("Large fires of " + state.id() + " wait", why(owner));
    }
    return true;
  }

  private String why(String owner) {
    return "those of its owner %s take more than large.fires.rate, %d bytes a second in a partition"
        .formatted(owner, task.settings().limits().large().rate());
  }

  /** Counts the bytes of the fires of a decision, and takes those of the large ones. */
  void sent(EncodedDecision encoded) {
    long bytes = 0;
    long largeBytes = 0;
    for (Outgoing sent : encoded.outgoing()) { // each fire passes here: no stream
      if (sent.sink() == Sink.FIRES && sent.record().value() instanceof byte[] value) {
        bytes += value.length;
        largeBytes += value.length > SMALL ? value.length : 0;
      }
    }
    if (bytes > 0) {
      String owner = owner(encoded.id());
      task.counts().sent(owner, bytes, largeBytes);
      if (largeBytes > 0) {
        bucket(owner).limit.use((int) Math.min(largeBytes, Integer.MAX_VALUE));
      }
    }
  }

  private Map<ScheduleId, Bucket> in(Lane lane) {
    return Objects.requireNonNull(waiting.get(lane));
  }

  private String owner(ScheduleId id) {
    return owners.of(id).map(OwnerLimits.Owner::name).orElse(OwnerLimits.ALL_OTHERS);
  }

  private RejectionLog log(String owner) {
    String rest = " more times, a schedule of the owner " + owner + " had to wait with large fires";
    return RejectionLog.oneEachMinute(() -> now, rest, LOG::warn);
  }

  private Bucket bucket(String owner) {
    return buckets.computeIfAbsent(
        owner,
        first -> {
          RateLimit limit = new RateLimit(task.settings().limits().large().rate());
          limit.fill(now);
          return new Bucket(limit, log(owner));
        });
  }
}
