package io.waterclock.decide.model;

import io.waterclock.definition.ExpectedRuns;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The expectations of a schedule on which something depends, at most one of each kind; {@link
 * #NONE} for a schedule without expectations, or of which nothing is open.
 */
public record Watches(List<Watch> all) {
  public static final Watches NONE = new Watches(List.of());

  public Watches {
    all = List.copyOf(all);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  private Watch of(Expectation expectation) {
    return all.stream()
        .filter(watch -> watch.expectation() == expectation)
        .findFirst()
        .orElseGet(() -> Watch.of(expectation));
  }

  private Watches each(UnaryOperator<Watch> change) {
    return of(all.stream().map(change).toList());
  }

  private static Watches of(List<Watch> watches) {
    List<Watch> rest = watches.stream().filter(watch -> !watch.isIdle()).toList();
    return rest.isEmpty() ? NONE : new Watches(rest);
  }

  /**
   * The same without the expectations that an edit changes: what was fired before it is not
   * expected by the new ones.
   */
  public Watches keptBy(Schedule before, Schedule after) {
    return of(
        all.stream()
            .filter(
                watch ->
                    ExpectedRuns.within(before, watch.expectation())
                        .equals(ExpectedRuns.within(after, watch.expectation())))
            .toList());
  }

  /**
   * The same in a pause, or after the last fire.
   *
   * @param since inclusive
   * @param until exclusive; empty while the pause lasts
   */
  public Watches paused(Instant since, Optional<Instant> until, Schedule current) {
    return each(watch -> watch.paused(since, until, within(current, watch)));
  }

  private static Duration within(Schedule current, Watch watch) {
    return ExpectedRuns.within(current, watch.expectation()).orElse(Duration.ZERO);
  }

  /**
   * After a fire of the trigger; nothing is expected of one that a replaced definition fires.
   *
   * @param due from when its time counts
   */
  public Watches fired(FirePlan fire, Instant due, Accepted current, Instant now) {
    List<Watch> watches = new ArrayList<>();
    for (Expectation expectation : Expectation.values()) {
      Optional<Duration> within = ExpectedRuns.within(current.schedule(), expectation);
      boolean isExpected =
          within.isPresent()
              && within.equals(ExpectedRuns.within(fire.by().schedule(), expectation))
              && current.past().isExpected(expectation, fire.occurrence().at());
      Watch watch = of(expectation);
      watches.add(isExpected ? watch.fired(fire, due, within.get(), now) : watch);
    }
    return of(watches);
  }

  /**
   * After a report of a fire of the trigger. A success since the latest edit of the expectation
   * begins the time to the next one, whichever definition has fired.
   *
   * @param isOver after the last fire: then nothing begins
   */
  public Watches reported(Event.Reported report, Accepted current, boolean isOver, Instant now) {
    Schedule schedule = current.schedule();
    Optional<Duration> every = ExpectedRuns.within(schedule, Expectation.SUCCEEDED_EVERY);
    boolean begins =
        every.isPresent()
            && !isOver
            && of(Expectation.SUCCEEDED_EVERY).isIdle()
            && report.outcome() == OutcomeState.SUCCEEDED
            && !current.past().isHeldAt(Watch.at(report, now))
            && current.past().isExpected(Expectation.SUCCEEDED_EVERY, Watch.at(report, now));
    Watches watches =
        each(watch -> watch.reported(report, within(schedule, watch), current.past(), now));
    return begins
        ? of(
            Stream.concat(
                    watches.all().stream(), Stream.of(Watch.begunBy(report, every.get(), now)))
                .toList())
        : watches;
  }

  /** After a fire of the trigger has waited for its limit; a pause may have followed its start. */
  public Watches waited(Event.Waited waited, Accepted current) {
    if (waited.hasStarted() && current.past().isHeldAt(waited.at())) {
      return this;
    }
    List<Watch> watches = new ArrayList<>();
    for (Expectation expectation : Expectation.values()) {
      Watch watch = of(expectation);
      watches.add(
          ExpectedRuns.within(current.schedule(), expectation)
              .map(within -> watch.waited(waited, within))
              .orElse(watch));
    }
    return of(watches);
  }

  /** When there is something to decide. */
  public Optional<Instant> nextDecision() {
    return all.stream().flatMap(watch -> watch.nextDecision().stream()).min(Instant::compareTo);
  }

  /** The same with other watches of the same expectations. */
  public Watches with(List<Watch> watches) {
    return of(watches);
  }

  public boolean isOverdue() {
    return all.stream().anyMatch(Watch::isOverdue);
  }

  /** Those that are overdue. */
  public List<Watch> overdue() {
    return all.stream().filter(Watch::isOverdue).toList();
  }

  /** Those that are overdue, and that another has no more. */
  public List<Watch> overdueWithout(Watches other) {
    return overdue().stream().filter(watch -> other.of(watch.expectation()).isIdle()).toList();
  }

  /** True while the deadline of a fire is still to come: its schedule does not complete before. */
  public boolean isOpen(Instant now) {
    return all.stream().anyMatch(watch -> watch.isOpen(now));
  }
}
