package io.waterclock.audit;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OverlappedRun;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.json.ScheduleJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** All records of one schedule. Not thread-safe. */
final class Ledger {
  /** What may become of a fire that waits for a limit. */
  private static final Set<MissedReason> WITHDRAWN =
      EnumSet.of(MissedReason.PAUSED, MissedReason.DELETED, MissedReason.EXPIRED);

  private final Map<String, Revision> revisions = new LinkedHashMap<>();
  private final Map<String, List<Missed>> missed = new HashMap<>();
  private final Map<String, Fires> fires = new HashMap<>();
  private final Map<String, Fires> backfilled = new HashMap<>();
  private final Map<String, Set<Instant>> waiting = new HashMap<>();
  private final Map<String, WrongFires> early = new HashMap<>();
  private final Map<String, Set<String>> tzdbs = new HashMap<>();
  private final Map<String, Instant> writtenAt = new HashMap<>();
  private final NavigableSet<Instant> deletes = new TreeSet<>();
  private final NavigableSet<Instant> resumes = new TreeSet<>();
  private final Set<String> imported = new HashSet<>();
  private final Set<String> begunEarlier = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final List<Hold> holds = new ArrayList<>();
  private Optional<Instant> statusKnownSince = Optional.empty();
  private Optional<ScheduleStatus> current = Optional.empty();
  private Optional<AccountState> state = Optional.empty();
  private Optional<Written> ignored = Optional.empty();
  private boolean wasDefined;

  /**
   * A period in which the scheduler decides nothing.
   *
   * @param knownSince the time at which the scheduler knew of it; a later fire is wrong
   * @param until empty while it lasts
   */
  private record Hold(Instant since, Instant knownSince, Optional<Instant> until) {
    boolean isOpen() {
      return until.isEmpty();
    }

    /** The last instant at which a fire did not come after the end of the hold. */
    Instant unknownThrough() {
      return until.filter(knownSince::equals).map(end -> end.minusMillis(1)).orElse(knownSince);
    }

    /** True while the end of a window may lie in it. */
    boolean isOpenAt(Instant through) {
      return until.filter(end -> end.isBefore(through)).isEmpty();
    }
  }

  /** The position of a record, from a revision's name: topic-partition@offset. */
  private record Place(String partition, long offset) {

    /** A text in another form gets its own partition. */
    static Place of(String revision) {
      int at = revision.lastIndexOf('@');
      try {
        return new Place(revision.substring(0, at), Long.parseLong(revision.substring(at + 1)));
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        return new Place(revision, 0);
      }
    }

    boolean isSamePartition(String revision) {
      return partition.equals(of(revision).partition);
    }

    boolean isAtOrAfter(Place other) {
      return partition.equals(other.partition) && offset >= other.offset;
    }
  }

  /** The state, at the end of a window, of a revision with {@code enabled = false}. */
  private enum HoldState {
    RESUMED,
    HELD,
    UNKNOWN
  }

  /** The scheduler writes a revision at its start and at its end; the end is kept. */
  void add(Revision revision) {
    revisions.merge(revision.getRevision(), revision, Ledger::merged);
    tzdbs.computeIfAbsent(revision.getRevision(), name -> new HashSet<>()).add(revision.getTzdb());
  }

  /**
   * The known versions of the time-zone data with which a revision was decided.
   *
   * @param current that of the scheduler which has its partition
   */
  Set<String> tzdbs(Revision revision, Set<String> current) {
    Set<String> all = new TreeSet<>(tzdbs.getOrDefault(revision.getRevision(), Set.of()));
    if (revision.getEndedBy() == null) {
      all.addAll(current);
    }
    return all;
  }

  /** The record of the end has its own time, not that of the acceptance. */
  private static Revision merged(Revision known, Revision written) {
    if (written.getEndedBy() == null) {
      return known;
    }
    return Revision.newBuilder(written).setAcceptedAt(known.getAcceptedAt()).build();
  }

  /** A revision that may have started before its recorded start. */
  void addInForce(Revision revision) {
    revisions.put(revision.getRevision(), revision);
    begunEarlier.add(revision.getRevision());
  }

  /** The part of a window in which an outcome outside the period of a revision is wrong. */
  Window known(Revision revision, Window window) {
    return begunEarlier.contains(revision.getRevision())
        ? window.and(new Window(revision.getOwnsAfter(), Instant.MAX))
        : window;
  }

  void add(Missed range) {
    missed.computeIfAbsent(range.getRevision(), name -> new ArrayList<>()).add(range);
  }

