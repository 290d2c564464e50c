package io.waterclock.definition;

import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.avro.BackfillRun;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.ExportedExpectation;
import io.waterclock.schemas.avro.ExportedOpenRun;
import io.waterclock.schemas.avro.ExportedRange;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedRun;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.HeldOccurrence;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validates the state in an import: a scheduler must be able to produce it. Then later decisions
 * find no impossible number, instant or order, take no longer than usual, and leave no state that
 * the stores cannot keep; and an import sets no more than commands could.
 *
 * <p>The decision compares the state with the clock. The caller validates the replaced definitions
 * like any other, since their undecided occurrences fire here.
 */
public final class ImportValidation {
  /** Each costs as much as a definition in every decision. */
  private static final int MAX_OLDER = 1_000;

  /** So many steps are enough to read and check the triggers of a state, if not of all. */
  public static final long ENOUGH_STEPS = 10 * Effort.DECISION;

  /** The largest number of reported problems. */
  private static final int MOST_PROBLEMS = 100;

  /** The largest number of open runs of an expectation. */
  public static final int MAX_OPEN = 100;

  /** The largest number of characters of a worker's error that an open run keeps. */
  public static final int LONGEST_ERROR = 200;

  /** What is wrong with replaced definitions that take more than {@link #ENOUGH_STEPS}. */
  public static final String COSTLY =
      "has triggers that take more than "
          + ENOUGH_STEPS
          + " steps to read; import fewer replaced definitions";

  private static final int LONGEST_REVISION = 1_000;
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");
  private static final long MOST_MS = Duration.between(FIRST, LAST).toMillis();
  private static final String INSTANT = "2026-12-24T18:00:00Z";
  private static final String REVISION = "\"waterclock.schedules-3@17\"";

  private final String id;
  private final Schedule definition;
  private final ExportedState state;
  private final Effort effort;
  private final long enough;
  private final List<Problem> problems = new ArrayList<>();

  private ImportValidation(String id, Schedule definition, ExportedState state, Effort effort) {
    this.id = id;
    this.definition = definition;
    this.state = state;
    this.effort = effort;
    this.enough = effort.total() + ENOUGH_STEPS;
  }

  /**
   * The first hundred problems of a state; empty when it is valid. Costs a parse of each trigger.
   *
   * @param definition valid and normalised, like those in the state
   */
  public static List<Problem> problems(String id, Schedule definition, ExportedState state) {
    return problems(id, definition, state, Effort.of(Effort.DECISION));
  }

  /**
   * As above.
   *
   * @param effort counts the steps of reading the triggers
   */
  public static List<Problem> problems(
      String id, Schedule definition, ExportedState state, Effort effort) {
    ImportValidation validation = new ImportValidation(id, definition, state, effort);
    validation.current();
    validation.older();
    validation.carried();
    validation.heldByNothingOlder();
    validation.pause();
    validation.held();
    validation.skips();
    validation.fires();
    validation.backfills();
    validation.run();
    validation.failed();
    validation.failing();
    validation.expecting();
    return List.copyOf(validation.problems);
  }

  private void current() {
    name("revision", state.getRevision());
    instant("written_at", state.getWrittenAt());
    accepted("", revision());
    Schedule head = state.getOlder().isEmpty() ? definition : state.getOlder().get(0).getSchedule();
    cursor("decided_through", state.getDecidedThrough(), head);
    instant("names_after", state.getNamesAfter());
    instant("replay_through", state.getReplayThrough());
    instant("completed_at", state.getCompletedAt());
  }

  private void older() {
    int count = state.getOlder().size();
    if (isTooMany("older", count, MAX_OLDER)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (effort.total() >= enough) {
        add("older", COSTLY, "[]");
        return;
      }
      String path = "older[" + i + "].";
      ExportedRevision revision = state.getOlder().get(i);
      name(path + "revision", revision.getRevision());
      accepted(path, revision);
      Instant replaced =
          i + 1 < count ? state.getOlder().get(i + 1).getEffectiveAt() : state.getEffectiveAt();
      if (revision.getEffectiveAt().isAfter(replaced)) {
        add(
            path + "effective_at",
            revision.getEffectiveAt() + " lies after " + replaced + ", when it was replaced",
            replaced.toString());
      }
    }
  }

