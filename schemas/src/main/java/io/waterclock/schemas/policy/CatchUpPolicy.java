package io.waterclock.schemas.policy;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.util.Optional;

/**
 * What becomes of missed occurrences: the newest of them fire, and the rest is missed for one
 * reason. The scheduler, workers with a backlog, previews and help texts ask this object; none of
 * them knows the policies by name.
 *
 * <table>
 * <caption>The policies</caption>
 * <tr><th>{@code catch_up}</th><th>newest that fire</th><th>the rest is missed as</th></tr>
 * <tr><td>SKIP</td><td>0</td><td>GRACE</td></tr>
 * <tr><td>COLLAPSE</td><td>1, for all</td><td>COLLAPSED_INTO</td></tr>
 * <tr><td>REPLAY</td><td>{@code max_replay}, each</td><td>OUT_OF_WINDOW</td></tr>
 * </table>
 *
 * @param keeps how many of the missed occurrences fire, the newest; 0 or more
 * @param rest the reason for which the others are missed. COLLAPSED_INTO: the newest fires for all
 * @param window occurrences that were due longer ago than this do not fire; empty: no limit
 */
public record CatchUpPolicy(long keeps, MissedReason rest, Optional<Duration> window) {
  /** The policies in one line of help. */
  public static final String HELP =
      "skip fires none, collapse one for all, replay each one, oldest first";

  /** What {@code max_replay} may be at most. */
  public static final long MOST_KEPT = 1_000_000;

  /** What {@code max_replay} is unless it is set. Any trigger can look back over as many. */
  public static final long USUALLY_KEPT = 10_000;

  private static final CatchUpPolicy SKIP =
      new CatchUpPolicy(0, MissedReason.GRACE, Optional.empty());
  private static final CatchUpPolicy COLLAPSE =
      new CatchUpPolicy(1, MissedReason.COLLAPSED_INTO, Optional.empty());

  /** The policy of a definition. */
  public static CatchUpPolicy of(Schedule schedule) {
    return switch (schedule.getCatchUp()) {
      case SKIP -> SKIP;
      case COLLAPSE -> COLLAPSE;
      case REPLAY ->
          new CatchUpPolicy(
              Math.min(schedule.getMaxReplay(), MOST_KEPT),
              MissedReason.OUT_OF_WINDOW,
              Optional.ofNullable(schedule.getCatchUpWindowMs()).map(Duration::ofMillis));
    };
  }

  /** True when missed occurrences fire, be it one for all. */
  public boolean firesMissed() {
    return keeps > 0;
  }

  /** True when the newest missed occurrence fires and stands for the others. */
  public boolean firesOneForAll() {
    return rest == MissedReason.COLLAPSED_INTO;
  }

  /** True when each missed occurrence fires that is kept, the oldest first. */
  public boolean firesEach() {
    return firesMissed() && !firesOneForAll();
  }
}
