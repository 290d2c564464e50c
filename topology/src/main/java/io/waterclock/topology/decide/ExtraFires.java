package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fires that commands order beside those of the trigger: single ones, and decided ranges once more.
 * They are outside the account of occurrences, so they decide nothing, and a pause does not hold
 * them.
 *
 * <p>A backfill names what the trigger in force when it fires names, from its cursor on; so it is
 * one cursor, whatever the size of its range, and an edit applies to what is left of it.
 */
final class ExtraFires {
  static final int MAX_WAITING = 1_000;
  static final int MAX_BACKFILLS = 16;
  private static final int FIRES_BETWEEN_REPORTS = 1_000;

  private final Timetables tables;
  private final Undecided undecided;
  private final CommandReplies replies;

  ExtraFires(Timetables tables, Undecided undecided) {
    this.tables = tables;
    this.undecided = undecided;
    this.replies = new CommandReplies(undecided);
  }

  /** Allowed whatever the state of life, but for FAULTED: somebody asks for it now. */
  Decision trigger(ScheduleState state, String commandId, TriggerCommand command, Instant at) {
    if (state.fault().isPresent()) {
      return faulted(state, "trigger");
    }
    List<ManualFire> waiting = state.orders().fires();
    if (waiting.size() >= MAX_WAITING) {
      return replies.refused(
          state,
          "trigger",
          waiting.size() + " ordered fires wait already",
          "the command again, once they have fired");
    }
    long seq = waiting.isEmpty() ? 0 : waiting.get(waiting.size() - 1).seq() + 1;
    ManualFire fire = new ManualFire(seq, commandId, at, Optional.ofNullable(command.getPayload()));
    ScheduleState after =
        state.with(
            state.orders().withFires(Stream.concat(waiting.stream(), Stream.of(fire)).toList()));
    return Decision.ofCommand(after, Verdict.EXECUTED, undecided.pending(after), List.of());
  }

  Decision backfill(ScheduleState state, String commandId, BackfillCommand command) {
    if (state.fault().isPresent()) {
      return faulted(state, "backfill");
    }
    List<Backfill> running = state.orders().backfills();
    if (running.size() >= MAX_BACKFILLS) {
      return replies.refused(
          state,
          "backfill",
          running.size() + " backfills run already, and no more can",
          "cancel_backfill: {\"backfill\": \"" + running.get(0).commandId() + "\"}");
    }
    Instant decided = state.decidedThrough().plusMillis(1);
    Instant to = command.getTo().isBefore(decided) ? command.getTo() : decided;
    Timetable table = tables.of(state.id(), state.current());
    Optional<Instant> first =
        next(state, table, command.getFrom().minusMillis(1), to).map(Occurrence::at);
    if (first.isEmpty()) {
      return replies.refused(
          state,
          "backfill",
          "no decided occurrence lies from "
              + command.getFrom()
              + " to "
              + command.getTo()
              + "; "
              + table
                  .previous(decided)
                  .map(last -> "the last decided one is " + last)
                  .orElse("none is decided yet"),
          table.previous(decided).map(last -> "\"from\": \"" + last + "\""));
    }
    Backfill backfill = new Backfill(commandId, first.get(), to, first.get().minusMillis(1), 0);
    return replies.executed(
        state.with(
            state
                .orders()
                .backfilling(Stream.concat(running.stream(), Stream.of(backfill)).toList())));
  }

  Decision cancel(ScheduleState state, String commandId) {
    List<Backfill> running = state.orders().backfills();
    List<Backfill> rest =
        running.stream().filter(backfill -> !backfill.commandId().equals(commandId)).toList();
    if (rest.size() < running.size()) {
      return replies.executed(state.with(state.orders().backfilling(rest)));
    }
    return replies.refused(
        state,
        "backfill",
        "no backfill runs that the command "
            + commandId
            + " has ordered; "
            + (running.isEmpty()
                ? "none runs"
                : "running: "
                    + running.stream().map(Backfill::commandId).collect(Collectors.joining(", "))),
        running.stream().findFirst().map(Backfill::commandId));
  }

  /**
   * Fires what was ordered first.
   *
   * @param most how many fires
   */
  Decision fireManual(ScheduleState state, int most) {
    List<ManualFire> waiting = state.orders().fires();
    int count = Math.min(most, waiting.size());
    Timetable table = tables.of(state.id(), state.current());
    List<FirePlan> fires =
        waiting.subList(0, count).stream()
            .map(
                fire ->
                    new FirePlan(
                        state.current(),
                        new Occurrence(fire.at(), fire.at()),
                        Cause.TRIGGERED,
                        Optional.empty(),
                        table.previous(fire.at()),
                        table.next(fire.at()),
                        Optional.of(fire)))
            .toList();
    List<ManualFire> rest = List.copyOf(waiting.subList(count, waiting.size()));
    return fired(state, state.orders().withFires(rest), fires, false);
  }

  /**
   * Goes on with the oldest backfill; those after it wait for its end.
   *
   * @param most how many fires
   */
  Decision goOn(ScheduleState state, int most) {
    List<Backfill> running = state.orders().backfills();
    if (running.isEmpty()) {
      return Decision.of(state, undecided.pending(state));
    }
    Backfill backfill = running.get(0);
    Timetable table = tables.of(state.id(), state.current());
    List<FirePlan> fires = new ArrayList<>();
    Instant cursor = backfill.firedThrough();
    Optional<Occurrence> next = next(state, table, cursor, backfill.to());
    while (next.isPresent() && fires.size() < most) {
      cursor = next.get().at();
      fires.add(
          new FirePlan(
              state.current(),
              next.get(),
              Cause.BACKFILL,
              Optional.empty(),
              table.previous(cursor),
              table.next(cursor)));
      next = next(state, table, cursor, backfill.to());
    }
    Backfill further = backfill.through(cursor, fires.size());
    boolean reports =
        next.isEmpty()
            || further.fired() / FIRES_BETWEEN_REPORTS > backfill.fired() / FIRES_BETWEEN_REPORTS;
    List<Backfill> rest = new ArrayList<>(running.subList(1, running.size()));
    if (next.isPresent()) {
      rest.add(0, further);
    }
    return fired(state, state.orders().backfilling(List.copyOf(rest)), fires, reports);
  }

  /** The first occurrence after the cursor that the definition does not leave out. */
  private Optional<Occurrence> next(
      ScheduleState state, Timetable table, Instant cursor, Instant to) {
    List<Instant> skipList = state.current().schedule().getSkip();
    Optional<Occurrence> next = namedBefore(table, cursor, to);
    while (next.isPresent()) {
      Instant at = next.get().at();
      if (!skipList.contains(at) && !table.isLeftOut(at)) {
        return next;
      }
      Instant last = table.previous(to).orElseThrow();
      next = namedBefore(table, undecided.leftOutFrom(table, at, last).last(), to);
    }
    return next;
  }

  private static Optional<Occurrence> namedBefore(Timetable table, Instant cursor, Instant to) {
    return table.namedAfter(cursor).filter(occurrence -> occurrence.at().isBefore(to));
  }

  private Decision fired(
      ScheduleState state, Orders orders, List<FirePlan> fires, boolean reports) {
    ScheduleState after = state.faulted(Optional.empty()).with(orders);
    Optional<State> status =
        reports || state.fault().isPresent() ? Optional.of(after.life()) : Optional.empty();
    return Decision.fired(after, fires, undecided.pending(after), status);
  }

  private Decision faulted(ScheduleState state, String field) {
    return replies.refused(
        state,
        field,
        "the schedule is FAULTED: " + state.fault().orElse(""),
        "a definition that can be decided");
  }
}
