package io.waterclock.decide.model;

import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.BackfillRun;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ExportedExpectation;
import io.waterclock.schemas.avro.ExportedOpenRun;
import io.waterclock.schemas.avro.ExportedRange;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedRun;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.HeldOccurrence;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts states to the Avro records of exports and of the stores, and back. These records have
 * everything except a fault: the stores keep it beside them, and an importing scheduler tries
 * again.
 */
public final class ExportedStates {
  private ExportedStates() {}

  /**
   * The exported state of a schedule, without its definition.
   *
   * @param state with all its waiting fires in memory
   */
  public static ExportedState of(ScheduleState state) {
    Accepted current = state.current();
    WaitingFires fires = state.commanded().fires();
    if (fires.added().size() < fires.size()) {
      throw new IllegalArgumentException("waiting fires of " + state.id() + " are not in memory");
    }
    return progressOf(state)
        .setRevision(current.revision())
        .setNamesAfter(current.namesAfter())
        .setResolvedAt(current.resolvedAt().orElse(null))
        .setBoundedBy(current.boundedBy().orElse(null))
        .setDueFloor(current.dueFloor().orElse(null))
        .setOwnedBefore(current.ownedBefore().orElse(null))
        .setCompletedAt(state.completedAt().orElse(null))
        .setFires(fires.added().stream().map(ExportedStates::of).toList())
        .setOlder(state.older().stream().map(ExportedStates::of).toList())
        .setCarried(state.carried().stream().map(ExportedStates::of).toList())
        .build();
  }

  /**
   * The same without the definition's optional values, replaced revisions, carried occurrences and
   * waiting fires, which the stores keep elsewhere. {@link #state} reads it.
   */
  public static ExportedState progress(ScheduleState state) {
    return progressOf(state).build();
  }

  private static ExportedState.Builder progressOf(ScheduleState state) {
    Accepted current = state.current();
    CommandState commanded = state.commanded();
    Failures failures = state.runs().failures();
    return ExportedState.newBuilder()
        .setRevision(null)
        .setWrittenAt(current.writtenAt())
        .setEffectiveAt(current.effectiveAt())
        .setOwnsAfter(current.ownsAfter())
        .setDecidedThrough(state.decidedThrough())
        .setReplayThrough(state.replayThrough().orElse(null))
        .setPause(commanded.pause().map(ExportedStates::of).orElse(null))
        .setResumed(commanded.resumed())
        .setHeld(commanded.held().map(ExportedStates::of).orElse(null))
        .setSkips(commanded.skips())
        .setFires(List.of())
        .setBackfills(commanded.backfills().stream().map(ExportedStates::of).toList())
        .setOlder(List.of())
        .setCarried(List.of())
        .setRun(state.runs().latest().map(ExportedStates::of).orElse(null))
        .setFailuresAfter(failures.after().orElse(null))
        .setFailed(failures.failed())
        .setPauseWrittenAt(commanded.pause().map(it -> it.written().at()).orElse(null))
        .setPauseRecord(commanded.pause().map(it -> it.written().record()).orElse(null))
        .setPauseFoundWork(commanded.pause().map(Pause::foundWork).orElse(false))
        .setRunDueAt(state.runs().latest().map(Run::due).orElse(null))
        .setHeldOrderedAt(commanded.held().map(ResumeFire::orderedAt).orElse(null))
        .setFailing(failures.failing().map(ExportedStates::of).orElse(null))
        .setExpecting(state.runs().watches().all().stream().map(ExportedStates::of).toList());
  }

  /**
   * The same with everything up to an instant decided, as nothing else shows the progress since the
   * export; also for a paused or complete schedule, which may have fired since.
   *
   * @param through inclusive
   */
  public static ExportedState decidedThrough(ExportedState exported, Instant through) {
    if (!through.isAfter(exported.getDecidedThrough())) {
      return exported;
    }
    List<ExportedRevision> older = new ArrayList<>(exported.getOlder());
    while (!older.isEmpty()
        && !(older.size() > 1 ? older.get(1).getEffectiveAt() : exported.getEffectiveAt())
            .isAfter(through)) {
      older.remove(0);
    }
    Instant replay = exported.getReplayThrough();
    HeldOccurrence held = exported.getHeld();
    return ExportedState.newBuilder(exported)
        .setDecidedThrough(through)
        .setOlder(older)
        .setCarried(List.of())
        .setReplayThrough(replay != null && replay.isAfter(through) ? replay : null)
        .setHeld(held != null && held.getOccurrence().isAfter(through) ? held : null)
        .setSkips(exported.getSkips().stream().filter(at -> at.isAfter(through)).toList())
        .setRun(null)
        .setRunDueAt(null)
        .build();
  }