  /** The current revision, in the form of the replaced ones. */
  private ExportedRevision revision() {
    return ExportedRevision.newBuilder()
        .setRevision("")
        .setSchedule(definition)
        .setEffectiveAt(state.getEffectiveAt())
        .setOwnsAfter(state.getOwnsAfter())
        .setResolvedAt(state.getResolvedAt())
        .setBoundedBy(state.getBoundedBy())
        .setDueFloor(state.getDueFloor())
        .setOwnedBefore(state.getOwnedBefore())
        .build();
  }

  private void accepted(String path, ExportedRevision revision) {
    Schedule schedule = revision.getSchedule();
    begun(path + "effective_at", revision.getEffectiveAt());
    cursor(path + "owns_after", revision.getOwnsAfter(), schedule);
    if (!Objects.equals(revision.getBoundedBy(), schedule.getEndAt())) {
      instant(path + "bounded_by", revision.getBoundedBy());
    }
    if (revision.getDueFloor() != null && !isOnce(schedule)) {
      add(path + "due_floor", "is for a trigger with a single instant only", "null");
    }
    instant(path + "due_floor", revision.getDueFloor());
    instant(path + "owned_before", revision.getOwnedBefore());
    trigger(path, schedule, Optional.ofNullable(revision.getResolvedAt()));
  }

  /** Compiles the trigger with the values that were resolved at its acceptance. */
  private void trigger(String path, Schedule schedule, Optional<Instant> resolvedAt) {
    if (resolvedAt.isEmpty() && !(schedule.getTrigger() instanceof CronTrigger)) {
      add(path + "resolved_at", "is missing: the anchor, or the single instant", INSTANT);
      return;
    }
    try {
      Triggers.of(id, schedule, Zones.parse(schedule.getTimezone()), resolvedAt, effort);
    } catch (InvalidTriggerException e) {
      boolean isResolved = path.isEmpty() || e.field().equals("anchor") || e.field().equals("at");
      add(path + (isResolved ? "resolved_at" : "schedule." + e.field()), e.problem(), e.example());
    }
  }

  private void carried() {
    for (int i = 0; i < state.getCarried().size(); i++) {
      String path = "carried[" + i + "].";
      ExportedRange range = state.getCarried().get(i);
      name(path + "revision", range.getRevision());
      instant(path + "first", range.getFirst());
      instant(path + "last", range.getLast());
      instant(path + "last_due", range.getLastDue());
      if (range.getLast().isBefore(range.getFirst())) {
        add(
            path + "last",
            range.getLast() + " lies before first, " + range.getFirst(),
            range.getFirst().toString());
      } else {
        beforeLast(path + "before_last", range);
      }
      if (range.getLastDue().isBefore(range.getLast())) {
        add(
            path + "last_due",
            range.getLastDue() + " lies before last, " + range.getLast(),
            range.getLast().toString());
      }
      number(path + "count", range.getCount(), range.getBeforeLast() == null ? 1 : 2);
    }
  }

  private void beforeLast(String field, ExportedRange range) {
    Instant first = range.getFirst();
    Instant last = range.getLast();
    Instant beforeLast = range.getBeforeLast();
    if (beforeLast == null) {
      if (first.isBefore(last)) {
        add(field, "is missing, though first is not last", first.toString());
      }
    } else if (beforeLast.isBefore(first) || !beforeLast.isBefore(last)) {
      add(
          field,
          beforeLast + " does not lie from first, " + first + ", to before last, " + last,
          first.equals(last) ? "null" : first.toString());
    }
  }

  /** A pause writes off the occurrences of replaced definitions. */
  private void heldByNothingOlder() {
    boolean isHeld = state.getPause() != null || !(definition.getEnabled() || state.getResumed());
    if (isHeld && !state.getOlder().isEmpty()) {
      add("older", "is not empty, though the schedule is paused", "[]");
    }
    if (isHeld && !state.getCarried().isEmpty()) {
      add("carried", "is not empty, though the schedule is paused", "[]");
    }
  }

  private void pause() {
    CommandedPause pause = state.getPause();
    if (pause != null) {
      instant("pause.since", pause.getSince());
      text("pause.note", pause.getNote(), CommandValidation.LONGEST_NOTE, "\"deploying 4.2\"");
      text("pause.author", pause.getAuthor(), CommandValidation.LONGEST_AUTHOR, "\"kim\"");
    }
  }

