package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.MissedRange.Why;
import io.waterclock.decide.model.ResumeFire;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.occurrences.core.Count;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.policy.CatchUpPolicy;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Fires due occurrences, and catches up with missed ones.
 *
 * <p>Idea: look at the first undecided occurrence. If the skip list, a command or a calendar leaves
 * it out, it is skipped, together with those after it that the calendars leave out. If it came due
 * during the previous fire's run, it is missed or held back, as {@link Overlaps} defines. If it is
 * within grace, or it is the fire of a Resume, it fires, alone. If it is older, occurrences were
 * missed, and the {@link CatchUpPolicy} of the owning revision handles any number of them in one
 * step. A policy that fires one for all collapses them. Any other keeps the newest, writes off the
 * rest, and marks the end of what it keeps, after which each call fires one occurrence. Missed
 * occurrences of a replaced revision that do not fire each are <em>carried</em> into the next step
 * of the newest revision.
 *
 * <p>Cost: one step writes off a bounded range ({@link Undecided#MOST_STRETCHES}, and half of the
 * effort); the next call continues a longer range. A collapse must know its range to the end, so it
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
        if (policy(head).firesEach()
            || firesItself(head)
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
    Accepted head = state.head();
    List<CarriedOccurrences> carried = new ArrayList<>(state.carried());
    long seq = state.older().isEmpty() ? state.nextSeq() : state.older().get(0).seq();
    if (!carried.isEmpty()) {
      seq = Math.max(seq, carried.get(carried.size() - 1).seq() + 1);
    }
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
              policy(head).firesOneForAll()));
    }
    return state.carrying(List.copyOf(carried)).decidedThrough(whole.through());
  }

  private static CatchUpPolicy policy(Accepted revision) {
    return CatchUpPolicy.of(revision.schedule());
  }

  /**
   * True for a delayed record that fires when it was missed: another one with its name is another
   * record, and does not stand for it.
   */
  private static boolean firesItself(Accepted revision) {
    return TargetRecord.isDelayed(revision.schedule()) && policy(revision).firesOneForAll();
  }

  private static boolean isMissed(Accepted revision, Occurrence occurrence, Instant now) {
    return occurrence.due().isBefore(graceStart(revision, now));
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
          || firesItself(head)
          || (Overlaps.buffers(state) && overlapped(head, first).isPresent())) {
        return false;
      }
      CatchUpPolicy policy = policy(head);
      return policy.firesOneForAll() || (!policy.firesMissed() && isMissed(head, first, now));
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
          || firesItself(head)
          || (state.carried().isEmpty() && !isMissed(head, first, now))) {
        fireOne(head, table, first);
        return true;
      }
      CatchUpPolicy policy = policy(head);
      if (policy.firesOneForAll()) {
        return collapse(head, table, first);
      }
      keepNewest(policy, head, table, first);
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
      CatchUpPolicy policy = policy(head);
      return policy.firesEach()
          && policy.window().filter(age -> first.due().isBefore(now.minus(age))).isEmpty();
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
      Instant overlapping =
          Instants.earlier(through, Overlaps.coveredThrough(state, first, run, now));
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

    /** The bounds of a policy apply to missed occurrences; late ones within grace fire anyway. */
    private void keepNewest(
        CatchUpPolicy policy, Accepted head, Timetable table, Occurrence first) {
      Instant beforeGrace = Instants.earlier(through, graceStart(head, now).minusMillis(1));
      Instant lastMissed = table.lastDueBy(beforeGrace, state.headOwnsThrough()).orElseThrow().at();
      Optional<Instant> dropThrough =
          later(
              undecided.lastBeforeNewest(
                  state.commanded(), head, table, first.at(), lastMissed, policy.keeps()),
              policy
                  .window()
                  .map(age -> Instants.earlier(now.minus(age).minusMillis(1), beforeGrace))
                  .flatMap(end -> table.lastDueBy(end, state.headOwnsThrough()))
                  .map(Occurrence::at)
                  .filter(at -> !at.isBefore(first.at())));
      if (dropThrough.isPresent()) {
        Why why =
            policy.rest() == MissedReason.GRACE
                ? Why.grace(head.schedule().getGraceMs())
                : Why.of(policy.rest());
        writeOff(head, table, first.at(), dropThrough.get(), why);
        if (state.decidedThrough().isBefore(dropThrough.get())) {
          return;
        }
      }
      if (policy.firesMissed()) {
        Instant last = table.lastDueBy(through, state.headOwnsThrough()).orElseThrow().at();
        boolean rest = dropThrough.filter(dropped -> !dropped.isBefore(last)).isEmpty();
        state = state.replayingThrough(rest ? Optional.of(last) : Optional.empty());
      }
    }

    private static Optional<Instant> later(Optional<Instant> a, Optional<Instant> b) {
      return Stream.concat(a.stream(), b.stream()).max(Comparator.naturalOrder());
    }

    /**
     * One fire of the current revision for all missed occurrences, including carried ones. A
     * replaced revision carries its own over, and each what was due before a late run, as what was
     * due during that run is left out.
     *
     * @return true when the decision is complete
     */
    private boolean collapse(Accepted head, Timetable table, Occurrence first) {
      Instant allDue = table.lastDueBy(through, state.headOwnsThrough()).orElseThrow().at();
      Instant lastDue = beforeRun(table, first).filter(allDue::isAfter).orElse(allDue);
      Undecided.Cut cut = undecided.cut(state.commanded(), head, table, first.at(), lastDue);
      if (!cut.isWhole()) {
        writeOff(head, cut, Why.of(MissedReason.OUT_OF_WINDOW));
        return true;
      }
      if (!state.older().isEmpty() || lastDue.isBefore(allDue)) {
        state = undecided.settle(carry(state, table, cut, missed));
        return false;
      }
      Instant fired = cut.lastToFire().orElseThrow(); // the first is not left out
      Collapse collapse = new Collapse();
      state.carried().forEach(carried -> collapse.add(carried, fired));
      for (Undecided.Stretch stretch : cut.stretches()) {
        if (stretch.skipped()) {
          missed.add(stretch.missed(head.revision(), Why.of(MissedReason.SKIPPED)));
        } else {
          collapse.add(head.revision(), table, stretch, fired);
        }
      }
      state = state.carrying(List.of()).decidedThrough(lastDue);
      Occurrence occurrence = table.nextAfter(fired.minusMillis(1)).orElseThrow();
      fires.add(plan(head, table, occurrence, Cause.CATCH_UP, collapse.range()));
      return true;
    }

    /** The last occurrence that was due before a run that SKIP heeds, from one that was. */
    private Optional<Instant> beforeRun(Timetable table, Occurrence first) {
      return state
          .runs()
          .latest()
          .filter(run -> state.head().schedule().getOverlap() == Overlap.SKIP)
          .filter(run -> first.due().isBefore(run.firedAt()))
          .flatMap(run -> table.lastDueBy(run.firedAt().minusMillis(1), state.headOwnsThrough()))
          .map(Occurrence::at);
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