  /**
   * The same without instants after {@code now}, which come from a clock that was ahead, and
   * without offsets of another cluster. The progress stays.
   *
   * @param now inclusive
   */
  public static ExportedState notAfter(ExportedState exported, Instant now) {
    Instant namesAfter = exported.getNamesAfter();
    Instant ownedBefore = exported.getOwnedBefore();
    Instant completedAt = exported.getCompletedAt();
    CommandedPause pause = exported.getPause();
    Instant pauseWrittenAt = exported.getPauseWrittenAt();
    return ExportedState.newBuilder(exported)
        .setEffectiveAt(Instants.earlier(exported.getEffectiveAt(), now))
        .setOwnsAfter(Instants.earlier(exported.getOwnsAfter(), now))
        .setNamesAfter(namesAfter == null ? null : Instants.earlier(namesAfter, now))
        .setOwnedBefore(ownedBefore == null ? null : Instants.earlier(ownedBefore, now))
        .setCompletedAt(completedAt == null ? null : Instants.earlier(completedAt, now))
        .setPause(pause == null ? null : notAfter(pause, now))
        .setPauseWrittenAt(pauseWrittenAt == null ? null : Instants.earlier(pauseWrittenAt, now))
        .setPauseRecord(null)
        .setOlder(
            exported.getOlder().stream()
                .map(
                    older ->
                        ExportedRevision.newBuilder(older)
                            .setEffectiveAt(Instants.earlier(older.getEffectiveAt(), now))
                            .setOwnsAfter(Instants.earlier(older.getOwnsAfter(), now))
                            .build())
                .toList())
        .build();
  }

  private static CommandedPause notAfter(CommandedPause pause, Instant now) {
    return CommandedPause.newBuilder(pause)
        .setSince(Instants.earlier(pause.getSince(), now))
        .build();
  }

  /**
   * The revision as in the exporting scheduler.
   *
   * @param revision its name
   * @param writtenAt the timestamp of the newest record with this definition
   */
  public static Accepted accepted(
      Schedule schedule, ExportedState state, String revision, Instant writtenAt) {
    return new Accepted(
        ScheduleSnapshot.of(schedule),
        revision,
        state.getEffectiveAt(),
        state.getOwnsAfter(),
        state.getNamesAfter() == null ? state.getOwnsAfter() : state.getNamesAfter(),
        Optional.ofNullable(state.getResolvedAt()),
        Optional.ofNullable(state.getBoundedBy()),
        Optional.ofNullable(state.getDueFloor()),
        Optional.ofNullable(state.getOwnedBefore()),
        writtenAt,
        Past.NONE);
  }

  /**
   * The state of a schedule.
   *
   * @param current the revision in force; its values in the record are ignored
   */
  public static ScheduleState state(ScheduleId id, Accepted current, ExportedState exported) {
    List<CarriedOccurrences> carried =
        IntStream.range(0, exported.getCarried().size())
            .mapToObj(i -> carried(i, exported.getCarried().get(i)))
            .toList();
    List<ReplacedRevision> older =
        IntStream.range(0, exported.getOlder().size())
            .mapToObj(
                i ->
                    older(
                        carried.size() + i * ScheduleState.SEQ_STRIDE, exported.getOlder().get(i)))
            .toList();
    return new ScheduleState(
        id,
        current,
        exported.getDecidedThrough(),
        carried,
        older,
        Optional.ofNullable(exported.getReplayThrough()),
        Optional.empty(),
        Optional.ofNullable(exported.getCompletedAt()),
        commanded(current, exported),
        runs(exported));
  }

