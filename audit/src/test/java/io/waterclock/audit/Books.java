package io.waterclock.audit;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The records of one schedule every 10 s, and what an audit says of them. Occurrences have numbers:
 * 1 is 10 s after the start. All times are such numbers, with fractions between them.
 */
final class Books {
  static final Instant START = Instant.parse("2026-03-04T10:00:00Z");

  private final Audit audit;

  Books() {
    this(new Audit());
  }

  Books(Audit audit) {
    this.audit = audit;
  }

  static Instant at(double number) {
    return START.plusMillis(Math.round(number * 10_000));
  }

  static double number(Instant at) {
    return Duration.between(START, at).toMillis() / 10_000.0;
  }

  static Schedule.Builder everyTenSeconds() {
    return Schedule.newBuilder()
        .setTrigger(EveryTrigger.newBuilder().setN(10).setUnit(Unit.SECOND).build())
        .setCatchUp(CatchUp.SKIP)
        .setGraceMs(0)
        .setTimezone("UTC");
  }

  static Revision.Builder revision(String name, Schedule schedule, double ownsAfter) {
    return Revision.newBuilder()
        .setScheduleId("a")
        .setRevision(name)
        .setSchedule(schedule)
        .setOwnsAfter(at(ownsAfter))
        .setEffectiveAt(at(ownsAfter))
        .setAcceptedAt(at(ownsAfter))
        .setResolvedAt(START)
        .setTzdb("2026a");
  }

  Books add(Revision.Builder revision) {
    audit.add(revision.build());
    return this;
  }

  Books began(String name, double ownsAfter) {
    return add(revision(name, everyTenSeconds().build(), ownsAfter));
  }

  Books beganDisabled(String name, double ownsAfter) {
    return add(revision(name, everyTenSeconds().setEnabled(false).build(), ownsAfter));
  }

  Books ended(String name, double ownsAfter, double through, RevisionEnd by) {
    return add(ending(name, ownsAfter, through, by));
  }

  static Revision.Builder ending(String name, double ownsAfter, double through, RevisionEnd by) {
    return revision(name, everyTenSeconds().build(), ownsAfter)
        .setEndedAt(at(through))
        .setEndedBy(by);
  }

  /** On time, at the first number to the last. */
  Books fired(String revision, int first, int last) {
    IntStream.rangeClosed(first, last).forEach(number -> fired(revision, number));
    return this;
  }

  Books fired(String revision, double number) {
    return fired(revision, number, Cause.SCHEDULED);
  }

  Books fired(String revision, double number, Cause cause) {
    audit.add(fire(revision, number).setCause(cause).build());
    return this;
  }

  Books readAt(double number, String revision, double fired) {
    audit.add(fire(revision, fired).build(), at(number));
    return this;
  }

  Books fired(Fire.Builder fire) {
    audit.add(fire.build());
    return this;
  }

  Books firedLate(String revision, double number, double firedAt) {
    return fired(fire(revision, number).setFiredAt(at(firedAt)));
  }

  static Fire.Builder fire(String revision, double number) {
    return Fire.newBuilder()
        .setFireId("x")
        .setScheduleId("a")
        .setOccurrence(at(number))
        .setDue(at(number))
        .setFiredAt(at(number))
        .setCause(Cause.SCHEDULED)
        .setRevision(revision)
        .setSchedule(everyTenSeconds().build());
  }

  Books missed(String revision, int first, int last, MissedReason reason, int count) {
    audit.add(range(revision, first, last, reason, count).build());
    return this;
  }

  Books missed(Missed.Builder range) {
    audit.add(range.build());
    return this;
  }

  /** Decided as soon as possible; what it names agrees with all records. */
  static Missed.Builder range(
      String revision, int first, int last, MissedReason reason, int count) {
    return Missed.newBuilder()
        .setScheduleId("a")
        .setRevision(revision)
        .setFirst(at(first))
        .setLast(at(last))
        .setCount(count)
        .setReason(reason)
        .setPausedSince(reason == MissedReason.PAUSED ? START : null)
        .setDecidedAt(at(last).plusMillis(1));
  }

  /** Missed for the sake of a fire in time. */
  static Missed.Builder collapsed(String revision, int first, int last, int into) {
    return range(revision, first, last, MissedReason.COLLAPSED_INTO, last - first + 1)
        .setCollapsedInto(at(into))
        .setDecidedAt(at(into));
  }

  Books status(State state, double since) {
    return status(state, "r1", since);
  }

  Books status(State state, @Nullable String revision, double since) {
    audit.add(statusOf(state, revision).setSince(at(since)).build());
    return this;
  }

  Books status(ScheduleStatus.Builder status) {
    audit.add(status.build());
    return this;
  }

  Books pausedByCommand(double since, double stated) {
    return status(
        statusOf(State.PAUSED, "r1")
            .setSince(at(stated))
            .setPause(CommandedPause.newBuilder().setSince(at(since)).build()));
  }

  static ScheduleStatus.Builder statusOf(State state, @Nullable String revision) {
    return ScheduleStatus.newBuilder().setScheduleId("a").setState(state).setRevision(revision);
  }

  Books statusDeleted() {
    audit.statusDeleted("a");
    return this;
  }

  /** A definition in the topic schedules that was read. */
  Books written(String revision, Schedule schedule, double at) {
    audit.add(new Written("a", revision, at(at), Optional.of(schedule), true, false));
    return this;
  }

  /** A definition that an import or a reset has copied, with its timestamp. */
  Books imported(String revision, double at) {
    audit.add(
        new Written("a", revision, at(at), Optional.of(everyTenSeconds().build()), true, true));
    return this;
  }

  Books written(String revision, double at) {
    return written(revision, everyTenSeconds().build(), at);
  }

  /** A tombstone in the topic schedules that was read. */
  Books deleteWritten(String place, double at) {
    audit.add(new Written("a", place, at(at), Optional.empty(), true, false));
    return this;
  }

  Audit audit() {
    return audit;
  }

  Audit.Result result(double through) {
    return audit.of("a", new Window(Instant.MIN, at(through)));
  }

  /** For example "HOLE r1 1..3 neither fired nor missed". */
  List<String> findings(double through) {
    return findings(Instant.MIN, through);
  }

  List<String> findings(Instant after, double through) {
    return audit.of("a", new Window(after, at(through))).accounts().stream()
        .flatMap(account -> account.findings().stream())
        .map(Books::line)
        .toList();
  }

  /** The reasons for which something cannot be proved. */
  List<String> unproven(double through) {
    return result(through).unproven().stream().map(Audit.Unproven::reason).toList();
  }

  List<String> unproven(double through, Set<String> tzdbs) {
    return audit.of("a", new Window(Instant.MIN, at(through)), tzdbs).unproven().stream()
        .map(Audit.Unproven::reason)
        .toList();
  }

  /** What is said of the newest record of the topic schedules. */
  List<String> ignored() {
    return result(9).ignored().stream().map(Books::line).toList();
  }

  static String line(Finding found) {
    return String.join(
        " ",
        found.kind().toString(),
        found.revision(),
        text(number(found.first())) + ".." + text(number(found.last())),
        found.detail());
  }

  private static String text(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
