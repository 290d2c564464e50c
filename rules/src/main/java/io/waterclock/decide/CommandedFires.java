package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Backfill;
import io.waterclock.decide.model.Backfill.Going;
import io.waterclock.decide.model.Backfill.Pace;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fires of commands: single fires, and backfills of decided ranges. They are outside {@code
 * occurrences = fired + missed}, so they decide nothing, and a pause does not delay them. They fire
 * by the revision that was in force at the command, whatever has replaced it since.
 *
 * <p>A backfill fires the occurrences of the trigger that were due at the command, once they are
 * decided, from a cursor on. So its state is one cursor for any range. Occurrences before the
 * acceptance of the trigger, or outside its bounds, were never due and do not fire.
 */
record CommandedFires(Timetables tables, Undecided undecided, CommandReplies replies) {
  private static final int FIRES_BETWEEN_REPORTS = 1_000;

  /**
   * Allowed in every state except FAULTED, since the request is for a fire now.
   *
   * <p>The bound counts what waits, in fires and in bytes. While the scheduler is up, fires wait
   * for seconds; so the bound is that of an outage.
   */
  Decision trigger(ScheduleState state, String commandId, TriggerCommand command, Instant at) {
    if (state.fault().isPresent()) {
      return faulted(state, "trigger");
    }
    WaitingFires waiting = state.commanded().fires();
    ManualFire fire =
        new ManualFire(waiting.next(), commandId, at, Optional.ofNullable(command.getPayload()));
    WaitingFires withIt = waiting.with(fire, state.current());
    Optional<String> tooMany = tooMany(waiting, withIt);
    if (tooMany.isPresent()) {
      return replies.refused(
          state, "trigger", tooMany.get(), "the command again, once they have fired");
    }
    ScheduleState after = state.with(state.commanded().withFires(withIt));
    return Decision.of(after, undecided.pending(after)).withVerdict(Verdict.EXECUTED);
  }

  private static Optional<String> tooMany(WaitingFires waiting, WaitingFires withOneMore) {
    if (waiting.size() >= CommandValidation.MAX_WAITING_FIRES) {
      return Optional.of(waiting.size() + " ordered fires wait already, which is the limit");
    }
    return withOneMore.bytes() <= CommandValidation.MAX_WAITING_BYTES
        ? Optional.empty()
        : Optional.of(
            "%s bytes of ordered fires wait already, and the limit is %s"
                .formatted(waiting.bytes(), CommandValidation.MAX_WAITING_BYTES));
  }

  /**
   * @param at when the command takes effect: what is due later does not fire
   */
  Decision backfill(ScheduleState state, String commandId, BackfillCommand command, Instant at) {
    if (state.fault().isPresent()) {
      return faulted(state, "backfill");
    }
    List<Backfill> running = state.commanded().backfills();
    if (running.size() >= CommandValidation.MAX_BACKFILLS) {
      return replies.refused(
          state,
          "backfill",
          running.size() + " backfills run already, and no more can",
          "cancel_backfill: {\"backfill\": \"" + running.get(0).commandId() + "\"}");
    }
    Pace pace = pace(command);
    if (pace.maxRunning().isPresent() && state.current().schedule().getTimeoutNone()) {
      return replies.refused(
          state,
          "backfill.max_running",
          "the schedule has the timeout none, so a run that reports no end would hold the backfill"
              + " for ever",
          "a definition with a timeout, such as \"timeout\": \"1h\"");
    }
    Timetable table = tables.of(state.id(), state.current());
    Instant by = state.isHeld() ? Instants.earlier(state.heldSince(), at) : at;
    Instant since = state.current().namesAfter();
    Instant due =
        Instants.later(
            table.lastNamedDueBy(by).map(last -> last.at().plusMillis(1)).orElse(since),
            decidedByOthers(state, by).plusMillis(1));
    Instant to = Instants.earlier(command.getTo(), due);
    Reached reached = next(state.current(), table, command.getFrom().minusMillis(1), to);
    if (reached.next().isEmpty() && reached.isEnd()) {
      Optional<Instant> last = table.previous(due).filter(it -> it.isAfter(since));
      return replies.refused(
          state,
          "backfill",
          "no occurrence that is due lies from %s to %s; %s"
              .formatted(
                  command.getFrom(),
                  command.getTo(),
                  last.map(it -> "the last one is " + it)
                      .orElse("it has none since it got its trigger at " + since)),
          last.map(it -> "\"from\": \"" + it + "\""));
    }
    Instant first = reached.next().map(Occurrence::at).orElse(reached.cursor().plusMillis(1));
    Backfill backfill = Backfill.of(commandId, first, to, pace);
    return replies.executed(
        state.with(
            state
                .commanded()
                .backfilling(Stream.concat(running.stream(), Stream.of(backfill)).toList())));
  }

