package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.definition.ImportValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.text.Problems;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The decisions about one schedule on one day, written in times of that day. Nothing is decided but
 * by the events given here, so a test says itself when the scheduler was up.
 */
final class Life {
  static final Instant DAY = Instant.parse("2026-03-04T00:00:00Z");
  private static final ScheduleId ID = ScheduleId.parse("a");

  private Decider decider = new Decider(new Timetables(), Duration.ofHours(1));
  private Schedule definition;
  private Optional<ScheduleState> state = Optional.empty();
  private final List<String> fires = new ArrayList<>();
  private final NavigableMap<Long, Accepted> replaced = new TreeMap<>();
  private final List<String> missed = new ArrayList<>();
  private final List<String> alerts = new ArrayList<>();
  private Optional<Decision> last = Optional.empty();
  private Optional<EarlierLives> earlier = Optional.empty();
  private int offset;
  private int records;
  private String partition = "commands-0";

  private Life(Schedule definition) {
    this.definition = definition;
  }

  static Life everyTenMinutes(CatchUp policy) {
    return of(every(10), policy);
  }

  static Life of(Object trigger, CatchUp policy) {
    return new Life(
        Schedule.newBuilder().setTrigger(trigger).setTimezone("UTC").setCatchUp(policy).build());
  }

  static EveryTrigger every(long minutes) {
    return EveryTrigger.newBuilder().setN(minutes).setUnit(Unit.MINUTE).setAnchor(DAY).build();
  }

  static EveryTrigger everyWithoutAnchor(long minutes) {
    return EveryTrigger.newBuilder().setN(minutes).setUnit(Unit.MINUTE).build();
  }

  static OnceTrigger once(String time) {
    return OnceTrigger.newBuilder().setAt(at(time)).build();
  }

  static CronTrigger cron(String expression) {
    return CronTrigger.newBuilder().setExpression(expression).build();
  }

  static Instant at(String time) {
    return DAY.plus(Duration.between(LocalTime.MIDNIGHT, LocalTime.parse(time)));
  }

  Life with(UnaryOperator<Schedule.Builder> change) {
    definition = change.apply(Schedule.newBuilder(definition)).build();
    return this;
  }

  /** So many failed fires in a row are a problem. */
  Life failingAfter(int failures) {
    decider = new Decider(new Timetables(), Duration.ofHours(1), failures);
    return this;
  }

  /** The definition as it stands, read when it was put. */
  Life put(String time) {
    return putLate(time, time);
  }

  /** The definition as it stands, read later than it was put. */
  Life putLate(String timestamp, String now) {
    Event event = new Event.Defined(definition, "r" + offset++, at(timestamp));
    return apply(event, at(now));
  }

  Life edit(String time, UnaryOperator<Schedule.Builder> change) {
    return with(change).put(time);
  }

  Life editLate(String timestamp, String now, UnaryOperator<Schedule.Builder> change) {
    return with(change).putLate(timestamp, now);
  }

  /** An edit by the brokers' time, while the clock of the scheduler is behind. */
  Life editBehind(String time, String clock, UnaryOperator<Schedule.Builder> change) {
    with(change);
    Event event = new Event.Defined(definition, "r" + offset++, at(time)).by(at(clock));
    return apply(event, at(time));
  }

  /** Goes to another scheduler in a file, and is read there. */
  Life move(String time) {
    return move(time, exported -> exported);
  }

  /** The same with the file changed on its way. */
  Life move(String time, UnaryOperator<ExportedState> change) {
    ScheduleState before = state();
    byte[] file =
        RecordCodecs.exportedState()
            .encode(change.apply(ExportedStates.of(before)), WireFormat.JSON);
    ExportedState exported = RecordCodecs.exportedState().decode(file);
    assertThat(ImportValidation.problems("a", before.current().schedule(), exported)).isEmpty();
    Event event =
        new Event.Imported(
            before.current().schedule(), exported, "r" + offset++, before.current().writtenAt());
    state = Optional.empty();
    earlier = Optional.empty();
    return apply(event, at(time));
  }

  /** Is deleted, and comes back from a file that was written before. */
  Life importAfterDelete(ScheduleState exported, String time) {
    Event event =
        new Event.Imported(
            exported.current().schedule(),
            ExportedStates.of(exported),
            "r" + offset++,
            exported.current().writtenAt());
    return apply(event, at(time));
  }

