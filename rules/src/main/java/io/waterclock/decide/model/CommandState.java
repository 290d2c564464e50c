package io.waterclock.decide.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The effects of commands on a schedule, and their waiting fires. A new definition changes only
 * {@code resumed}; what was ordered before it fires by the revision of then.
 *
 * @param pause present while a command holds the schedule
 * @param resumed true when a Resume came after the current definition's {@code enabled = false}:
 *     the later wins
 * @param held the fire of a Resume for the occurrences in its pause
 * @param skips occurrences that commands leave out, undecided at the command, ascending
 * @param fires of trigger commands
 * @param backfills oldest first
 * @param under replaced revisions by which fires or backfills fire; those that were replaced since
 *     the state was read. The number of one for fires is that of the last of them
 */
public record CommandState(
    Optional<Pause> pause,
    boolean resumed,
    Optional<ResumeFire> held,
    List<Instant> skips,
    WaitingFires fires,
    List<Backfill> backfills,
    List<ReplacedRevision> under) {
  /** The first number of a revision for backfills. */
  private static final long FOR_BACKFILLS = 1L << 60;

  /** The state of a schedule without commands. */
  public static final CommandState NONE =
      new CommandState(
          Optional.empty(),
          false,
          Optional.empty(),
          List.of(),
          WaitingFires.NONE,
          List.of(),
          List.of());

  public boolean isEmpty() {
    return equals(NONE);
  }

  /** True when fires of commands are waiting. */
  public boolean hasFires() {
    return !fires.isEmpty() || !backfills.isEmpty();
  }

  public CommandState paused(Pause by) {
    return new CommandState(Optional.of(by), false, held, skips, fires, backfills, under);
  }

  /**
   * @param overridesDefinition true when the definition in force says {@code enabled = false}
   */
  public CommandState resumed(boolean overridesDefinition) {
    return new CommandState(
        Optional.empty(), overridesDefinition, held, skips, fires, backfills, under);
  }

  /** The state after the acceptance of a new definition. */
  public CommandState redefined() {
    return new CommandState(pause, false, held, skips, fires, backfills, under);
  }

  /** The state before a new definition: what waits fires by the one that it replaces. */
  public CommandState replacing(Accepted old) {
    List<ReplacedRevision> kept = new ArrayList<>(under);
    if (fires.ofThisRevision() > 0) {
      kept.add(new ReplacedRevision(fires.next() - 1, old));
    }
    long number =
        1 + backfills.stream().mapToLong(it -> it.under().orElse(FOR_BACKFILLS)).max().orElse(0);
    if (backfills.stream().anyMatch(it -> it.under().isEmpty())) {
      kept.add(new ReplacedRevision(number, old));
    }
    return new CommandState(
        pause,
        resumed,
        held,
        skips,
        fires.replaced(),
        backfills.stream()
            .map(it -> it.under().isEmpty() ? it.under(OptionalLong.of(number)) : it)
            .toList(),
        List.copyOf(kept));
  }

  public CommandState holding(Optional<ResumeFire> fire) {
    return new CommandState(pause, resumed, fire, skips, fires, backfills, under);
  }

  public CommandState skipping(List<Instant> instants) {
    return new CommandState(pause, resumed, held, instants, fires, backfills, under);
  }

  /** The same with these waiting fires. */
  public CommandState withFires(WaitingFires newFires) {
    return new CommandState(pause, resumed, held, skips, newFires, backfills, under);
  }

  public CommandState backfilling(List<Backfill> newBackfills) {
    return new CommandState(pause, resumed, held, skips, fires, newBackfills, under);
  }

  /** Removes the parts that name decided occurrences. */
  CommandState decidedThrough(Instant through) {
    boolean heldIsOpen = held.filter(fire -> !fire.at().isAfter(through)).isEmpty();
    boolean skipsAreOpen = skips.isEmpty() || skips.get(0).isAfter(through);
    if (heldIsOpen && skipsAreOpen) {
      return this;
    }
    List<Instant> open = skips.stream().filter(at -> at.isAfter(through)).toList();
    return new CommandState(
        pause, resumed, heldIsOpen ? held : Optional.empty(), open, fires, backfills, under);
  }

  /** The occurrences that a definition's skip list or a command leaves out, ascending. */
  public List<Instant> skipsWith(List<Instant> skipList) {
    return skips.isEmpty()
        ? skipList
        : Stream.concat(skipList.stream(), skips.stream()).sorted().distinct().toList();
  }
}