  private void held() {
    HeldOccurrence held = state.getHeld();
    if (held == null) {
      return;
    }
    instant("held.occurrence", held.getOccurrence());
    Collapsed others = held.getCollapsed();
    if (others != null) {
      number("held.collapsed.count", others.getCount(), 1);
      instant("held.collapsed.first", others.getFirst());
      if (others.getFirst().isAfter(held.getOccurrence())) {
        add(
            "held.collapsed.first",
            others.getFirst() + " lies after the occurrence, " + held.getOccurrence(),
            held.getOccurrence().toString());
      }
    }
  }

  private void skips() {
    if (!isTooMany("skips", state.getSkips().size(), CommandValidation.MAX_SKIPS)) {
      instants("skips", state.getSkips());
    }
  }

  private void fires() {
    List<OrderedFire> fires = state.getFires();
    if (isTooMany("fires", fires.size(), CommandValidation.MAX_WAITING_FIRES)) {
      return;
    }
    Set<String> commandIds = new HashSet<>();
    for (int i = 0; i < fires.size(); i++) {
      String path = "fires[" + i + "].";
      commandId(path + "command_id", fires.get(i).getCommandId(), commandIds);
      instant(path + "at", fires.get(i).getAt());
    }
  }

  private void backfills() {
    List<RunningBackfill> backfills = state.getBackfills();
    if (isTooMany("backfills", backfills.size(), CommandValidation.MAX_BACKFILLS)) {
      return;
    }
    Set<String> commandIds = new HashSet<>();
    for (int i = 0; i < backfills.size(); i++) {
      commandId("backfills[" + i + "].command_id", backfills.get(i).getCommandId(), commandIds);
      backfill("backfills[" + i + "].", backfills.get(i));
    }
  }

  private void backfill(String path, RunningBackfill backfill) {
    Instant from = backfill.getFrom();
    Instant to = backfill.getTo();
    Instant firedThrough = backfill.getFiredThrough();
    instant(path + "from", from);
    instant(path + "to", to);
    if (!from.isBefore(to)) {
      add(
          path + "to",
          to + " is not after from, " + from + ", so the range is empty",
          from.plusSeconds(3_600).toString());
    } else if (backfill.getNewestFirst()
        && (firedThrough.isBefore(from) || firedThrough.isAfter(to))) {
      add(
          path + "fired_through",
          firedThrough + " does not lie from from, " + from + ", to to, " + to,
          to.toString());
    } else if (!backfill.getNewestFirst()
        && (firedThrough.isBefore(from.minusMillis(1)) || !firedThrough.isBefore(to))) {
      add(
          path + "fired_through",
          firedThrough + " does not lie from just before from, " + from + ", to before to, " + to,
          from.minusMillis(1).toString());
    }
    number(path + "fired", backfill.getFired(), 0);
    running(path, backfill);
  }

  private void running(String path, RunningBackfill backfill) {
    Integer most = backfill.getMaxRunning();
    if (most != null && (most < 1 || most > CommandValidation.MOST_RUNNING)) {
      add(
          path + "max_running",
          "is " + most + "; 1 to " + CommandValidation.MOST_RUNNING + " are allowed",
          "4");
      return;
    }
    List<BackfillRun> running = backfill.getRunning();
    if (isTooMany(path + "running", running.size(), most == null ? 0 : most)) {
      return;
    }
    for (int i = 0; i < running.size(); i++) {
      String run = path + "running[" + i + "].";
      instant(run + "occurrence", running.get(i).getOccurrence());
      instant(run + "ends_at", running.get(i).getEndsAt());
      number(run + "timeout_ms", running.get(i).getTimeoutMs(), 0);
    }
  }

  private void run() {
    ExportedRun run = state.getRun();
    if (run == null) {
      return;
    }
    instant("run.occurrence", run.getOccurrence());
    instant("run.fired_at", run.getFiredAt());
    instant("run.ends_at", run.getEndsAt());
    number("run.timeout_ms", run.getTimeoutMs(), 0);
    if (run.getEndsAt().isBefore(run.getFiredAt())) {
      add(
          "run.ends_at",
          run.getEndsAt() + " lies before fired_at, " + run.getFiredAt(),
          run.getFiredAt().toString());
    }
  }

  private void failed() {
    Instant after = state.getFailuresAfter();
    instant("failures_after", after);
    if (isTooMany("failed", state.getFailed().size(), Validation.MAX_FAILURES)) {
      return;
    }
    instants("failed", state.getFailed());
    for (int i = 0; after != null && i < state.getFailed().size(); i++) {
      Instant failed = state.getFailed().get(i);
      if (!failed.isAfter(after)) {
        add(
            "failed[" + i + "]",
            failed + " is not after failures_after, " + after,
            after.plusMillis(1).toString());
      }
    }
  }