  /**
   * Inclusive: up to where earlier revisions have decided what they owned. Jitter of the one in
   * force says nothing of it.
   */
  private static Instant decidedByOthers(ScheduleState state, Instant by) {
    Instant owned = Instants.earlier(state.current().ownsAfter(), by);
    return Instants.earlier(owned, state.allDecidedThrough());
  }

  private static Pace pace(BackfillCommand command) {
    Integer most = command.getMaxRunning();
    return new Pace(
        command.getNewestFirst(), most == null ? OptionalInt.empty() : OptionalInt.of(most));
  }

  /** The decision has the same state object when the report changes nothing. */
  Decision report(ScheduleState state, Event.BackfillReported report, Instant now) {
    List<Backfill> running = state.commanded().backfills();
    List<Backfill> after =
        running.stream()
            .map(it -> it.commandId().equals(report.backfill()) ? it.reported(report, now) : it)
            .toList();
    ScheduleState next =
        after.equals(running) ? state : state.with(state.commanded().backfilling(after));
    return Decision.of(next, undecided.pending(next));
  }

  Decision cancel(ScheduleState state, String commandId) {
    List<Backfill> running = state.commanded().backfills();
    List<Backfill> rest =
        running.stream().filter(backfill -> !backfill.commandId().equals(commandId)).toList();
    if (rest.size() < running.size()) {
      return replies.executed(state.with(state.commanded().backfilling(rest)));
    }
    return replies.refused(
        state,
        "backfill",
        "no backfill runs that the command %s has ordered; %s"
            .formatted(
                commandId,
                running.isEmpty()
                    ? "none runs"
                    : "running: "
                        + running.stream()
                            .map(Backfill::commandId)
                            .collect(Collectors.joining(", "))),
        running.stream().findFirst().map(Backfill::commandId));
  }

  /**
   * Fires waiting fires.
   *
   * @param oldest of those that wait
   */
  Decision fireManual(ScheduleState state, List<ManualFire> oldest) {
    List<FirePlan> fires = new ArrayList<>();
    for (ManualFire fire : oldest) {
      if (!fires.isEmpty() && !tables.effort().hasReserve()) {
        break;
      }
      Accepted by = usable(state, fire.by(state.current()));
      Timetable table = tables.of(state.id(), by);
      fires.add(FirePlan.triggered(by, fire, table.previous(fire.at()), table.next(fire.at())));
    }
    WaitingFires rest =
        state.commanded().fires().without(oldest.subList(0, fires.size()), state.current());
    return fired(state, state.commanded().withFires(rest), fires, false);
  }

  /** A revision, or the one in force if it no longer compiles. */
  private Accepted usable(ScheduleState state, Accepted by) {
    return tables.canCompile(state.id(), by) ? by : state.current();
  }

  /**
   * Continues the oldest backfill; later ones wait for its end, which is its last fire.
   *
   * @param under the replaced revision that was in force at its command, if any
   * @param limit how many fires at most
   */
  Decision goOn(ScheduleState state, Optional<Accepted> under, int limit, Instant now) {
    List<Backfill> running = state.commanded().backfills();
    if (running.isEmpty()) {
      return Decision.of(state, undecided.pending(state));
    }
    Backfill backfill = running.get(0);
    Accepted by = usable(state, under.orElse(state.current()));
    Timetable table = tables.of(state.id(), by);
    Pace pace = backfill.pace();
    List<Going> going = new ArrayList<>(backfill.goingAt(now));
    int most =
        pace.maxRunning().isPresent()
            ? Math.min(limit, pace.maxRunning().getAsInt() - going.size())
            : limit;
    List<FirePlan> fires = new ArrayList<>();
    Instant decided = state.allDecidedThrough().plusMillis(1);
    Instant end = pace.newestFirst() ? backfill.from() : Instants.earlier(backfill.to(), decided);
    Reached reached = next(by, table, pace, backfill.firedThrough(), end);
    while (reached.next().isPresent() && fires.size() < most) {
      Instant at = reached.next().get().at();
      FirePlan fire =
          FirePlan.backfilled(
              by, reached.next().get(), backfill.commandId(), table.previous(at), table.next(at));
      fires.add(fire);
      if (pace.maxRunning().isPresent()) {
        Run.timeout(by.schedule(), at, fire.previous(), fire.next())
            .ifPresent(timeout -> going.add(new Going(at, timeout, now.plus(timeout))));
      }
      reached =
          tables.effort().hasReserve()
              ? next(by, table, pace, at, end)
              : new Reached(at, Optional.empty(), false);
    }
    boolean isEnd = reached.isEnd() && (pace.newestFirst() || end.equals(backfill.to()));
    Instant through =
        pace.newestFirst() || !reached.isEnd() ? reached.cursor() : end.minusMillis(1);
    Backfill further = backfill.through(through, fires.size(), going);
    boolean reports =
        isEnd || further.fired() / FIRES_BETWEEN_REPORTS > backfill.fired() / FIRES_BETWEEN_REPORTS;
    List<Backfill> rest = new ArrayList<>(running.subList(1, running.size()));
    if (!isEnd) {
      rest.add(0, further);
    }
    return fired(state, state.commanded().backfilling(List.copyOf(rest)), fires, reports);
  }

