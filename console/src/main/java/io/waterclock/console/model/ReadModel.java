package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the console knows of the schedules of one prefix, from the records of its topics.
 *
 * <p>Memory is bounded in bytes by {@link Limits}: of what grows with time, the newest stays; of
 * schedules, those that came first, and {@link #isIncomplete} says that others are missing.
 * Payloads are not kept, see {@link KeptPayload}. A schedule takes about half a kilobyte beside its
 * definition, a fire 29 bytes. Queries read memory alone; those over all schedules take some
 * hundred milliseconds for a million.
 *
 * <p>Records of one schedule must arrive in the order of their topics; topics may arrive in any
 * order. Time is an argument. Thread-safe: one call at a time.
 */
public final class ReadModel {
  private static final int LAST_MINUTES = 60;
  private static final int MOST_PROBLEMS = 50;
  private static final int MOST_DUE = 20;

  private static final int MOST_PARTITIONS = 10_000;
  private static final int LONGEST_NAME = 255;

  /** Of a text in a list, in characters; the page of one schedule shows the whole. */
  private static final int LONGEST_TEXT = 1_000;

  /** Of a missed range, with its instants. */
  private static final int MISSED_BYTES = 250;

  /** How far back a report looks for its fire. */
  private static final int REPORTED_FIRES = 1_000;

  private final Limits limits;
  private ScheduleTable schedules;
  private FireLog fires;
  private MinuteCounts minutes;
  private BoundedLog<MissedRow> missed;
  private final Deque<DeadLetterRow> deadLetters = new ArrayDeque<>();
  private BoundedLog<byte[]> revisions;
  private BoundedLog<GivenCommand> commands;
  private final SortedMap<Integer, PartitionRow> watermarks = new TreeMap<>();

  /** Outcomes whose fires are not known yet, the newest ones. */
  private final Map<String, OutcomeState> early =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OutcomeState> eldest) {
          return size() > REPORTED_FIRES;
        }
      };

  private long[] newestOffsets = {};
  private CalendarTable calendars;
  private Upcoming upcoming;
  private int partitions = 1;

  /**
   * How much to keep. What grows with time has a share: fires a third at most, replaced revisions a
   * sixteenth, commands and missed ranges a thirty-second each, calendars an eighth. Schedules have
   * the rest.
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

    private long revisionBytes() {
      return Math.min(MOST_OF_A_LOG, bytes / 16);
    }

    private long commandBytes() {
      return Math.min(MOST_OF_A_LOG, bytes / 32);
    }

    private long calendarBytes() {
      return bytes / 8;
    }

    private long scheduleBytes() {
      return bytes
          - (long) fires * FireLog.BYTES
          - revisionBytes()
          - 2 * commandBytes()
          - calendarBytes();
    }
  }

  /**
   * @param zone of schedules that name none
   */
  public ReadModel(ZoneId zone, Limits limits) {
    this.limits = limits;
    begin(zone);
  }

  private void begin(ZoneId zone) {
    schedules = new ScheduleTable(limits.scheduleBytes());
    fires = new FireLog(limits.fires());
    minutes = new MinuteCounts(LAST_MINUTES);
    missed = new BoundedLog<>(limits.commandBytes());
    revisions = new BoundedLog<>(limits.revisionBytes());
    commands = new BoundedLog<>(limits.commandBytes());
    deadLetters.clear();
    watermarks.clear();
    early.clear();
    newestOffsets = new long[0];
    calendars = new CalendarTable(limits.calendarBytes());
    upcoming = new Upcoming(zone, calendars.calendars());
  }

  /** Forgets everything; the records must come again. */
  public synchronized void clear() {
    begin(upcoming.zone());
  }

  /** Whether schedules or calendars are missing, because there was no room for them. */
  public synchronized boolean isIncomplete() {
    return schedules.isFull() || calendars.isIncomplete();
  }

  /** Whether all may have room now, if the records come again. */
  public synchronized boolean hasRoomAgain() {
    return schedules.hasRoomAgain();
  }

  /** How many bytes it may take. */
  public long mostBytes() {
    return limits.bytes();
  }

  /** How many partitions the topics have that are partitioned by schedule id. */
  public synchronized void partitioned(int number) {
    partitions = number;
  }

  /** The partition of a schedule as its owner has last written of it. */
  public synchronized Optional<PartitionRow> partition(String id) {
    return Optional.ofNullable(watermarks.get(home(id)));
  }

  /**
   * A definition as its producer wrote it; it becomes this object's.
   *
   * @param schedule empty if it cannot be read
   */
  public synchronized void written(
      String id, String position, Optional<Schedule> schedule, Instant now) {
    schedules
        .of(id)
        .filter(entry -> entry.written(position, schedule))
        .ifPresent(entry -> refresh(entry, now));
  }

  /** A tombstone of a definition. */
  public synchronized void deleted(String id) {
    schedules.find(id).ifPresent(ScheduleEntry::tombstone);
    schedules.find(id).ifPresent(this::freeIfGone);
  }

  private void freeIfGone(ScheduleEntry entry) {
    schedules.freeIfGone(entry);
    schedules.oneTooMany(limits.gone()).ifPresent(this::forget);
  }

  /** A record of the revisions topic; it becomes this object's. */
  public synchronized void revision(Revision revision, Instant now) {
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
  public synchronized void forgetGone() {
    List.copyOf(schedules.entries()).forEach(schedules::freeIfGone);
  }

  /**
   * A record of the status topic.
   *
   * @param status empty for a tombstone
   */
  public synchronized void status(String id, Optional<ScheduleStatus> status, Instant now) {
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
  public synchronized void calendar(String name, Optional<Calendar> calendar, Instant now) {
    if (calendars.put(name, calendar)) {
      upcoming = new Upcoming(upcoming.zone(), calendars.calendars());
      schedules
          .all()
          .filter(entry -> entry.calendars.contains(name))
          .forEach(entry -> refreshNext(entry, now));
    }
  }

  /** A record of the fires topic. */
  public synchronized void fired(Fire fire, int partition, long offset) {
    long late = fire.getFiredAt().toEpochMilli() - fire.getDue().toEpochMilli();
    if (partition >= newestOffsets.length) {
      newestOffsets = Arrays.copyOf(newestOffsets, partition + 1);
    }
    // the offsets of a topic that was created again begin at 0
    newestOffsets[partition] = Math.max(newestOffsets[partition], offset);
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
            : Optional.ofNullable(early.remove(key(entry, occurrenceMs)));
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
    if (entry.isPlain && entry.state == State.ACTIVE) {
      entry.nextMs = fire.getNext() == null ? ScheduleEntry.NONE : fire.getNext().toEpochMilli();
    } else {
      refreshNext(entry, fire.getFiredAt());
    }
  }

  /** A record of the missed topic. */
  public synchronized void missed(Missed record) {
    missed.add(
        record.getScheduleId(),
        new MissedRow(
            record.getScheduleId(),
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
  public synchronized void commanded(String id, Command command, Instant at) {
    GivenCommand.of(command, at).ifPresent(given -> commands.add(id, given, given.bytes()));
  }

  /** The newest commands to a schedule that are known, newest first. */
  public synchronized List<GivenCommand> commands(String id, int most) {
    return commands.of(id).stream().limit(most).toList();
  }

  /** A record of the outcomes topic. One whose key is no fire key changes nothing. */
  public synchronized void reported(Outcome outcome, Instant at) {
    FireKey key;
    try {
      key = FireKey.parse(outcome.getFireKey());
    } catch (InvalidIdException e) {
      return;
    }
    minutes.reported(at, outcome.getState());
    Optional<ScheduleEntry> entry = schedules.find(key.schedule().value());
    long occurrenceMs = key.occurrence().toEpochMilli();
    if (entry.isEmpty() || !report(entry.get(), occurrenceMs, outcome.getState())) {
      early.put(key.schedule().value() + "|" + occurrenceMs, outcome.getState());
    }
  }

  private boolean report(ScheduleEntry entry, long occurrenceMs, OutcomeState state) {
    Optional<Long> number = newest(entry);
    for (int seen = 0; number.isPresent() && seen < REPORTED_FIRES; seen++) {
      if (fires.occurrenceMs(number.get()) == occurrenceMs) {
        fires.report(number.get(), state);
        return true;
      }
      number = fires.previous(number.get());
    }
    return false;
  }

  private static String key(ScheduleEntry entry, long occurrenceMs) {
    return entry.id + "|" + occurrenceMs;
  }

  /** A record of the watermarks topic. */
  public synchronized void watermark(Watermark watermark) {
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

  /** A record of the topic of dead letters. */
  public synchronized void deadLetter(DeadLetterRow letter) {
    if (deadLetters.size() == limits.deadLetters()) {
      deadLetters.removeFirst();
    }
    deadLetters.addLast(letter);
  }

  /**
   * Computes the next occurrence again of schedules whose next one has passed without a fire, a
   * slice at a time; to be called regularly.
   *
   * @param most how many schedules to look at
   */
  public synchronized void refreshNext(Instant now, int most) {
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
              entry.owner =
                  schedule.getOwner() == null ? null : schedules.interned(schedule.getOwner());
              entry.target =
                  schedule.getTarget() == null
                      ? null
                      : schedules.interned(schedule.getTarget().getTopic());
              entry.labels = schedules.interned(schedule.getLabels());
              entry.calendars = schedules.interned(List.copyOf(schedule.getExcept()));
              entry.isPlain =
                  schedule.getExcept().isEmpty()
                      && schedule.getJitterMs() == 0
                      && known.skips().isEmpty();
              entry.isAlike = entry.isPlain && isAlike(schedule, known, now);
            });
    next(entry, known, now);
    sized(entry);
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
        upcoming.after(known, now, 1).stream()
            .findFirst()
            .map(next -> next.due().toEpochMilli())
            .orElse(ScheduleEntry.NONE);
  }

  /** How many schedules exist. */
  public synchronized long size() {
    return schedules.all().count();
  }

  /** The ids of the schedules that begin with a text, ascending. */
  public synchronized List<String> ids(String prefix) {
    return schedules.inOrder(prefix).stream()
        .filter(ScheduleEntry::exists)
        .map(entry -> entry.id)
        .toList();
  }

  /** The names of the calendars. */
  public synchronized Set<String> calendarNames() {
    return calendars.names();
  }

  /** The calendars in force, by name, as definitions read them. */
  public synchronized Map<String, List<CalendarVersion>> calendars() {
    return calendars.versions();
  }

  /** How far the partitions are decided. */
  public synchronized List<PartitionRow> partitions() {
    return List.copyOf(watermarks.values());
  }

  /**
   * The first screen.
   *
   * @param visible the ids that count; partitions and the fires of a minute are those of all
   */
  public synchronized Overview overview(Predicate<String> visible, Instant now) {
    Map<State, Long> states = new EnumMap<>(State.class);
    long pending = 0;
    long rejected = 0;
    long due = 0;
    long nowMs = now.toEpochMilli();
    long hour = nowMs + Duration.ofHours(1).toMillis();
    PriorityQueue<ScheduleEntry> soonest =
        new PriorityQueue<>(Comparator.comparingLong((ScheduleEntry e) -> e.nextMs).reversed());
    List<List<ScheduleEntry>> problems =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (ScheduleEntry entry : schedules.entries()) {
      if (!entry.exists() || !visible.test(entry.id)) {
        continue;
      }
      if (entry.state == null) {
        pending++;
      } else {
        states.merge(entry.state, 1L, Long::sum);
      }
      if (entry.isRejected) {
        rejected++;
      }
      if (entry.needsAttention()) {
        List<ScheduleEntry> alike = problems.get(entry.rank());
        if (alike.size() < MOST_PROBLEMS) {
          alike.add(entry);
        }
      }
      if (entry.nextMs >= nowMs && entry.nextMs < hour) {
        due++;
        if (soonest.size() < MOST_DUE || entry.nextMs < soonest.element().nextMs) {
          soonest.add(entry);
          if (soonest.size() > MOST_DUE) {
            soonest.remove();
          }
        }
      }
    }
    List<ScheduleRow> next = new ArrayList<>();
    while (!soonest.isEmpty()) {
      next.add(0, row(soonest.remove()));
    }
    return new Overview(
        now,
        partitions(),
        minutes.last(LAST_MINUTES, now),
        states,
        pending,
        rejected,
        problems.stream()
            .flatMap(List::stream)
            .limit(MOST_PROBLEMS)
            .flatMap(entry -> problem(entry.id, entry.status().orElseThrow()).stream())
            .toList(),
        deadLetters.stream().filter(letter -> visible.test(letter.key())).toList(),
        due,
        next);
  }

  private static Optional<Overview.Problem> problem(String id, ScheduleStatus status) {
    Instant since = status.getSince();
    if (status.getState() == State.FAULTED) {
      String reason = status.getReason() == null ? "" : status.getReason();
      return Optional.of(problem(id, "FAULTED", since, reason, ""));
    }
    if (status.getRejectedRevision() != null) {
      return Optional.of(problem(id, "REJECTED", since, Problems.text(status.getProblems()), ""));
    }
    if (status.getState() != State.PAUSED) {
      return Optional.empty();
    }
    return Optional.of(
        status.getPause() == null
            ? problem(id, "PAUSED", since, reason(status), "")
            : problem(
                id,
                "PAUSED",
                status.getPause().getSince(),
                Optional.ofNullable(status.getPause().getNote()).orElse(""),
                Optional.ofNullable(status.getPause().getAuthor()).orElse("")));
  }

  private static Overview.Problem problem(
      String id, String kind, Instant since, String text, String author) {
    return new Overview.Problem(
        id, kind, since, SafeText.cut(text, LONGEST_TEXT), SafeText.cut(author, LONGEST_NAME));
  }

  private static String reason(ScheduleStatus status) {
    return status.getReason() == null
        ? "the definition says \"enabled\": false"
        : status.getReason();
  }

  /**
   * A page of schedules, in the order of their ids.
   *
   * @param after exclusive; empty for the first page
   * @param most at most this many
   */
  public synchronized SchedulePage page(
      ScheduleFilter filter, Predicate<String> visible, Optional<String> after, int most) {
    List<ScheduleRow> rows = new ArrayList<>();
    long total = 0;
    boolean more = false;
    Predicate<ScheduleEntry> fits = filter.compiled();
    for (ScheduleEntry entry : schedules.inOrder(filter.prefix().orElse(""))) {
      if (!entry.exists() || !visible.test(entry.id) || !fits.test(entry)) {
        continue;
      }
      total++;
      if (after.isPresent() && entry.id.compareTo(after.get()) <= 0) {
        continue;
      }
      if (rows.size() < most) {
        rows.add(row(entry));
      } else {
        more = true;
      }
    }
    return new SchedulePage(
        rows, total, more ? Optional.of(rows.get(rows.size() - 1).id()) : Optional.empty(), false);
  }

  private ScheduleRow row(ScheduleEntry entry) {
    return new ScheduleRow(
        entry.id,
        Optional.ofNullable(entry.state),
        entry.since(),
        SafeText.cut(entry.trigger, LONGEST_TEXT),
        SafeText.cut(entry.zone, LONGEST_NAME),
        Optional.ofNullable(entry.owner).map(owner -> SafeText.cut(owner, LONGEST_TEXT)),
        entry.nextMs == ScheduleEntry.NONE
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(entry.nextMs)),
        entry.isRejected,
        newest(entry).map(number -> firedAt(fires.fire(number))));
  }

  /** How many occurrences are due in each minute of the coming week. Takes up to some seconds. */
  public LoadAhead load(LoadQuestion question, Predicate<String> visible, Instant now) {
    LoadSurvey survey = new LoadSurvey(question);
    takeActive(survey, visible);
    return survey.count(this::schedule, upcoming(), now);
  }

  private synchronized void takeActive(LoadSurvey survey, Predicate<String> visible) {
    schedules
        .all()
        .filter(entry -> entry.state == State.ACTIVE && visible.test(entry.id))
        .forEach(entry -> survey.take(entry, this::home));
  }

  private int home(String id) {
    return HomePartition.of(id.getBytes(StandardCharsets.UTF_8), partitions);
  }

  /**
   * The active schedules that are due in a range, in the order of their ids. Takes up to some
   * seconds: a budget bounds the search, and the page says if there may be more.
   *
   * @param from inclusive
   * @param to exclusive
   * @param question of which group
   */
  public SchedulePage dueIn(
      Instant from, Instant to, LoadQuestion question, Predicate<String> visible, int most) {
    List<ScheduleRow> rows = new ArrayList<>();
    long total = 0;
    DueSearch search = new DueSearch(upcoming(), from, to);
    for (ScheduleEntry entry : perhapsDue(to, question, visible)) {
      if (search.isSpent()) {
        return new SchedulePage(rows, total, Optional.empty(), true);
      }
      if (isDue(entry, search) && ++total <= most) {
        rows.add(lockedRow(entry));
      }
    }
    return new SchedulePage(rows, total, Optional.empty(), false);
  }

  /** A copy, so that the search holds no lock. */
  private synchronized List<ScheduleEntry> perhapsDue(
      Instant to, LoadQuestion question, Predicate<String> visible) {
    return schedules.entries().stream()
        .filter(entry -> entry.state == State.ACTIVE && entry.nextMs < to.toEpochMilli())
        .filter(entry -> visible.test(entry.id))
        .filter(entry -> question.wants().test(question.group(entry, this::home)))
        .toList();
  }

  private boolean isDue(ScheduleEntry entry, DueSearch search) {
    Optional<String> group = alikeGroup(entry);
    return group.flatMap(search::found).orElseGet(() -> search.isDue(subject(entry), group));
  }

  private synchronized Optional<String> alikeGroup(ScheduleEntry entry) {
    return entry.isAlike ? Optional.of(entry.trigger + " " + entry.zone) : Optional.empty();
  }

  private synchronized DueSearch.Subject subject(ScheduleEntry entry) {
    return new DueSearch.Subject(entry.known(), entry.counted);
  }

  private synchronized ScheduleRow lockedRow(ScheduleEntry entry) {
    return row(entry);
  }

  /**
   * The newest revisions of a schedule that are known, the newest first; each becomes an object
   * when the stream comes to it, since together they may be large.
   */
  public Stream<Revision> revisions(String id, int most) {
    return revisionBodies(id).stream()
        .limit(most)
        .map(bytes -> ScheduleEntry.decode(RecordCodecs.revision(), bytes));
  }

  private synchronized List<byte[]> revisionBodies(String id) {
    List<byte[]> found = new ArrayList<>();
    schedules
        .find(id)
        .filter(ScheduleEntry::exists)
        .flatMap(ScheduleEntry::revisionBody)
        .ifPresent(found::add);
    found.addAll(revisions.of(id));
    return found;
  }

  /** Everything that the topics say of a schedule; empty if it does not exist. */
  public synchronized Optional<KnownSchedule> schedule(String id) {
    return schedules.find(id).filter(ScheduleEntry::exists).map(ScheduleEntry::known);
  }

  /** What computes the occurrences of schedules, with the calendars in force. */
  public synchronized Upcoming upcoming() {
    return upcoming;
  }

  /** The newest fires of a schedule, newest first, whether or not it still exists. */
  public synchronized List<FiredOccurrence> fires(String id, int most) {
    Optional<ScheduleEntry> entry = schedules.find(id);
    List<FiredOccurrence> found = new ArrayList<>();
    if (entry.isEmpty()) {
      return found;
    }
    int partition = entry.get().partition;
    for (Optional<Long> number = newest(entry.get());
        number.isPresent() && found.size() < most;
        number = fires.previous(number.get())) {
      FireLog.Kept fire = fires.fire(number.get());
      found.add(
          new FiredOccurrence(
              Instant.ofEpochMilli(fire.occurrenceMs()),
              firedAt(fire),
              Duration.ofMillis(fire.lateMs()),
              fire.cause(),
              partition,
              newestOffsets[partition]
                  - Integer.toUnsignedLong((int) newestOffsets[partition] - fire.offset()),
              fire.outcome()));
    }
    return found;
  }

  /** The newest missed ranges of a schedule, newest first. */
  public synchronized List<MissedRow> missed(String id, int most) {
    return missed.of(id).stream().limit(most).toList();
  }

  private Optional<Long> newest(ScheduleEntry entry) {
    return entry.newestFire < fires.oldest() || entry.newestFire < 0
        ? Optional.empty()
        : Optional.of(entry.newestFire);
  }

  private static Instant firedAt(FireLog.Kept fire) {
    return Instant.ofEpochMilli(fire.occurrenceMs() + fire.firedAfterMs());
  }

  private static int saturated(long value) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
  }
}