  /** The same file is read once more. */
  Life importAgain(String time) {
    Event event =
        new Event.Imported(
            state().current().schedule(),
            ExportedStates.of(state()),
            "r" + offset++,
            state().current().writtenAt());
    return apply(event, at(time));
  }

  Life deleteLate(String timestamp, String now) {
    return apply(new Event.Deleted(at(timestamp)), at(now));
  }

  /** A command by its action, as {@code "pause": {}}; its id is the time at which it was given. */
  Life command(String time, String action) {
    return commandLate(time, time, action);
  }

  /** A command that is read later than it was given. */
  Life commandLate(String timestamp, String now, String action) {
    String json = "{\"command_id\": \"" + timestamp + "\", " + action + "}";
    Command command = RecordCodecs.command().decode(json.getBytes(StandardCharsets.UTF_8));
    String record = partition + "@" + records++;
    return apply(new Event.Commanded(command, at(timestamp), record), at(now));
  }

  /** The next commands come from another partition. */
  Life from(int strayPartition) {
    partition = "commands-" + strayPartition;
    return this;
  }

  /** What a worker reports of the fire of an occurrence. */
  Life report(String time, String occurrence, OutcomeState outcome) {
    return reportLate(time, time, occurrence, outcome);
  }

  /** A report that is read later than it was written. */
  Life reportLate(String timestamp, String now, String occurrence, OutcomeState outcome) {
    Optional<String> error =
        outcome == OutcomeState.FAILED ? Optional.of("no disk") : Optional.empty();
    return apply(
        new Event.Reported(
            at(occurrence), outcome, Optional.empty(), error, at(timestamp), "outcomes-0@1"),
        at(now));
  }

  /** What a worker reports of the fire of a backfill. */
  Life reportBackfill(String time, String backfill, String occurrence, OutcomeState outcome) {
    return apply(
        new Event.BackfillReported(backfill, at(occurrence), outcome, Optional.empty(), at(time)),
        at(time));
  }

  /** The limiter starts a fire that waited for its limit. */
  Life startsByLimit(String time, String occurrence) {
    return apply(new Event.Waited(at(occurrence), at(time), true), at(time));
  }

  /** The limiter drops a fire that waited for its limit. */
  Life dropsByLimit(String time, String occurrence) {
    return apply(new Event.Waited(at(occurrence), at(time), false), at(time));
  }

  /** A worker reports a failure with this error. */
  Life fails(String time, String occurrence, String error) {
    return apply(
        new Event.Reported(
            at(occurrence),
            OutcomeState.FAILED,
            Optional.empty(),
            Optional.of(error),
            at(time),
            "outcomes-0@1"),
        at(time));
  }

  /** Fires at most so many of what commands have ordered. */
  Life fireManual(String time, int most) {
    WaitingFires waiting = state().commanded().fires();
    List<ManualFire> oldest =
        waiting.added().stream()
            .limit(most)
            .map(
                fire ->
                    fire.seq() < waiting.replacedBefore()
                        ? fire.under(Optional.of(replaced.ceilingEntry(fire.seq()).getValue()))
                        : fire)
            .toList();
    return apply(new Event.ManualDue(oldest), at(time));
  }

  Life goOn(String time, int most) {
    Optional<Accepted> under =
        state().commanded().backfills().stream()
            .findFirst()
            .filter(first -> first.under().isPresent())
            .map(first -> replaced.get(first.under().getAsLong()));
    return apply(new Event.BackfillDue(most, under), at(time));
  }

  /** What the last command was answered. */
  String answer() {
    Decision decision = last();
    return decision.verdict().orElseThrow() + " " + Problems.text(decision.problems());
  }

  /** The occurrences in the answer to the last question. */
  List<String> upcoming() {
    return last().upcoming().stream().map(next -> time(next.at())).toList();
  }

  /** Decides until nothing is due. */
  Life tick(String time) {
    Instant now = at(time);
    while (due().filter(next -> !next.isAfter(now)).isPresent()) {
      apply(new Event.Due(), now);
    }
    return this;
  }

  /** Decides once, while records that were written after an instant are not read yet. */
  Life decideReadThrough(String through, String time) {
    return apply(new Event.Due(at(through)), at(time));
  }

