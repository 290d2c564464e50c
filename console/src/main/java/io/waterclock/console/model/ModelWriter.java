package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.RunLog;
import io.waterclock.console.limits.LimitBook;
import io.waterclock.console.problems.OddZones;
import io.waterclock.console.problems.ProblemKind;
import io.waterclock.console.problems.RowCondition;
import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.text.IsoInstant;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Takes over the records of the topics, a method for each topic; {@link ModelQueries} reads what
 * they say.
 *
 * <p>Records of one schedule must arrive in the order of their topics; topics may arrive in any
 * order. Time is an argument. Not thread-safe: {@link ReadModel#write} has the lock.
 */
public final class ModelWriter {
  /**
   * How much to keep. What grows with time has a share: fires a third at most, replaced revisions
   * and limits with what waits for them a sixteenth each, commands, missed ranges and runs a
   * thirty-second each, calendars an eighth. Schedules have the rest.
   *
   * @param bytes of memory for all of it, about
   * @param fires newest ones, as far as they have room
   * @param deadLetters newest ones
   */
  public record Limits(long bytes, int fires, int deadLetters) {
    private static final int LEAST_GONE = 1_000;
    private static final int FIRES_OF_GONE = 100;
    private static final long MOST_OF_A_LOG = 64L << 20;

    /** Ten million fires in 300 MB, and a million schedules or more. */
    public static final Limits DEFAULT = of(1_000_000_000, 10_000_000);

    public Limits {
      fires = (int) Math.max(1, Math.min(fires, bytes / 3 / FireLog.BYTES));
    }

    /** With the usual number of dead letters. */
    public static Limits of(long bytes, int fires) {
      return new Limits(bytes, fires, 100);
    }

    /** How many schedules that are gone are kept for their fires: one of a hundred fires. */
    int gone() {
      return Math.max(LEAST_GONE, fires / FIRES_OF_GONE);
    }

    long revisionBytes() {
      return Math.min(MOST_OF_A_LOG, bytes / 16);
    }

    long commandBytes() {
      return Math.min(MOST_OF_A_LOG, bytes / 32);
    }

    long waitingBytes() {
      return revisionBytes();
    }

    long calendarBytes() {
      return bytes / 8;
    }

    long scheduleBytes() {
      return bytes
          - (long) fires * FireLog.BYTES
          - revisionBytes()
          - waitingBytes()
          - 3 * commandBytes()
          - calendarBytes();
    }
  }

  static final int LAST_MINUTES = 60;
  private static final int MOST_PARTITIONS = 10_000;
  static final int LONGEST_NAME = 255;

  /** Of a missed range, with its instants. */
  private static final int MISSED_BYTES = 250;

  private static final Comparator<DeadLetterRow> BY_TIME =
      Comparator.comparing(DeadLetterRow::at).thenComparing(DeadLetterRow::letter);

  /** How far back a report looks for its fire. */
  private static final int REPORTED_FIRES = 1_000;

  final Limits limits;
  final ScheduleTable schedules;
  final FireLog fires;
  final MinuteCounts minutes = new MinuteCounts(LAST_MINUTES);
  final BoundedLog<MissedRow> missed;

  /** Partitions are read one after another, so they come in no order of their times. */
  final NavigableSet<DeadLetterRow> deadLetters = new TreeSet<>(BY_TIME);

  final BoundedLog<byte[]> revisions;
  final BoundedLog<GivenCommand> commands;
  final RunLog runs;
  final SortedMap<Integer, PartitionRow> watermarks = new TreeMap<>();

  /** Outcomes whose fires are not known yet, the newest ones. */
  private final Map<String, OutcomeState> early =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OutcomeState> eldest) {
          return size() > REPORTED_FIRES;
        }
      };

  long[] newestOffsets = {};
  final CalendarTable calendars;
  final LimitBook book;

  /** Whether a name without a limit has none, and not only none that was read. */
  boolean areLimitsKnown;

  Upcoming upcoming;
  int partitions = 1;

  ModelWriter(ZoneId zone, Limits limits) {
    this.limits = limits;
    this.schedules = new ScheduleTable(limits.scheduleBytes());
    this.fires = new FireLog(limits.fires());
    this.missed = new BoundedLog<>(limits.commandBytes());
    this.revisions = new BoundedLog<>(limits.revisionBytes());
    this.commands = new BoundedLog<>(limits.commandBytes());
    this.runs = new RunLog(limits.commandBytes());
    this.calendars = new CalendarTable(limits.calendarBytes());
    this.book = new LimitBook(limits.waitingBytes());
    this.upcoming = new Upcoming(zone, calendars.calendars());
  }

  /** How many partitions the topics have that are partitioned by schedule id. */
  public void partitioned(int number) {
    partitions = number;
  }

  /**
   * A definition as its producer wrote it; it becomes this object's.
   *
   * @param schedule empty if it cannot be read
   */
  public void written(String id, String position, Optional<Schedule> schedule, Instant now) {
    schedules
        .of(id)
        .filter(entry -> entry.written(position, schedule))
        .ifPresent(entry -> refresh(entry, now));
  }

  public void deleted(String id) {
    schedules.find(id).ifPresent(ScheduleEntry::tombstone);
    schedules.find(id).ifPresent(this::freeIfGone);
  }

  private void freeIfGone(ScheduleEntry entry) {
    schedules.freeIfGone(entry);
    schedules.oneTooMany(limits.gone()).ifPresent(this::forget);
  }

  /** A record of the revisions topic; it becomes this object's. */
  public void revision(Revision revision, Instant now) {
    Optional<ScheduleEntry> found = schedules.of(revision.getScheduleId());
    if (found.isEmpty()) {
      return;
    }
    ScheduleEntry entry = found.get();
    entry.accepted(revision).ifPresent(old -> revisions.add(entry.id, old, old.length));
    refresh(entry, now);
    if (revision.getEndedBy() == RevisionEnd.DELETED) {
      schedules.find(entry.id).ifPresent(this::freeIfGone);
    }
  }

  /**
   * Forgets the schedules of which only old revisions are known; to be called when what the topics
   * held is read, since until then a revision may come before its definition and status.
   */
  public void forgetGone() {
    List.copyOf(schedules.entries()).forEach(schedules::freeIfGone);
  }

  /**
   * A record of the status topic.
   *
   * @param status empty for a tombstone
   */
  public void status(String id, Optional<ScheduleStatus> status, Instant now) {
    if (status.isEmpty()) {
      schedules.find(id).ifPresent(ScheduleEntry::noStatus);
      schedules.find(id).ifPresent(this::freeIfGone);
      return;
    }
    schedules
        .of(id)
        .ifPresent(
            entry -> {
              entry.report(status.get());
              refresh(entry, now);
            });
  }

  /** A record of the calendars topic; empty for a tombstone. */
  public void calendar(String name, Optional<Calendar> calendar, Instant now) {
    if (calendars.put(name, calendar)) {
      upcoming = new Upcoming(upcoming.zone(), calendars.calendars());
      schedules
          .all()
          .filter(entry -> entry.calendars.contains(name))
          .forEach(entry -> refreshNext(entry, now));
    }
  }

  /** All records of the topic limits have come that it held. */
  public void limitsKnown() {
    areLimitsKnown = true;
  }

  /**
   * A record of the topic limits; empty for a tombstone.
   *
   * @param limit valid
   */
  public void limit(LimitName name, Optional<Limit> limit, Instant at) {
    book.limit(name, limit, at);
  }

  /** A record of the topic waiting, as {@link LimitBook#note} takes it. */
  public void noted(
      Optional<LimitName> limit, WaitingNote note, String key, Optional<Fire> fire, Instant at) {
    book.note(limit, note, key, fire, at);
  }

  public void started(String limit, FireKey key, Instant at) {
    book.started(limit, key, at);
  }

  public void fired(Fire fire, int partition, long offset) {
    long late = fire.getFiredAt().toEpochMilli() - fire.getDue().toEpochMilli();
    if (partition >= newestOffsets.length) {
      newestOffsets = Arrays.copyOf(newestOffsets, partition + 1);
    }
    // the offsets of a topic that was created again begin at 0
    newestOffsets[partition] = Math.max(newestOffsets[partition], offset);
    if (fire.getBackfill() != null) {
      String occurrence =
          new String(
              IsoInstant.bytes(fire.getOccurrence().toEpochMilli()), StandardCharsets.US_ASCII);
      runs.fired(
          fire.getScheduleId() + "|" + occurrence,
          Optional.of(fire.getBackfill()),
          fire.getFiredAt());
    }
    boolean byTrigger = fire.getCause() == Cause.SCHEDULED || fire.getCause() == Cause.CATCH_UP;
    minutes.fired(fire.getFiredAt(), Duration.ofMillis(late), byTrigger);
    Optional<ScheduleEntry> found = schedules.of(fire.getScheduleId());
    if (found.isEmpty()) {
      return;
    }
    ScheduleEntry entry = found.get();
    fires.nextReplaces().ifPresent(schedules::fireForgotten);
    long occurrenceMs = fire.getOccurrence().toEpochMilli();
    Optional<OutcomeState> outcome =
        early.isEmpty()
            ? Optional.empty()
            : Optional.ofNullable(
                early.remove(key(entry.id, occurrenceMs, fire.getBackfill() != null)));
    long number =
        fires.add(
            entry.number,
            new FireLog.Kept(
                occurrenceMs,
                saturated(fire.getFiredAt().toEpochMilli() - occurrenceMs),
                saturated(late),
                (int) offset,
                fire.getCause(),
                outcome),
            entry.newestFire < 0 ? Optional.empty() : Optional.of(entry.newestFire));
    entry.newestFire = number;
    entry.fires++;
    if (!entry.exists()) {
      schedules.firedWithoutExisting(entry);
      schedules.oneTooMany(limits.gone()).ifPresent(this::forget);
    }
    entry.partition = partition;
    if (byTrigger) {
      advance(entry, fire);
    }
    sized(entry);
  }

  /** Counts what an entry takes; one without room is left out. */
  private void sized(ScheduleEntry entry) {
    if (!schedules.fits(entry)) {
      entry.tombstone();
      entry.noStatus();
      forget(entry);
    }
  }

  private void forget(ScheduleEntry gone) {
    fires.disown(newest(gone));
    gone.fires = 0;
    schedules.freeIfGone(gone);
  }

  /** The fire says what comes next, which saves computing it. */
  private void advance(ScheduleEntry entry, Fire fire) {
    if (entry.state != null && !entry.isInForce(fire)) {
      return;
    }
    if (entry.isPlain && entry.state == State.ACTIVE) {
      entry.nextMs = fire.getNext() == null ? ScheduleEntry.NONE : fire.getNext().toEpochMilli();
      entry.neverFires = false;
    } else {
      refreshNext(entry, fire.getFiredAt());
    }
  }

  public void missed(Missed record) {
    missed.add(
        record.getScheduleId(),
        new MissedRow(
            record.getFirst(),
            record.getLast(),
            record.getCount(),
            record.getCountIsLowerBound(),
            record.getReason(),
            Optional.ofNullable(record.getCollapsedInto()),
            record.getDecidedAt()),
        MISSED_BYTES);
    minutes.missed(record.getDecidedAt(), record.getReason(), record.getCount());
  }

  /** A record of the commands topic, whatever became of it. */
  public void commanded(String id, Command command, Instant at) {
    GivenCommand.of(command, at).ifPresent(given -> commands.add(id, given, given.bytes()));
  }

  /**
   * A record of the outcomes topic. One whose key is no fire key changes nothing.
   *
   * @param at its timestamp, by the clock of a worker
   * @param now no minute after it has begun
   */
  public void reported(Outcome outcome, Instant at, Instant now) {
    FireKey key;
    try {
      key = FireKey.parse(outcome.getFireKey());
    } catch (InvalidIdException e) {
      return;
    }
    minutes.reported(at.isAfter(now) ? now : at, outcome.getState());
    runs.reported(outcome, at);
    Optional<ScheduleEntry> entry = schedules.find(key.schedule().value());
    long occurrenceMs = key.occurrence().toEpochMilli();
    boolean isBackfill = outcome.getBackfill() != null;
    if (entry.isEmpty() || !report(entry.get(), occurrenceMs, isBackfill, outcome.getState())) {
      early.put(key(key.schedule().value(), occurrenceMs, isBackfill), outcome.getState());
    }
  }

  private boolean report(
      ScheduleEntry entry, long occurrenceMs, boolean isBackfill, OutcomeState state) {
    Optional<Long> number = newest(entry);
    for (int seen = 0; number.isPresent() && seen < REPORTED_FIRES; seen++) {
      if (fires.occurrenceMs(number.get()) == occurrenceMs
          && (fires.fire(number.get()).cause() == Cause.BACKFILL) == isBackfill) {
        fires.report(number.get(), state);
        return true;
      }
      number = fires.previous(number.get());
    }
    return false;
  }

  private static String key(String id, long occurrenceMs, boolean isBackfill) {
    return id + "|" + occurrenceMs + (isBackfill ? "|" : "");
  }

  public void watermark(Watermark watermark) {
    if (watermark.getPartition() < 0 || watermark.getPartition() >= MOST_PARTITIONS) {
      return; // no scheduler has written it
    }
    watermarks.put(
        watermark.getPartition(),
        new PartitionRow(
            watermark.getPartition(),
            SafeText.cut(watermark.getInstance(), LONGEST_NAME),
            watermark.getDecidedThrough(),
            Optional.ofNullable(watermark.getReadThrough()),
            watermark.getWrittenAt(),
            watermark.getLive(),
            watermark.getCatchingUp(),
            watermark.getFired(),
            watermark.getMissed(),
            watermark.getFaulted(),
            SafeText.cut(watermark.getTzdb(), LONGEST_NAME)));
  }

  /** A record of the topic dlq; without room for it, the oldest gives way. */
  public void deadLetter(DeadLetterRow letter) {
    if (deadLetters.size() < limits.deadLetters()) {
      deadLetters.add(letter);
    } else if (BY_TIME.compare(letter, deadLetters.first()) > 0) {
      deadLetters.pollFirst();
      deadLetters.add(letter);
    }
  }

  /**
   * A person has sent a dead letter again, or discarded it.
   *
   * @param place where it is: {@code topic-partition@offset}
   */
  public void resolved(String place) {
    deadLetters.removeIf(letter -> letter.letter().equals(place));
  }

  /**
   * Computes the next occurrence again of schedules whose next one has passed without a fire, a
   * slice at a time; to be called regularly.
   *
   * @param most how many schedules to look at
   */
  public void refreshNext(Instant now, int most) {
    schedules
        .nextSlice(most)
        .filter(entry -> entry.nextMs <= now.toEpochMilli())
        .forEach(entry -> refreshNext(entry, now));
  }

  private void refresh(ScheduleEntry entry, Instant now) {
    KnownSchedule known = entry.known();
    known
        .schedule()
        .ifPresent(
            schedule -> {
              entry.trigger = schedules.interned(TriggerLine.of(schedule, known));
              entry.zone =
                  schedules.interned(
                      schedule.getTimezone() == null
                          ? upcoming.zone().getId()
                          : schedule.getTimezone());
              entry.isZoned = OddZones.isZoned(schedule);
              entry.owner =
                  schedule.getOwner() == null ? null : schedules.interned(schedule.getOwner());
              entry.target =
                  schedule.getTarget() == null
                      ? null
                      : schedules.interned(schedule.getTarget().getTopic());
              entry.limit =
                  schedule.getLimit() == null ? null : schedules.interned(schedule.getLimit());
              entry.labels = schedules.interned(schedule.getLabels());
              entry.calendars = schedules.interned(Exclusions.calendars(schedule));
              entry.author =
                  known
                      .currentRevision()
                      .map(Revision::getAuthor)
                      .map(schedules::interned)
                      .orElse(null);
              entry.isPlain =
                  !Exclusions.namesCalendars(schedule)
                      && schedule.getJitterMs() == 0
                      && known.skips().isEmpty();
              entry.isAlike = entry.isPlain && isAlike(schedule, known, now);
            });
    entry.group =
        known
            .status()
            .flatMap(status -> group(entry, status))
            .map(schedules::interned)
            .orElse(null);
    next(entry, known, now);
    sized(entry);
  }

  private static Optional<String> group(ScheduleEntry entry, ScheduleStatus status) {
    return switch (entry.problem().orElse(ProblemKind.ODD_ZONE)) {
      case FAULTED ->
          Optional.ofNullable(status.getReason())
              .flatMap(reason -> RowCondition.cause(ProblemKind.FAULTED, reason));
      case REJECTED ->
          RowCondition.cause(ProblemKind.REJECTED, Problems.text(status.getProblems()));
      case EDIT_REJECTED ->
          RowCondition.cause(ProblemKind.EDIT_REJECTED, Problems.text(status.getProblems()));
      case FAILING ->
          Optional.ofNullable(status.getFailing())
              .map(FailingFires::getError)
              .flatMap(error -> RowCondition.cause(ProblemKind.FAILING, error));
      case PAUSED -> pause(status);
      default -> Optional.empty();
    };
  }

  private static Optional<String> pause(ScheduleStatus status) {
    CommandedPause pause = status.getPause();
    if (pause == null) {
      return status.getReason() == null ? Optional.of(RowCondition.DISABLED) : Optional.empty();
    }
    return Optional.of(
        RowCondition.pause(
            Optional.ofNullable(pause.getAuthor()).orElse(""),
            Optional.ofNullable(pause.getNote()).orElse("")));
  }

  private static boolean isAlike(Schedule schedule, KnownSchedule known, Instant now) {
    return schedule.getTrigger() instanceof CronTrigger
        && schedule.getStartAt() == null
        && schedule.getEndAt() == null
        && schedule.getMaxOccurrences() == null
        && known.currentRevision().filter(r -> !r.getOwnsAfter().isAfter(now)).isPresent();
  }

  private void refreshNext(ScheduleEntry entry, Instant now) {
    next(entry, entry.known(), now);
  }

  private void next(ScheduleEntry entry, KnownSchedule known, Instant now) {
    entry.nextMs =
        upcoming
            .dueAfter(known, now, 1)
            .flatMap(found -> found.stream().findFirst())
            .map(Instant::toEpochMilli)
            .orElse(ScheduleEntry.NONE);
    boolean isNear =
        entry.nextMs != ScheduleEntry.NONE
            && !Upcoming.isFar(Instant.ofEpochMilli(entry.nextMs), now);
    entry.neverFires =
        !isNear
            && (upcoming.neverFires(known, now)
                || (entry.fires == 0 && upcoming.endedAtBirth(known)));
  }

  Optional<Long> newest(ScheduleEntry entry) {
    return entry.newestFire < fires.oldest() || entry.newestFire < 0
        ? Optional.empty()
        : Optional.of(entry.newestFire);
  }

  private static int saturated(long value) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
  }
}
