package io.waterclock.client.schedules;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The schedules that matched a {@link Selector} when {@link Schedules#select} read the topics, for
 * one change to all of them.
 *
 * <pre>{@code
 * Selection selection = schedules.select(Selector.all().label("team", "billing")).join();
 * log(selection.ids().size() + " schedules");
 * BulkResult result =
 *     selection.atMost(100).command(ScheduleCommand.pauseUnlessPaused("deploying", "ann")).join();
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class Selection {
  private final Bulk bulk;
  private final List<String> ids;
  private final List<String> unknown;
  private final double perSecond;

  /** Sends a change to each schedule, at a rate. */
  @FunctionalInterface
  interface Bulk {
    CompletableFuture<BulkResult> toEach(
        List<String> ids,
        BiFunction<Changes<CompletableFuture<Answer>>, String, CompletableFuture<Answer>> change,
        double perSecond,
        Consumer<Answer> each);
  }

  private Selection(Bulk bulk, List<String> ids, List<String> unknown, double perSecond) {
    this.bulk = bulk;
    this.ids = ids;
    this.unknown = unknown;
    this.perSecond = perSecond;
  }

  /**
   * @param known all schedules
   */
  static Selection of(List<KnownSchedule> known, Selector selector, Bulk bulk) {
    List<KnownSchedule> candidates = known.stream().filter(selector::matchesIdAndState).toList();
    boolean asks = selector.looksAtDefinitions();
    return new Selection(
        bulk,
        candidates.stream()
            .filter(one -> !asks || one.isDefinitionKnown())
            .filter(selector::matchesDefinition)
            .map(KnownSchedule::id)
            .toList(),
        candidates.stream()
            .filter(one -> asks && !one.isDefinitionKnown())
            .map(KnownSchedule::id)
            .toList(),
        Double.POSITIVE_INFINITY);
  }

  /** The ids of the schedules that a change is for, in ascending order. */
  public List<String> ids() {
    return ids;
  }

  /**
   * The ids of schedules that a change leaves as they are, because the topics no longer show the
   * definition in force, so that it may or may not match.
   */
  public List<String> unknown() {
    return unknown;
  }

  /**
   * The same with a limit of the rate.
   *
   * @param changes a second
   * @throws IllegalArgumentException unless it is above zero
   */
  public Selection atMost(double changes) {
    if (!(changes > 0)) {
      throw new IllegalArgumentException("the rate must be above zero, not " + changes);
    }
    return new Selection(bulk, ids, unknown, changes);
  }

  /**
   * Sends the command to each schedule. All commands have the same id, which the scheduler executes
   * once for each schedule: after a crash, repeat it with {@link ScheduleCommand#withId} and the
   * same id, and it completes what it had begun.
   */
  public CompletableFuture<BulkResult> command(ScheduleCommand command) {
    return command(command, answer -> {});
  }

  /**
   * Sends the command to each schedule.
   *
   * @param each called with each answer as it arrives, on threads of the client
   */
  public CompletableFuture<BulkResult> command(ScheduleCommand command, Consumer<Answer> each) {
    return bulk.toEach(ids, (changes, id) -> changes.command(id, command), perSecond, each);
  }

  /** Deletes each schedule. A repeated delete is harmless. */
  public CompletableFuture<BulkResult> delete() {
    return bulk.toEach(ids, Changes::delete, perSecond, answer -> {});
  }
}