  /** How far a task may decide while records that were written at some instants are not read. */
  static Instant readThrough(Stream<Instant> unread, Instant now) {
    return unread
        .map(written -> written.minusMillis(1))
        .filter(now::isAfter)
        .min(Comparator.naturalOrder())
        .orElse(now);
  }

  /** Whether something is to be decided up to an instant. */
  boolean isDueBy(Instant through) {
    return due().filter(at -> !at.isAfter(through)).isPresent();
  }

  /** Decides once, as far as a chunk goes. */
  Life decideOnce(String time) {
    return apply(new Event.Due(), at(time));
  }

  /** Deciding it fails. */
  Life fail(String time) {
    return apply(new Event.Failed("it cannot be decided"), at(time));
  }

  Life review(String time) {
    return review(time, time);
  }

  /** Checks it when what was written by {@code readThrough} is read. */
  Life review(String readThrough, String time) {
    return apply(new Event.Reviewed(at(readThrough)), at(time));
  }

  private Life apply(Event event, Instant now) {
    Decision decision =
        decider.decide(ID, state, state.isPresent() ? event : event.after(earlier), now);
    decision
        .ended()
        .ifPresent(ended -> earlier = earlier.map(ended::and).or(() -> decision.ended()));
    decision.fires().forEach(fire -> fires.add(line(fire)));
    decision.missed().forEach(range -> missed.add(line(range)));
    decision.alerts().forEach(alert -> alerts.add(line(alert)));
    decision.state().ifPresent(after -> keepReplaced(after.commanded()));
    state = decision.state();
    last = Optional.of(decision);
    return this;
  }

  /** As the store does. */
  private void keepReplaced(CommandState after) {
    replaced.headMap(after.fires().isEmpty() ? 1L << 60 : after.fires().first()).clear();
    int known = state.map(before -> before.commanded().under().size()).orElse(0);
    after.under().stream()
        .skip(known)
        .forEach(under -> replaced.put(under.seq(), under.accepted()));
  }

  /** For example "10:40 CATCH_UP {3 from 10:10} by r1". */
  List<String> fires() {
    return fires;
  }

  /** For example "10:10..10:30 COLLAPSED_INTO 10:40 (3) of r0". */
  List<String> missed() {
    return missed;
  }

  /**
   * For example "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:30 by WORKER", and "RECOVERED ... at 10:40".
   */
  List<String> alerts() {
    return alerts;
  }

  private static String line(AlertPlan alert) {
    return "%s %s %s at %s%s%s"
        .formatted(
            alert.kind(),
            alert.expectation(),
            time(alert.run().occurrence()),
            time(alert.at()),
            alert.kind() == AlertKind.OVERDUE ? " by " + alert.run().fault() : "",
            alert.isWithdrawn() ? " withdrawn" : "");
  }

  private Optional<Instant> due() {
    return state.flatMap(decider::pending).map(Pending::due);
  }

  Optional<Occurrence> pending() {
    return state.flatMap(decider::pending).flatMap(Pending::next);
  }

  /** In a state that other events led to. */
  Life in(ScheduleState other) {
    state = Optional.of(other);
    return this;
  }

  /** When it will next be decided. */
  Optional<String> wakesAt() {
    return due().map(Life::time);
  }

  Optional<String> heldBackSince() {
    return state.flatMap(decider::pending).flatMap(Pending::heldSince).map(Life::time);
  }

  Optional<String> next() {
    return pending().map(next -> time(next.at()));
  }

  ScheduleState state() {
    return state.orElseThrow();
  }

  boolean isGone() {
    return state.isEmpty();
  }

  Decision last() {
    return last.orElseThrow();
  }

  private static String line(FirePlan fire) {
    return time(fire.occurrence().at())
        + " "
        + fire.cause()
        + fire.collapsed().map(c -> " {" + c.count() + " from " + time(c.first()) + "}").orElse("")
        + " by "
        + fire.by().revision();
  }

  private static String line(MissedRange range) {
    return time(range.first())
        + (range.first().equals(range.last()) ? "" : ".." + time(range.last()))
        + " "
        + range.reason()
        + range.why().collapsedInto().map(into -> " " + time(into)).orElse("")
        + (range.count() == 1 ? "" : " (" + range.count() + ")")
        + " of "
        + range.revision();
  }

  static String time(Instant instant) {
    return LocalTime.MIDNIGHT
        .plus(ChronoUnit.MILLIS.between(DAY, instant), ChronoUnit.MILLIS)
        .toString();
  }
}
