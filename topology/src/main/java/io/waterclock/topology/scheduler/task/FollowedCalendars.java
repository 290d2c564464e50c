package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.admit.TakenOffsets;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.MovingSchedules;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.store.CalendarStore;
import io.waterclock.topology.scheduler.store.KnownCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Makes a task follow the calendars.
 *
 * <p>Idea: a change takes effect at its record's timestamp, but never before the position, because
 * occurrences up to the position are decided. So a change moves only undecided occurrences. The
 * task stores each version with the instant at which it takes effect, in the transaction in which
 * it first decides by it. A version may make an occurrence due earlier than its queue entry says,
 * and the position would then pass it. So after a change the task decides nothing until it has
 * queued all schedules that move occurrences again, a slice at a time.
 *
 * <p>Versions stay in the store, and the task loads them when an undecided occurrence needs them.
 * Without a change a call compares two references, and with one, two for each name. The task
 * compares bytes to find whether a calendar that it reads again is another one.
 *
 * <p>Bounds: of each calendar, {@link #KEPT}, 1,000 versions and 64 MiB; 1,000 deleted calendars.
 * The feed bounds those that exist.
 */
final class FollowedCalendars {
  private static final Logger LOG = SafeLogger.of(FollowedCalendars.class);

  /**
   * How long a version is kept after its successor takes effect. This is longer than an occurrence
   * can move: a younger version cannot make an occurrence due again that such an old version has
   * decided.
   */
  static final Duration KEPT = Duration.ofDays(400);

  private static final int SLICE = 128;
  private static final int MAX_VERSIONS = 1_000;

  /** Inclusive: of the versions of a calendar. The newest is kept in any case. */
  private static final long MAX_BYTES = 64 << 20;

  /** Inclusive. */
  static final int MAX_DELETED = 1_000;

  private final Applier applier;
  private final Placement placement;
  private final Timetables tables;
  private final MovingSchedules moving;
  private final OutgoingRecords records;
  private final Counts counts;
  private final CalendarFeed feed;
  private final CalendarStore stored;
  private final QueueLoader loader;
  private final TickBudget budget;
  private final boolean sendsRefused;
  private final TakenOffsets reported;
  private final ArrayDeque<ScheduleId> toRequeue = new ArrayDeque<>();
  private final Map<String, List<KnownCalendar>> known;
  private CalendarFeed.Seen seen = CalendarFeed.Seen.NOTHING;
  private boolean tombstonesMayBeGone;

  /** True when a calendar that the task does not know yet is a new one. */
  private boolean knowsAll;

  FollowedCalendars(TaskContext task, CalendarFeed feed, TickBudget budget, QueueLoader loader) {
    this.applier = task.applier();
    this.placement = task.partition().placement();
    this.tables = task.encoder().tables();
    this.moving = task.partition().placement().queues().moving();
    this.records = task.encoder().records();
    this.counts = task.partition().counts();
    this.feed = feed;
    this.stored = task.partition().stores().calendars();
    this.loader = loader;
    this.budget = budget;
    this.sendsRefused = task.partition().number() == 0;
    this.reported =
        new TakenOffsets(
            task.settings().channels().topics().calendars(), task.partition().stores().strays());
    this.known = new HashMap<>(stored.known());
    this.knowsAll = task.partition().stores().progress().position().isPresent();
    tables.follow(tables.calendars().loading(versions(known)));
  }

  /**
   * Notes that the partition was last decided so long ago that the topic may have lost the
   * tombstone of a calendar.
   */
  void tombstonesMayBeGone() {
    tombstonesMayBeGone = true;
    knowsAll = false;
  }

  /** Adopts new changes. */
  @SuppressWarnings("ReferenceEquality") // the feed replaces its content and never changes it
  void follow(Instant now) {
    feed.retry();
    CalendarFeed.Seen latest = feed.seen();
    if (latest == seen && !tombstonesMayBeGone) {
      knowsAll = true;
      return;
    }
    Map<String, List<KnownCalendar>> changed = new HashMap<>();
    latest
        .changes()
        .forEach(
            (name, changes) -> {
              if (seen.changes().get(name) != changes) {
                adopt(name, changes, now, changed);
              }
            });
    seen = latest;
    knowsAll = true;
    if (tombstonesMayBeGone) {
      tombstonesMayBeGone = false;
      deleteOthers(latest, now, changed);
    }
    if (!changed.isEmpty()) {
      known.putAll(changed);
      forgetDeleted(changed);
      known.values().removeIf(List::isEmpty);
      tables.follow(tables.calendars().loading(versions(changed)));
      toRequeue.clear();
      toRequeue.addAll(moving.ids());
    }
    if (sendsRefused) {
      sendRefused(latest.refused(), now);
    }
  }

  /**
   * Queues schedules again until all are queued or the budget of a tick is spent.
   *
   * @return true when every schedule is queued by the latest calendars, so that the task may decide
   */
  boolean settle(Instant now) {
    if (toRequeue.isEmpty()) {
      return true;
    }
    budget.start();
    do {
      for (int i = 0; i < SLICE && !toRequeue.isEmpty() && !budget.isSpentEarly(); i++) {
        loader.requeue(toRequeue.remove(), now);
      }
    } while (!toRequeue.isEmpty() && !budget.isSpentNow());
    return toRequeue.isEmpty();
  }

  private void adopt(
      String name,
      List<CalendarFeed.Change> changes,
      Instant now,
      Map<String, List<KnownCalendar>> changed) {
    for (CalendarFeed.Change change : changes) {
      List<KnownCalendar> rows = rows(name, changed);
      Optional<KnownCalendar> last =
          rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(rows.size() - 1));
      if (last.isEmpty()) {
        Instant created = change.writtenAt().isBefore(now) ? change.writtenAt() : now;
        add(name, rows, change, Optional.of(created).filter(at -> knowsAll), changed);
      } else if (isNewer(change, last.get()) && !isEqual(name, change, last.get())) {
        add(name, rows, change, Optional.of(effectiveAt(change, last.get(), now)), changed);
      }
    }
  }

  /**
   * Offsets ascend with time. In a topic that was created again they begin anew, and only the
   * timestamp shows which is newer.
   */
  private static boolean isNewer(CalendarFeed.Change change, KnownCalendar last) {
    return change.offset() > last.offset() || change.writtenAt().isAfter(last.writtenAt());
  }

  private boolean isEqual(String name, CalendarFeed.Change change, KnownCalendar last) {
    return stored.isEqual(name, last.seq(), change.body());
  }

  private Instant effectiveAt(CalendarFeed.Change change, KnownCalendar last, Instant now) {
    Instant at = change.writtenAt().isBefore(now) ? change.writtenAt() : now;
    Instant decided = Instant.ofEpochMilli(placement.position().dueMs());
    Instant notBefore = last.effectiveAt().filter(decided::isBefore).orElse(decided);
    return at.isBefore(notBefore) ? notBefore : at;
  }

  private void add(
      String name,
      List<KnownCalendar> rows,
      CalendarFeed.Change change,
      Optional<Instant> effectiveAt,
      Map<String, List<KnownCalendar>> changed) {
    CalendarVersion version =
        new CalendarVersion(change.offset(), change.writtenAt(), effectiveAt, change.calendar());
    List<KnownCalendar> kept = new ArrayList<>(rows);
    long seq = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).seq() + 1;
    CalendarStore.Row row = new CalendarStore.Row(seq, version);
    applier.apply(new Effect.PutCalendar(name, row));
    kept.add(stored.known(name, seq));
    while (kept.size() > 1 && isOver(kept)) {
      applier.apply(new Effect.DeleteCalendar(name, kept.remove(0).seq()));
    }
    changed.put(name, kept);
    LOG.info(
        "Calendar {} {}: takes effect {}",
        name,
        version.calendar().isEmpty() ? "is deleted" : "is as of offset " + change.offset(),
        effectiveAt.map(at -> "for occurrences after " + at).orElse("for all occurrences"));
  }

  /** True when no undecided occurrence can need the oldest version. */
  private boolean isOver(List<KnownCalendar> rows) {
    Instant successor = rows.get(1).effectiveAt().orElseThrow();
    Instant decided = Instant.ofEpochMilli(placement.position().dueMs());
    return rows.size() > MAX_VERSIONS
        || rows.stream().mapToLong(KnownCalendar::bytes).sum() > MAX_BYTES
        || successor.plus(KEPT).isBefore(decided);
  }

  /** Forgets the calendars that were deleted first if there are too many deleted ones. */
  private void forgetDeleted(Map<String, List<KnownCalendar>> changed) {
    List<String> deleted =
        known.keySet().stream()
            .filter(name -> last(name).deleted())
            .sorted(Comparator.comparing(name -> last(name).writtenAt()))
            .toList();
    for (String name : deleted.subList(0, Math.max(0, deleted.size() - MAX_DELETED))) {
      known
          .getOrDefault(name, List.of())
          .forEach(row -> applier.apply(new Effect.DeleteCalendar(name, row.seq())));
      known.put(name, List.of());
      changed.put(name, List.of());
    }
  }

  private KnownCalendar last(String name) {
    List<KnownCalendar> rows = known.getOrDefault(name, List.of());
    return rows.get(rows.size() - 1);
  }

  private void deleteOthers(
      CalendarFeed.Seen latest, Instant now, Map<String, List<KnownCalendar>> changed) {
    known.forEach(
        (name, rows) -> {
          KnownCalendar last = rows.get(rows.size() - 1);
          if (!latest.mayHave(name) && !last.deleted()) {
            CalendarFeed.Change gone =
                new CalendarFeed.Change(last.offset(), now, Optional.empty());
            add(name, rows, gone, Optional.of(effectiveAt(gone, last, now)), changed);
          }
        });
  }

  /**
   * When the calendar began to exist, or ended; empty if it may have been so always: the task has
   * found this version, or has dropped those before it.
   */
  private static Optional<Instant> namedFrom(KnownCalendar row, boolean isFirst) {
    return isFirst && row.seq() > 0
        ? Optional.empty()
        : row.effectiveAt().map(at -> row.writtenAt());
  }

  private void sendRefused(List<CalendarFeed.Refused> refused, Instant now) {
    for (CalendarFeed.Refused record : refused) {
      if (reported.takesFirst(record.inbound())) {
        Outgoing letter = records.dead(record.inbound(), record.reason(), now);
        applier.apply(new Effect.Send(letter));
        counts.rejected(InputTopic.CALENDARS);
      }
    }
    applier.apply(reported.save());
  }

  private List<KnownCalendar> rows(String name, Map<String, List<KnownCalendar>> changed) {
    return changed.getOrDefault(name, known.getOrDefault(name, List.of()));
  }

  private Map<String, List<Calendars.Loadable>> versions(Map<String, List<KnownCalendar>> rows) {
    Map<String, List<Calendars.Loadable>> versions = new HashMap<>();
    rows.forEach(
        (name, list) ->
            versions.put(
                name,
                list.stream()
                    .map(
                        row ->
                            new Calendars.Loadable(
                                row.effectiveAt(),
                                namedFrom(row, row.equals(list.get(0))),
                                row.deleted(),
                                () -> stored.calendar(name, row.seq())))
                    .toList()));
    return versions;
  }
}
