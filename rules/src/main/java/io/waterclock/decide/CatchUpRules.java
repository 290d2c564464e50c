package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.MissedRange.Why;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ResumeFire;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.Count;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fires due occurrences, and catches up with missed ones.
 *
 * <p>Idea: look at the first undecided occurrence. If the skip list, a command or a calendar leaves
 * it out, it is skipped, together with those after it that the calendars leave out. If it came due
 * during the previous fire's run, it is missed or held back, as {@link Overlaps} defines. If it is
 * within grace, or it is the fire of a Resume, it fires, alone. If it is older, occurrences were
 * missed, and the policy of the owning revision handles any number of them in one step: SKIP writes
 * off those older than grace; COLLAPSE fires the last one for all; REPLAY drops those out of its
 * bounds and marks the end of the replay, after which each call fires one occurrence. Missed
 * occurrences of a replaced revision under SKIP or COLLAPSE are <em>carried</em> into the next step
 * of the newest revision.
 *
 * <p>Cost: one step writes off a bounded range ({@link Undecided#MOST_STRETCHES}, and half of the
 * effort); the next call continues a longer range. A COLLAPSE must know its range to the end, so it
 * first drops the oldest occurrences of a longer range as out of its window.
 *
 * <p>Example: every 10 minutes, undecided since 10:00, now 10:45. The first undecided occurrence is
 * 10:10, 35 minutes late. COLLAPSE: the last due one is 10:40; it fires and stands for 10:10 to
 * 10:30, which are missed. The schedule is decided through 10:40 and waits for 10:50.
 */
record CatchUpRules(Timetables tables, Undecided undecided) {
  /**
   * @param through inclusive: what is due by then is decided
   * @param now by which occurrences are missed; not before {@code through}
   */
  Decision due(ScheduleState before, Instant through, Instant now) {
    Step step = new Step(before, through, now);
    while (!step.decideNext()) {
      // a replaced revision was carried over: go on with the revision after it
    }
    return step.decision();
  }

  /**
   * Carries over replaced revisions whose undecided occurrences are all missed, so that many edits
   * during an outage do not keep many definitions.
   *
   * @param missed receives the occurrences that skip lists, commands and calendars leave out
   */
  ScheduleState carryMissed(ScheduleState state, Instant now, List<MissedRange> missed) {
    ScheduleState result = state;
    while (!result.older().isEmpty()
        && result.replayThrough().isEmpty()
        && result.commanded().held().isEmpty()
        && result.runs().latest().isEmpty()) {
      Accepted head = result.head();
      Optional<Instant> first = tables.firstOfHead(result);
      Optional<Instant> through = result.headOwnsThrough();
      if (first.isPresent()) {
        Timetable table = tables.ofHead(result);
        Optional<Occurrence> last =
            table
                .lastOwned(through.orElseThrow())
                .flatMap(at -> table.nextAfter(at.minusMillis(1)));
        if (head.schedule().getCatchUp() == CatchUp.REPLAY
            || last.isEmpty()
            || !isMissed(head, last.get(), now)) {
          return result;
        }
        Undecided.Cut cut =
            undecided.cut(result.commanded(), head, table, first.get(), last.get().at());
        if (!cut.isWhole()) {
          return result;
        }
        result = carry(result, table, cut, missed);
      }
      result = result.withoutHead();
    }
    return result;
  }

  private ScheduleState carry(
      ScheduleState state, Timetable table, Undecided.Cut whole, List<MissedRange> missed) {
    ReplacedRevision older = state.older().get(0);
    Accepted head = older.accepted();
    List<CarriedOccurrences> carried = new ArrayList<>(state.carried());
    long seq = older.seq();
    for (Undecided.Stretch stretch : whole.stretches()) {
      if (stretch.skipped()) {
        missed.add(stretch.missed(head.revision(), Why.of(MissedReason.SKIPPED)));
        continue;
      }
      Occurrence end = table.nextAfter(stretch.last().minusMillis(1)).orElseThrow();
      Count count = stretch.count();
      carried.add(
          new CarriedOccurrences(
              seq++,
              head.revision(),
              stretch.first(),
              end,
              stretch.first().equals(stretch.last())
                  ? Optional.empty()
                  : table.previous(stretch.last()),
              count.value(),
              count.exact(),
              head.schedule().getCatchUp() == CatchUp.COLLAPSE));
    }
    return state.carrying(List.copyOf(carried)).decidedThrough(whole.through());
  }

  private static boolean isMissed(Accepted revision, Occurrence occurrence, Instant now) {
    return occurrence.due().isBefore(graceStart(revision, now));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  /** Occurrences due before this instant are missed. */
  private static Instant graceStart(Accepted revision, Instant now) {
    return now.minusMillis(revision.schedule().getGraceMs());
  }

  /** One decision in the making. */
  private final class Step {
    private final Instant through;
    private final Instant now;
    private final boolean wasFaulted;
    private final List<Instant> skipsBefore;
    private final List<FirePlan> fires = new ArrayList<>(1);
    private final List<MissedRange> missed = new ArrayList<>(0);
    private ScheduleState state;
    private Optional<Instant> orderedAt = Optional.empty();

    Step(ScheduleState before, Instant through, Instant now) {
      this.through = through;
      this.now = now;
      this.wasFaulted = before.fault().isPresent();
      this.skipsBefore = before.commanded().skips();
      this.state = undecided.settle(wasFaulted ? before.faulted(Optional.empty()) : before);
    }

    /** Returns true when the decision is complete. */
    boolean decideNext() {
      Optional<Occurrence> first = undecided.firstOfHead(state);
      boolean isDue =
          first.isPresent() && !undecided.heldBack(state, first.get()).due().isAfter(through);
      if (!state.carried().isEmpty()) {
        writeOffSkippedCarried();
        if (!state.carried().isEmpty() && !(isDue && waitsFor(first.get()))) {
          fireCarried();
          return true;
        }
      }
      if (!isDue) {
        return true;
      }
      return decide(first.get());
    }

    /** Carried occurrences join the next collapsing fire, unless another fire precedes it. */
    private boolean waitsFor(Occurrence first) {
      Accepted head = state.head();
      if (Overlaps.firesInAnyCase(state, first)
          || (Overlaps.buffers(state) && overlapped(head, first).isPresent())) {
        return false;
      }
      return switch (head.schedule().getCatchUp()) {
        case COLLAPSE -> true;
        case SKIP -> isMissed(head, first, now);
        case REPLAY -> false;
      };
    }

    private boolean decide(Occurrence first) {
      Accepted head = state.head();
      Timetable table = tables.ofHead(state);
      if (Undecided.isLeftOut(state, head, table, first.at())) {
        leaveOut(head, table, first);
        return true;
      }
      Optional<Run> run = overlapped(head, first);
      if (run.isPresent()) {
        overlap(head, table, first, run.get());
        return true;
      }
      if (Overlaps.firesInAnyCase(state, first)
          || (state.carried().isEmpty() && !isMissed(head, first, now))) {
        fireOne(head, table, first);
        return true;
      }
      switch (head.schedule().getCatchUp()) {
        case SKIP -> skip(head, table, first);
        case REPLAY -> beginReplay(head, table, first);
        case COLLAPSE -> {
          if (!state.older().isEmpty()) {
            Occurrence last = table.lastDueBy(through, state.headOwnsThrough()).orElseThrow();
            Undecided.Cut cut =
                undecided.cut(state.commanded(), head, table, first.at(), last.at());
            if (!cut.isWhole()) {
              writeOff(head, cut, Why.of(MissedReason.OUT_OF_WINDOW));
              return true;
            }
            state = undecided.settle(carry(state, table, cut, missed));
            return false;
          }
          collapse(head, table, first);
        }
      }
      return true;
    }

    /**
     * The run that an occurrence overlaps; empty when it ended so long ago that the occurrence that
     * BUFFER_ONE held back is missed, unless it is replayed.
     */
    private Optional<Run> overlapped(Accepted head, Occurrence first) {
      return Overlaps.of(state, first)
          .filter(run -> Overlaps.overlaps(state, first, run, now))
          .filter(
              run ->
                  !Overlaps.buffers(state)
                      || replays(head, first)
                      || !run.endsAt().isBefore(graceStart(head, now)));
    }

    /** True for an occurrence that is not too old for a replay. */
    private boolean replays(Accepted head, Occurrence first) {
      Long window = head.schedule().getCatchUpWindowMs();
      return head.schedule().getCatchUp() == CatchUp.REPLAY
          && (window == null || !first.due().isBefore(now.minusMillis(window)));
    }

    /** Occurrences that overlap a run are missed, except the one that BUFFER_ONE holds back. */
    private void overlap(Accepted head, Timetable table, Occurrence first, Run run) {
      if (!Overlaps.buffers(state)) {
        missOverlapping(head, table, first, run);
        return;
      }
      fireOne(head, table, first);
      state = undecided.settle(state);
      Optional<Occurrence> next = undecided.firstOfHead(state);
      while (next.isPresent()
          && Overlaps.of(state, next.get()).isPresent()
          && Overlaps.overlaps(state, next.get(), run, now)
          && tables.effort().hasReserve()) {
        missOverlapping(state.head(), tables.ofHead(state), next.get(), run);
        state = undecided.settle(state);
        next = undecided.firstOfHead(state);
      }
    }

    private void missOverlapping(Accepted head, Timetable table, Occurrence first, Run run) {
      Instant overlapping = earlier(through, Overlaps.coveredThrough(state, first, run, now));
      Occurrence last = table.lastDueBy(overlapping, state.headOwnsThrough()).orElseThrow();
      writeOff(head, table, first.at(), last.at(), Why.overlap(run));
    }

    private void leaveOut(Accepted head, Timetable table, Occurrence first) {
      Instant lastDue = table.lastDueBy(through, state.headOwnsThrough()).orElseThrow().at();
      Undecided.Stretch stretch = undecided.leftOutFrom(table, first.at(), lastDue);
      missed.add(stretch.missed(head.revision(), Why.of(MissedReason.SKIPPED)));
      decided(stretch.last());
    }

    private void fireOne(Accepted head, Timetable table, Occurrence occurrence) {
      Optional<ResumeFire> order = state.ordered(occurrence.at());
      orderedAt = order.map(ResumeFire::orderedAt);
      Optional<FirePlan.CollapsedRange> others = order.flatMap(ResumeFire::others);
      boolean late = isMissed(head, occurrence, now) || others.isPresent();
      Cause cause = late ? Cause.CATCH_UP : Cause.SCHEDULED;
      fires.add(plan(head, table, occurrence, cause, others));
      decided(occurrence.at());
    }

    /** Ends the replay that ends there. */
    private void decided(Instant last) {
      if (state.replayThrough().filter(end -> !last.isBefore(end)).isPresent()) {
        state = state.replayingThrough(Optional.empty());
      }
      state = state.decidedThrough(last);
    }

    private void skip(Accepted head, Timetable table, Occurrence first) {
      Instant beforeGrace = earlier(through, graceStart(head, now).minusMillis(1));
      Occurrence last = table.lastDueBy(beforeGrace, state.headOwnsThrough()).orElseThrow();
      writeOff(head, table, first.at(), last.at(), Why.grace(head.schedule().getGraceMs()));
    }

    /** The bounds of a replay apply to missed occurrences; late ones within grace fire anyway. */
    private void beginReplay(Accepted head, Timetable table, Occurrence first) {
      Occurrence last = table.lastDueBy(through, state.headOwnsThrough()).orElseThrow();
      Instant beforeGrace = earlier(through, graceStart(head, now).minusMillis(1));
      Occurrence lastMissed = table.lastDueBy(beforeGrace, state.headOwnsThrough()).orElseThrow();
      Optional<Instant> dropThrough =
          undecided.lastBeforeNewest(
              state.commanded(),
              head,
              table,
              first.at(),
              lastMissed.at(),
              Math.min(head.schedule().getMaxReplay(), Validation.MAX_REPLAY));
      Long window = head.schedule().getCatchUpWindowMs();
      if (window != null) {
        Instant beforeWindow = now.minusMillis(window).minusMillis(1);
        Optional<Instant> outside =
            table
                .lastDueBy(earlier(beforeWindow, beforeGrace), state.headOwnsThrough())
                .map(Occurrence::at)
                .filter(at -> !at.isBefore(first.at()));
        if (outside.isPresent()
            && (dropThrough.isEmpty() || outside.get().isAfter(dropThrough.get()))) {
          dropThrough = outside;
        }
      }
      if (dropThrough.isPresent()) {
        writeOff(head, table, first.at(), dropThrough.get(), Why.of(MissedReason.OUT_OF_WINDOW));
        if (state.decidedThrough().isBefore(dropThrough.get())) {
          return;
        }
      }
      boolean rest = dropThrough.filter(through -> !through.isBefore(last.at())).isEmpty();
      state = state.replayingThrough(rest ? Optional.of(last.at()) : Optional.empty());
    }

    /** One fire of the current revision for all missed occurrences, including carried ones. */
    private void collapse(Accepted current, Timetable table, Occurrence first) {
      Occurrence lastDue = table.lastDueBy(through, Optional.empty()).orElseThrow();
      Undecided.Cut cut =
          undecided.cut(state.commanded(), current, table, first.at(), lastDue.at());
      if (!cut.isWhole()) {
        writeOff(current, cut, Why.of(MissedReason.OUT_OF_WINDOW));
        return;
      }
      Instant fired = cut.lastToFire().orElseThrow(); // the first is not left out
      Collapse collapse = new Collapse();
      state.carried().forEach(carried -> collapse.add(carried, fired));
      for (Undecided.Stretch stretch : cut.stretches()) {
        if (stretch.skipped()) {
          missed.add(stretch.missed(current.revision(), Why.of(MissedReason.SKIPPED)));
        } else {
          collapse.add(current.revision(), table, stretch, fired);
        }
      }
      state = state.carrying(List.of()).decidedThrough(lastDue.at());
      Occurrence occurrence = table.nextAfter(fired.minusMillis(1)).orElseThrow();
      fires.add(plan(current, table, occurrence, Cause.CATCH_UP, collapse.range()));
    }

    /**
     * One fire of the newest revision for the carried occurrences of replaced revisions: the last
     * of them.
     */
    private void fireCarried() {
      List<CarriedOccurrences> all = state.carried();
      CarriedOccurrences newest = all.get(all.size() - 1);
      Instant fired = newest.last().at();
      Collapse collapse = new Collapse();
      all.subList(0, all.size() - 1).forEach(carried -> collapse.add(carried, fired));
      newest
          .beforeLast()
          .ifPresent(
              last ->
                  collapse.add(
                      newest.revision(),
                      newest.first(),
                      last,
                      new Count(newest.count() - 1, newest.exact()),
                      fired));
      fires.add(
          plan(
              state.current(),
              tables.of(state.id(), state.current()),
              newest.last(),
              Cause.CATCH_UP,
              collapse.range()));
      state = state.carrying(List.of());
    }

    private void writeOffSkippedCarried() {
      List<CarriedOccurrences> rest = new ArrayList<>();
      for (CarriedOccurrences carried : state.carried()) {
        if (carried.collapses()) {
          rest.add(carried);
        } else {
          missed.add(carried.missed(Why.of(MissedReason.GRACE)));
        }
      }
      state = state.carrying(List.copyOf(rest));
    }

    /** As far as one decision may; the rest stays undecided and due. */
    private void writeOff(Accepted head, Timetable table, Instant first, Instant last, Why why) {
      writeOff(head, undecided.cut(state.commanded(), head, table, first, last), why);
    }

    private void writeOff(Accepted head, Undecided.Cut cut, Why why) {
      for (Undecided.Stretch stretch : cut.stretches()) {
        missed.add(stretch.missed(head.revision(), why));
      }
      decided(cut.through());
    }

    private FirePlan plan(
        Accepted by,
        Timetable table,
        Occurrence occurrence,
        Cause cause,
        Optional<FirePlan.CollapsedRange> collapsed) {
      return new FirePlan(
          by,
          occurrence,
          cause,
          collapsed,
          table.previous(occurrence.at()),
          table.next(occurrence.at()));
    }

    Decision decision() {
      if (!fires.isEmpty()) {
        state = state.with(state.runs().fired(fires.get(fires.size() - 1), orderedAt, now));
      }
      state = undecided.settle(state);
      boolean hasNews = wasFaulted || !skipsBefore.equals(state.commanded().skips());
      return Decision.of(state, undecided.pending(state))
          .withFires(fires)
          .withMissed(missed)
          .withStatus(hasNews ? Optional.of(state.life()) : Optional.empty());
    }

    /** Collects the occurrences that one fire stands for. */
    private final class Collapse {
      private long count;
      private boolean exact = true;
      private Optional<Instant> earliest = Optional.empty();

      void add(CarriedOccurrences carried, Instant into) {
        add(
            carried.revision(),
            carried.first(),
            carried.last().at(),
            new Count(carried.count(), carried.exact()),
            into);
      }

      /** Adds a stretch without the occurrence that fires. */
      void add(String revision, Timetable table, Undecided.Stretch stretch, Instant into) {
        if (!stretch.last().equals(into)) {
          add(revision, stretch.first(), stretch.last(), stretch.count(), into);
        } else if (!stretch.first().equals(into)) {
          Count all = stretch.count();
          Count others = new Count(all.value() - 1, all.exact());
          add(revision, stretch.first(), table.previous(into).orElseThrow(), others, into);
        }
      }

      void add(String revision, Instant first, Instant last, Count range, Instant into) {
        count += range.value();
        exact &= range.exact();
        earliest = earliest.isPresent() ? earliest : Optional.of(first);
        missed.add(
            new MissedRange(
                revision, first, last, range.value(), range.exact(), Why.collapsedInto(into)));
      }

      Optional<FirePlan.CollapsedRange> range() {
        return earliest.map(first -> new FirePlan.CollapsedRange(count, exact, first));
      }
    }
  }
}