  private static Runs runs(ExportedState exported) {
    return new Runs(
        Optional.ofNullable(exported.getRun())
            .map(
                run ->
                    new Run(
                        run.getOccurrence(),
                        Optional.ofNullable(exported.getRunDueAt()).orElse(run.getOccurrence()),
                        run.getFiredAt(),
                        Duration.ofMillis(run.getTimeoutMs()),
                        run.getEndsAt(),
                        run.getEnded())),
        new Failures(
            Optional.ofNullable(exported.getFailuresAfter()),
            exported.getFailed().stream().sorted().distinct().toList(),
            Optional.ofNullable(exported.getFailing()).map(ExportedStates::failing)),
        exported.getExpecting().isEmpty()
            ? Watches.NONE
            : new Watches(exported.getExpecting().stream().map(ExportedStates::watch).toList()));
  }

  private static ExportedExpectation of(Watch watch) {
    return new ExportedExpectation(
        watch.expectation(),
        watch.open().stream().map(ExportedStates::of).toList(),
        watch.isOverdue());
  }

  private static ExportedOpenRun of(OpenRun run) {
    return new ExportedOpenRun(
        run.occurrence(),
        run.deadline(),
        run.firedAt().orElse(null),
        run.metAt().orElse(null),
        run.report().map(OpenRun.Report::state).orElse(null),
        run.report().map(OpenRun.Report::at).orElse(null),
        run.report().flatMap(OpenRun.Report::error).orElse(null));
  }

  private static Watch watch(ExportedExpectation exported) {
    return new Watch(
        exported.getExpectation(),
        exported.getOpen().stream().map(ExportedStates::openRun).toList(),
        exported.getOverdue());
  }

  private static OpenRun openRun(ExportedOpenRun run) {
    OutcomeState seen = run.getSeen();
    Instant seenAt = run.getSeenAt();
    return new OpenRun(
        run.getOccurrence(),
        run.getDeadline(),
        Optional.ofNullable(run.getFiredAt()),
        Optional.ofNullable(run.getMetAt()),
        seen == null || seenAt == null
            ? Optional.empty()
            : Optional.of(new OpenRun.Report(seen, seenAt, Optional.ofNullable(run.getError()))));
  }

  /** That a schedule's fires fail. */
  public static FailingFires of(Failing failing) {
    return new FailingFires(
        failing.since(),
        failing.count(),
        failing.occurrence(),
        failing.reportedAt(),
        failing.error().orElse(null));
  }

  private static Failing failing(FailingFires failing) {
    return new Failing(
        failing.getSince(),
        failing.getCount(),
        failing.getOccurrence(),
        failing.getReportedAt(),
        Optional.ofNullable(failing.getError()));
  }

  private static ExportedRun of(Run run) {
    return new ExportedRun(
        run.at(), run.firedAt(), run.timeout().toMillis(), run.endsAt(), run.ended());
  }

  private static CommandState commanded(Accepted current, ExportedState exported) {
    return new CommandState(
        Optional.ofNullable(exported.getPause())
            .map(
                pause ->
                    new Pause(
                        pause.getSince(),
                        new Written(
                            Optional.ofNullable(exported.getPauseWrittenAt())
                                .orElse(pause.getSince()),
                            Optional.ofNullable(exported.getPauseRecord()).orElse("")),
                        Optional.ofNullable(pause.getNote()),
                        Optional.ofNullable(pause.getAuthor()),
                        exported.getPauseFoundWork())),
        exported.getResumed(),
        Optional.ofNullable(exported.getHeld())
            .map(held -> held(held, exported.getHeldOrderedAt())),
        exported.getSkips().stream().sorted().distinct().toList(),
        WaitingFires.of(
            IntStream.range(0, exported.getFires().size())
                .mapToObj(i -> fire(i, exported.getFires().get(i)))
                .toList(),
            current),
        exported.getBackfills().stream()
            .map(
                running ->
                    new Backfill(
                        running.getCommandId(),
                        running.getFrom(),
                        running.getTo(),
                        new Backfill.Pace(running.getNewestFirst(), most(running)),
                        running.getFiredThrough(),
                        running.getFired(),
                        OptionalLong.empty(),
                        running.getRunning().stream().map(ExportedStates::going).toList()))
            .toList(),
        List.of());
  }

  /** A pause by a command. */
  public static CommandedPause of(Pause pause) {
    return new CommandedPause(
        pause.since(), pause.note().orElse(null), pause.author().orElse(null));
  }