  /**
   * The account ignores fires of commands, but a backfill may only fire occurrences. It may fire
   * one that was missed before its jitter or its calendar made it due.
   *
   * @param latest no existing fire may be due later
   */
  void add(Fire fire, Instant latest) {
    if (fire.getCause() == Cause.TRIGGERED) {
      return;
    }
    boolean isBackfill = fire.getCause() == Cause.BACKFILL;
    (isBackfill ? backfilled : fires)
        .computeIfAbsent(fire.getRevision(), name -> new Fires())
        .add(fire.getOccurrence(), fire.getFiredAt());
    Instant due = isBackfill ? fire.getOccurrence() : latest(fire.getDue(), fire.getOccurrence());
    Instant at = fire.getFiredAt().isBefore(latest) ? fire.getFiredAt() : latest;
    if (at.isBefore(due)) {
      early.merge(
          fire.getRevision(),
          WrongFires.of(fire.getOccurrence(), Duration.between(at, due)),
          WrongFires::and);
    }
  }

  /** A fire that was added and waits for a limit. */
  void addWaiting(Fire fire) {
    waiting.computeIfAbsent(fire.getRevision(), name -> new HashSet<>()).add(fire.getOccurrence());
  }

  boolean waits(String revision, Instant at) {
    return waiting.getOrDefault(revision, Set.of()).contains(at);
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  Optional<WrongFires> early(String revision) {
    return Optional.ofNullable(early.get(revision));
  }

  Fires backfilled(String revision) {
    return backfilled.getOrDefault(revision, new Fires());
  }

  /** A record of the topic schedules, after all records of other topics. */
  void add(Written written) {
    wasDefined |= written.schedule().isPresent();
    if (written.schedule().isEmpty()) {
      deletes.add(written.at());
    } else if (written.isImport()) { // it has the timestamp of the record that it copies
      imported.add(written.revision());
    } else if (revisions.containsKey(written.revision())) {
      writtenAt.put(written.revision(), written.at());
    }
    ignored = Optional.of(written).filter(this::isIgnored);
  }

  /** False if only commands and deletes name the schedule: perhaps it never existed. */
  boolean isOfSchedule() {
    return wasDefined
        || current.isPresent()
        || Stream.of(revisions, missed, fires, backfilled, waiting)
            .anyMatch(records -> !records.isEmpty());
  }

  /** The scheduler has answered the newest record by repeating what is in force. */
  void restated() {
    ignored = Optional.empty();
  }

  /**
   * The newest record of the topic schedules, if it was read and neither took effect nor was
   * refused.
   */
  Optional<Written> ignored() {
    return ignored.filter(written -> !mayBeRefused(written));
  }

  /** The same, if a status that is gone may have said that it was refused. */
  Optional<Written> perhapsRefused() {
    return ignored.filter(this::mayBeRefused);
  }

  /** Only the status of the refusal itself names what was refused. */
  private boolean mayBeRefused(Written written) {
    return written.schedule().isPresent()
        && statusKnownSince.filter(since -> !since.isBefore(written.at())).isPresent();
  }

  private boolean isIgnored(Written written) {
    boolean isPast =
        current.stream()
            .flatMap(status -> Stream.of(status.getRevision(), status.getRejectedRevision()))
            .filter(Objects::nonNull)
            .anyMatch(name -> Place.of(name).isAtOrAfter(Place.of(written.revision())));
    boolean isDecided =
        refused.contains(written.revision()) || revisions.containsKey(written.revision());
    if (!written.wasRead() || isPast || isDecided) {
      return false;
    }
    Optional<String> inForce = currentRevision();
    if (written.schedule().isEmpty()) {
      return inForce.filter(name -> Place.of(name).isSamePartition(written.revision())).isPresent();
    }
    if (inForce.isEmpty()) {
      return true;
    }
    Optional<Revision> known = inForce.map(revisions::get);
    return known.filter(revision -> !saysTheSame(written.schedule().get(), revision)).isPresent();
  }

  /** True for a definition equal to the accepted one after its defaults are applied. */
  private static boolean saysTheSame(Schedule written, Revision revision) {
    Schedule accepted = revision.getSchedule();
    Schedule full = Schedule.newBuilder(written).build();
    ScheduleJson.translate(full);
    if (full.getTimezone() == null) {
      full.setTimezone(accepted.getTimezone());
    }
    full.setSkip(full.getSkip().stream().sorted().distinct().toList());
    full.setExcept(full.getExcept().stream().sorted().distinct().toList());
    full.setOnly(full.getOnly().stream().sorted().distinct().toList());
    return full.equals(accepted);
  }

  void resumed(Instant at) {
    resumes.add(at);
  }

  /**
   * True for a revision with {@code enabled = false} that no command resumed.
   *
   * @param commandsAfter exclusive: the start of the period with all commands known
   */
  boolean isHeldForGood(Revision revision, Instant commandsAfter) {
    Optional<Instant> since =
        Optional.ofNullable(writtenAt.get(revision.getRevision()))
            .map(at -> at.isBefore(revision.getEffectiveAt()) ? at : revision.getEffectiveAt());
    return !revision.getSchedule().getEnabled()
        && !imported.contains(revision.getRevision())
        && !begunEarlier.contains(revision.getRevision())
        && since.filter(at -> at.isAfter(commandsAfter) && resumes.ceiling(at) == null).isPresent();
  }

  /** The records that stop the fires of a revision. */
  List<Stop> stops(Revision revision, Optional<Revision> successor) {
    List<Stop> stops = new ArrayList<>();
    for (Hold hold : holds) {
      if (hold.since().isBefore(hold.knownSince())) {
        stops.add(new Stop("pause", hold.since(), Optional.of(hold.unknownThrough()), false));
      }
    }
    if (revision.getEndedBy() == RevisionEnd.DELETED) {
      Optional.ofNullable(deletes.floor(revision.getEndedAt()))
          .filter(at -> !at.isBefore(revision.getEffectiveAt()))
          .ifPresent(at -> stops.add(new Stop("delete", at, Optional.empty(), false)));
    }
    successor
        .map(next -> writtenAt.get(next.getRevision()))
        .filter(at -> !at.isBefore(revision.getEffectiveAt()))
        .ifPresent(at -> stops.add(new Stop("edit", at, Optional.empty(), true)));
    return stops;
  }

  /** A held schedule decides nothing until it resumes. */
  void add(ScheduleStatus status) {
    statusKnownSince = statusKnownSince.or(() -> Optional.of(status.getSince()));
    Optional.ofNullable(status.getRejectedRevision()).ifPresent(refused::add);
    boolean isHeld = status.getState() == State.PAUSED || status.getState() == State.FAULTED;
    boolean wasHeld = !holds.isEmpty() && holds.get(holds.size() - 1).isOpen();
    Instant since = beginning(status); // a pause may have been written before it was read
    if (wasHeld) {
      Hold last = holds.remove(holds.size() - 1);
      holds.add(
          isHeld
              ? new Hold(
                  since.isBefore(last.since()) ? since : last.since(),
                  last.knownSince(),
                  Optional.empty())
              : new Hold(last.since(), last.knownSince(), Optional.of(status.getSince())));
    } else if (isHeld) {
      holds.add(new Hold(since, status.getSince(), Optional.empty()));
    }
    current = Optional.of(status);
    state = currentRevision().map(name -> state(name).then(status));
  }

  private AccountState state(String revision) {
    return state
        .filter(known -> known.revision().equals(revision))
        .orElseGet(() -> AccountState.of(revision));
  }

  /**
   * True if all statuses since before an instant are known, and none of them says that it was held
   * then. Compaction removes no status after a remaining one.
   */
  boolean wasSurelyActiveAt(Instant at) {
    return statusKnownSince.filter(at::isAfter).isPresent()
        && holds.stream()
            .noneMatch(
                hold ->
                    !hold.since().isAfter(at)
                        && hold.until().filter(end -> end.isBefore(at)).isEmpty());
  }

  private static Instant beginning(ScheduleStatus status) {
    return Optional.ofNullable(status.getPause())
        .map(CommandedPause::getSince)
        .filter(status.getSince()::isAfter)
        .orElse(status.getSince());
  }

  /** A deleted schedule is not held. */
  void statusDeleted() {
    holds.clear();
    statusKnownSince = Optional.empty();
    current = Optional.empty();
    state = Optional.empty();
  }

  /**
   * The instant after which occurrences of a revision may be undecided because the schedule was
   * held. The scheduler decides held occurrences after the hold ends, so the end must lie in the
   * window. A revision with {@code enabled = false} decides nothing before it is resumed, and one
   * that was accepted during a hold decides nothing before the hold ends.
   */
  Optional<Instant> heldSince(Revision revision, Window window) {
    if (revision.getEndedBy() != null) {
      return Optional.empty();
    }
    if (!revision.getSchedule().getEnabled()
        && holdState(revision, window.through()) != HoldState.RESUMED) {
      return Optional.of(revision.getOwnsAfter());
    }
    return openHolds(window)
        .map(
            hold ->
                hold.knownSince().isAfter(revision.getAcceptedAt())
                    ? hold.since()
                    : revision.getOwnsAfter())
        .min(Comparator.naturalOrder());
  }

  /**
   * True for a revision with {@code enabled = false} if it is unknown whether a command resumed it.
   */
  boolean mayBeResumed(Revision revision, Window window) {
    return revision.getEndedBy() == null
        && !revision.getSchedule().getEnabled()
        && holdState(revision, window.through()) == HoldState.UNKNOWN;
  }

  /** The time at which the scheduler knew of the hold that is open at the end of a window. */
  Optional<Instant> knownHeldSince(Window window) {
    return openHolds(window).map(Hold::knownSince).min(Comparator.naturalOrder());
  }

  private Stream<Hold> openHolds(Window window) {
    return holds.stream().filter(hold -> hold.isOpenAt(window.through()));
  }

  private HoldState holdState(Revision revision, Instant through) {
    AccountState known = state(revision.getRevision());
    if (known.isActiveBefore(through)) {
      return HoldState.RESUMED;
    }
    if (known.isSeenFrom(revision.getAcceptedAt())) {
      return HoldState.HELD;
    }
    return hasOutcomeBefore(revision.getRevision(), through)
        ? HoldState.RESUMED
        : HoldState.UNKNOWN;
  }

  /** A revision with {@code enabled = false} has no outcome before it is resumed. */
  private boolean hasOutcomeBefore(String revision, Instant through) {
    return fires(revision).stream().anyMatch(fire -> fire.firedAt().isBefore(through))
        || missed(revision).stream().anyMatch(range -> range.getDecidedAt().isBefore(through));
  }

  /** The status of a revision in force whose own record is gone. */
  Optional<ScheduleStatus> unknownInForce() {
    return current.filter(
        status -> currentRevision().filter(name -> !revisions.containsKey(name)).isPresent());
  }

  private Optional<String> currentRevision() {
    return current.map(ScheduleStatus::getRevision);
  }

  /** The fires that missed ranges name. */
  Set<Fires.Fired> namedFires() {
    Set<Instant> named = new HashSet<>();
    for (List<Missed> ranges : missed.values()) {
      for (Missed range : ranges) {
        Optional.ofNullable(range.getRun()).map(OverlappedRun::getOccurrence).ifPresent(named::add);
        Optional.ofNullable(range.getCollapsedInto()).ifPresent(named::add);
      }
    }
    Set<Fires.Fired> found = new HashSet<>();
    if (!named.isEmpty()) {
      fires.values().stream()
          .flatMap(Fires::stream)
          .filter(fire -> named.contains(fire.at()))
          .forEach(found::add);
    }
    return found;
  }

  /** Whether an occurrence that came to wait for a limit was withdrawn at an instant or later. */
  boolean mayHaveWaited(Instant occurrence, Instant from) {
    return missed.values().stream()
        .flatMap(List::stream)
        .anyMatch(
            range ->
                mayHaveWaited(range)
                    && range.getFirst().equals(occurrence)
                    && !range.getDecidedAt().isBefore(from));
  }

  /** Whether a missed occurrence may be that of a fire which came to wait for a limit. */
  static boolean mayHaveWaited(Missed range) {
    return WITHDRAWN.contains(range.getReason()) && range.getCount() == 1;
  }

  List<Missed> missed(String revision) {
    return missed.getOrDefault(revision, List.of());
  }

  Fires fires(String revision) {
    return fires.getOrDefault(revision, new Fires());
  }

  /** From each definition to the next delete, in the order of their acceptance. */
  List<List<Revision>> lives() {
    List<List<Revision>> lives = new ArrayList<>();
    boolean isOver = true;
    for (Revision revision : revisions.values()) {
      if (isOver) {
        lives.add(new ArrayList<>());
      }
      lives.get(lives.size() - 1).add(revision);
      isOver = revision.getEndedBy() == RevisionEnd.DELETED;
    }
    return lives;
  }

  /** Revisions in force or with outcomes whose own record is gone. */
  List<String> unknown() {
    TreeSet<String> names = new TreeSet<>(missed.keySet());
    names.addAll(fires.keySet());
    currentRevision().ifPresent(names::add);
    names.removeAll(revisions.keySet());
    return List.copyOf(names);
  }
}