  /**
   * The result of a search for the next occurrence of a backfill.
   *
   * @param cursor every occurrence up to it has fired or is left out; every one from it on, with
   *     the newest first
   * @param next empty at the end, or when the search must continue
   * @param isEnd true when there is no further occurrence
   */
  private record Reached(Instant cursor, Optional<Occurrence> next, boolean isEnd) {}

  /**
   * The next one to fire.
   *
   * @param end exclusive; with the newest first, inclusive
   */
  private Reached next(Accepted by, Timetable table, Pace pace, Instant cursor, Instant end) {
    return pace.newestFirst() ? previous(by, table, cursor, end) : next(by, table, cursor, end);
  }

  /** The last occurrence before the cursor that the definition does not leave out. */
  private Reached previous(Accepted by, Timetable table, Instant cursor, Instant from) {
    List<Instant> skipList = by.schedule().getSkip();
    Instant since = Instants.later(from.minusMillis(1), by.namesAfter());
    Instant before = cursor;
    Optional<Occurrence> next = namedAfter(table, since, before);
    while (next.isPresent()) {
      Instant at = next.get().at();
      if (!skipList.contains(at) && !table.isLeftOut(at)) {
        return new Reached(before, next, false);
      }
      before = at;
      if (!tables.effort().hasReserve()) {
        return new Reached(before, Optional.empty(), false);
      }
      next = namedAfter(table, since, before);
    }
    return new Reached(before, Optional.empty(), true);
  }

  private static Optional<Occurrence> namedAfter(Timetable table, Instant since, Instant before) {
    return table.namedBefore(before).filter(occurrence -> occurrence.at().isAfter(since));
  }

  /**
   * The first occurrence after the cursor that was due and that the definition does not leave out.
   */
  private Reached next(Accepted by, Timetable table, Instant cursor, Instant to) {
    List<Instant> skipList = by.schedule().getSkip();
    Instant since = by.namesAfter();
    Instant through = Instants.later(cursor, since);
    Optional<Occurrence> next = namedBefore(table, through, to);
    while (next.isPresent()) {
      Instant at = next.get().at();
      if (!skipList.contains(at) && !table.isLeftOut(at)) {
        return new Reached(through, next, false);
      }
      Instant last = table.previous(to).orElseThrow();
      through = undecided.leftOutFrom(table, at, last).last();
      if (!tables.effort().hasReserve()) {
        return new Reached(through, Optional.empty(), false);
      }
      next = namedBefore(table, through, to);
    }
    return new Reached(through, Optional.empty(), true);
  }

  private static Optional<Occurrence> namedBefore(Timetable table, Instant cursor, Instant to) {
    return table.namedAfter(cursor).filter(occurrence -> occurrence.at().isBefore(to));
  }

  private Decision fired(
      ScheduleState state, CommandState commanded, List<FirePlan> fires, boolean reports) {
    ScheduleState after = state.faulted(Optional.empty()).with(commanded);
    Optional<State> status =
        reports || state.fault().isPresent() ? Optional.of(after.life()) : Optional.empty();
    return Decision.of(after, undecided.pending(after)).withFires(fires).withStatus(status);
  }

  private Decision faulted(ScheduleState state, String field) {
    return replies.refused(
        state,
        field,
        "the schedule is FAULTED: " + state.fault().orElse(""),
        "a definition that can be decided");
  }
}