  private static HeldOccurrence of(ResumeFire held) {
    return new HeldOccurrence(
        held.at(),
        held.others()
            .map(others -> new Collapsed(others.count(), !others.exact(), others.first()))
            .orElse(null));
  }

  private static ResumeFire held(HeldOccurrence held, @Nullable Instant orderedAt) {
    return new ResumeFire(
        held.getOccurrence(),
        Optional.ofNullable(orderedAt).orElse(held.getOccurrence()),
        Optional.ofNullable(held.getCollapsed())
            .map(
                others ->
                    new FirePlan.CollapsedRange(
                        others.getCount(), !others.getCountIsLowerBound(), others.getFirst())));
  }

  /** A waiting fire, without its place in the order. */
  public static OrderedFire of(ManualFire fire) {
    return new OrderedFire(fire.commandId(), fire.at(), fire.payload().orElse(null));
  }

  /** A waiting fire with its place in the order. */
  public static ManualFire fire(long seq, OrderedFire fire) {
    return new ManualFire(
        seq, fire.getCommandId(), fire.getAt(), Optional.ofNullable(fire.getPayload()));
  }

  /** A backfill that runs. */
  public static RunningBackfill of(Backfill backfill) {
    return new RunningBackfill(
        backfill.commandId(),
        backfill.from(),
        backfill.to(),
        backfill.firedThrough(),
        backfill.fired(),
        backfill.pace().newestFirst(),
        backfill.pace().maxRunning().isPresent() ? backfill.pace().maxRunning().getAsInt() : null,
        backfill.going().stream()
            .map(run -> new BackfillRun(run.at(), run.timeout().toMillis(), run.endsAt()))
            .toList());
  }

  private static OptionalInt most(RunningBackfill running) {
    Integer most = running.getMaxRunning();
    return most == null ? OptionalInt.empty() : OptionalInt.of(most);
  }

  private static Backfill.Going going(BackfillRun run) {
    return new Backfill.Going(
        run.getOccurrence(), Duration.ofMillis(run.getTimeoutMs()), run.getEndsAt());
  }

  private static ExportedRevision of(ReplacedRevision older) {
    Accepted accepted = older.accepted();
    return ExportedRevision.newBuilder()
        .setRevision(accepted.revision())
        .setSchedule(accepted.schedule())
        .setEffectiveAt(accepted.effectiveAt())
        .setOwnsAfter(accepted.ownsAfter())
        .setResolvedAt(accepted.resolvedAt().orElse(null))
        .setBoundedBy(accepted.boundedBy().orElse(null))
        .setDueFloor(accepted.dueFloor().orElse(null))
        .setOwnedBefore(accepted.ownedBefore().orElse(null))
        .build();
  }

  private static ReplacedRevision older(long seq, ExportedRevision older) {
    return new ReplacedRevision(
        seq,
        new Accepted(
            ScheduleSnapshot.of(older.getSchedule()),
            older.getRevision(),
            older.getEffectiveAt(),
            older.getOwnsAfter(),
            older.getOwnsAfter(),
            Optional.ofNullable(older.getResolvedAt()),
            Optional.ofNullable(older.getBoundedBy()),
            Optional.ofNullable(older.getDueFloor()),
            Optional.ofNullable(older.getOwnedBefore()),
            older.getEffectiveAt(),
            Past.NONE));
  }

  /** Carried occurrences, without their place in the order. */
  public static ExportedRange of(CarriedOccurrences carried) {
    return ExportedRange.newBuilder()
        .setRevision(carried.revision())
        .setFirst(carried.first())
        .setLast(carried.last().at())
        .setLastDue(carried.last().due())
        .setBeforeLast(carried.beforeLast().orElse(null))
        .setCount(carried.count())
        .setCountIsLowerBound(!carried.exact())
        .setCollapses(carried.collapses())
        .build();
  }

  /** Carried occurrences with their place in the order. */
  public static CarriedOccurrences carried(long seq, ExportedRange range) {
    return new CarriedOccurrences(
        seq,
        range.getRevision(),
        range.getFirst(),
        new Occurrence(range.getLast(), range.getLastDue()),
        Optional.ofNullable(range.getBeforeLast()),
        range.getCount(),
        !range.getCountIsLowerBound(),
        range.getCollapses());
  }
}