  private void failing() {
    FailingFires failing = state.getFailing();
    if (failing == null) {
      return;
    }
    instant("failing.since", failing.getSince());
    instant("failing.occurrence", failing.getOccurrence());
    instant("failing.reported_at", failing.getReportedAt());
    number("failing.count", failing.getCount(), 1);
  }

  private void expecting() {
    Set<Expectation> known = new HashSet<>();
    for (int i = 0; i < state.getExpecting().size(); i++) {
      ExportedExpectation each = state.getExpecting().get(i);
      String path = "expecting[" + i + "].";
      if (!known.add(each.getExpectation())) {
        add(path + "expectation", each.getExpectation() + " is there twice", null);
      }
      if (each.getOpen().isEmpty()) {
        add(path + "open", "is empty: leave the element out", "[]");
      }
      if (known.size() < i + 1 || isTooMany(path + "open", each.getOpen().size(), MAX_OPEN)) {
        return;
      }
      for (int j = 0; j < each.getOpen().size(); j++) {
        openRun(path + "open[" + j + "].", each.getOpen().get(j));
      }
      if (each.getOverdue() && each.getOpen().stream().limit(1).allMatch(this::isNotFired)) {
        add(path + "overdue", "is true, though nothing was fired", "false");
      }
    }
  }

  private boolean isNotFired(ExportedOpenRun run) {
    return run.getFiredAt() == null;
  }

  private void openRun(String path, ExportedOpenRun run) {
    instant(path + "occurrence", run.getOccurrence());
    instant(path + "deadline", run.getDeadline());
    instant(path + "fired_at", run.getFiredAt());
    instant(path + "met_at", run.getMetAt());
    instant(path + "seen_at", run.getSeenAt());
    text(path + "error", run.getError(), LONGEST_ERROR, "\"no disk\"");
  }

  private void instants(String field, List<Instant> instants) {
    for (int i = 0; i < instants.size(); i++) {
      instant(field + "[" + i + "]", instants.get(i));
    }
  }

  /**
   * Checks that an instant is in the range of occurrences, or directly beside it, for cursors and
   * ends.
   */
  private void instant(String field, @Nullable Instant at) {
    if (at != null && (at.isBefore(FIRST.minusMillis(1)) || at.isAfter(LAST.plusMillis(1)))) {
      add(field, at + " lies outside the years 0000 to 9999", INSTANT);
    }
  }

  /**
   * Checks that an instant is not before 1970: records are not older, and no occurrence precedes
   * its definition's record.
   */
  private void begun(String field, Instant at) {
    if (at.isBefore(Instant.EPOCH)) {
      add(field, at + " lies before 1970, and so before any definition", INSTANT);
    } else {
      instant(field, at);
    }
  }

  /** As {@link #begun}, except for a single instant, which fires even if it is long past. */
  private void cursor(String field, Instant at, Schedule schedule) {
    if (isOnce(schedule)) {
      instant(field, at);
    } else {
      begun(field, at);
    }
  }

  private static boolean isOnce(Schedule schedule) {
    return schedule.getTrigger() instanceof OnceTrigger;
  }

  private void number(String field, long number, long least) {
    if (number < least || number > MOST_MS) {
      add(
          field,
          "is " + number + "; it must be from " + least + " to " + MOST_MS,
          Long.toString(least));
    }
  }

  private void name(String field, @Nullable String revision) {
    text(field, revision, LONGEST_REVISION, REVISION);
    if (revision != null && revision.isEmpty()) {
      add(field, "is empty", REVISION);
    }
  }

  private void text(String field, @Nullable String text, int most, String example) {
    if (text != null && text.length() > most) {
      add(field, "has " + text.length() + " characters; at most " + most, example);
    }
  }

  private void commandId(String field, String id, Set<String> others) {
    try {
      FireKey.checkCommandId(id);
    } catch (InvalidIdException e) {
      add(field, String.valueOf(e.getMessage()), null); // with an example
      return;
    }
    if (!others.add(id)) {
      add(field, "is there twice, and a command is executed once", "\"" + id + "-2\"");
    }
  }

  private boolean isTooMany(String field, int count, int most) {
    if (count > most) {
      add(field, "has " + count + " elements; at most " + most, "[]");
    }
    return count > most;
  }

  private void add(String field, String message, @Nullable String example) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(Problems.of(HeaderNames.IMPORT + "." + field, message, example));
    }
  }
}
