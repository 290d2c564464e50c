package io.waterclock.console.model;

import io.waterclock.client.schedules.BackfillProgress;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.limits.LimitBook;
import io.waterclock.console.limits.LimitNow;
import io.waterclock.console.limits.LimitRow;
import io.waterclock.console.limits.LimitText;
import io.waterclock.console.problems.OddZones;
import io.waterclock.console.problems.ProblemFact;
import io.waterclock.console.problems.ProblemFilter;
import io.waterclock.console.problems.ProblemKind;
import io.waterclock.console.problems.ProblemPage;
import io.waterclock.console.problems.RowCondition;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.limits.DrainForecast;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the console knows, at the moment of one {@link ReadModel#read}. Queries read memory alone;
 * those over all schedules take some hundred milliseconds for a million. Time is an argument. Not
 * thread-safe: the read has the lock.
 */
public final class ModelQueries {
  private static final int FIRST_PROBLEMS = 10;
  private static final int MOST_DUE = 20;
  private static final int MOST_MISSED = 50;
  private static final int MOST_COMMANDS = 50;
  private static final int MOST_RUNS = 50;

  /** Runs from which follows how long a run takes. */
  private static final int MOST_TIMED = 100_000;

  /** Of a text in a list, in characters; the page of one schedule shows the whole. */
  private static final int LONGEST_TEXT = 1_000;

  private final ModelWriter state;

  /**
   * A schedule and what has happened to it, all of one state.
   *
   * @param partition as its owner has last written of it
   * @param fires the newest ones, newest first, as are the others
   */
  public record Detail(
      KnownSchedule known,
      Upcoming upcoming,
      Optional<PartitionRow> partition,
      List<FiredOccurrence> fires,
      List<MissedRow> missed,
      List<GivenCommand> commands,
      List<FireRun> runs,
      List<BackfillProgress> backfills,
      Optional<Diagnosis> limit) {}

  ModelQueries(ModelWriter state) {
    this.state = state;
  }

  /** Whether schedules or calendars are missing, because there was no room for them. */
  public boolean isIncomplete() {
    return state.schedules.isFull() || state.calendars.isIncomplete();
  }

  /** Whether a schedule may exist that it does not know, because there was no room for it. */
  public boolean hasLeftOutSchedules() {
    return state.schedules.isFull();
  }

  /** Whether all may have room now, if the records come again. */
  public boolean hasRoomAgain() {
    return state.schedules.hasRoomAgain();
  }

  /** The partition of a schedule as its owner has last written of it. */
  public Optional<PartitionRow> partition(String id) {
    return Optional.ofNullable(state.watermarks.get(home(id)));
  }

  public List<GivenCommand> commands(String id, int most) {
    return state.commands.of(id).stream().limit(most).toList();
  }

  public long size() {
    return state.schedules.all().count();
  }

  /** The ids of the schedules that begin with a text, ascending. */
  public List<String> ids(String prefix) {
    return state.schedules.inOrder(prefix).stream()
        .filter(ScheduleEntry::exists)
        .map(entry -> entry.id)
        .toList();
  }

  public Set<String> calendarNames() {
    return state.calendars.names();
  }

  /** The calendars in force, by name, as definitions read them. */
  public Map<String, List<CalendarVersion>> calendars() {
    return state.calendars.versions();
  }

  /** How far the partitions are decided. */
  public List<PartitionRow> partitions() {
    return List.copyOf(state.watermarks.values());
  }

  /**
   * The first screen.
   *
   * @param visible the ids that count; partitions and the fires of a minute are those of all
   */
  public Overview overview(Predicate<String> visible, Instant now) {
    Map<State, Long> states = new EnumMap<>(State.class);
    long pending = 0;
    long rejected = 0;
    long failing = 0;
    long due = 0;
    long nowMs = now.toEpochMilli();
    long hour = nowMs + Duration.ofHours(1).toMillis();
    PriorityQueue<ScheduleEntry> soonest =
        new PriorityQueue<>(Comparator.comparingLong((ScheduleEntry e) -> e.nextMs).reversed());
    for (ScheduleEntry entry : state.schedules.entries()) {
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
      if (entry.isFailing()) {
        failing++;
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
    Overview.ProblemList problems =
        problems(ProblemFilter.ALL, visible, Optional.empty(), FIRST_PROBLEMS, now);
    return new Overview(
        now,
        partitions(),
        state.minutes.last(ModelWriter.LAST_MINUTES, now),
        states,
        pending,
        rejected,
        failing,
        problems.rows(),
        problems.counts(),
        problems.total(),
        state.deadLetters.stream().filter(letter -> visible.test(letter.schedule())).toList(),
        due,
        next);
  }

  /**
   * A page of the list of problems.
   *
   * @param after exclusive, from an earlier page; empty for the first page
   * @param most at most this many rows
   * @throws IllegalArgumentException if {@code after} is of no page
   */
  public Overview.ProblemList problems(
      ProblemFilter filter,
      Predicate<String> visible,
      Optional<String> after,
      int most,
      Instant now) {
    List<ScheduleEntry> seen =
        state.schedules.entries().stream()
            .filter(entry -> entry.exists() && visible.test(entry.id))
            .toList();
    OddZones zones = new OddZones();
    seen.stream()
        .filter(ScheduleEntry::hasZone)
        .forEach(entry -> zones.add(entry.family(), entry.zone));
    Map<String, LimitBook.OldestWait> late = state.book.late(now);
    ProblemPage page =
        ProblemPage.of(
            () ->
                seen.stream()
                    .flatMap(
                        entry ->
                            fact(entry, Optional.ofNullable(late.get(entry.id)), zones).stream())
                    .iterator(),
            filter,
            after,
            most);
    return new Overview.ProblemList(
        page.page().stream().map(row -> problem(row, late, zones, now)).toList(),
        page.counts(),
        page.owners().stream()
            .map(one -> new ProblemPage.OwnerCount(cut(one.owner()), one.count()))
            .toList(),
        page.rows(),
        page.after());
  }

  /** Why a person should look at a schedule, the gravest reason. */
  private Optional<ProblemFact> fact(
      ScheduleEntry entry, Optional<LimitBook.OldestWait> late, OddZones zones) {
    Optional<ProblemKind> kind =
        Stream.of(
                entry.problem(),
                late.filter(wait -> entry.state != null).map(wait -> ProblemKind.WAITING),
                unknownLimit(entry).map(name -> ProblemKind.UNKNOWN_LIMIT),
                oddZone(entry, zones).map(text -> ProblemKind.ODD_ZONE))
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    return kind.map(
        found ->
            new ProblemFact(
                entry.id,
                found,
                Optional.ofNullable(entry.owner).orElse(""),
                found == ProblemKind.WAITING
                    ? late.flatMap(LimitBook.OldestWait::again).orElseThrow().toEpochMilli()
                    : entry.problemSinceMs(),
                group(entry, found, late)));
  }

  private static Optional<String> group(
      ScheduleEntry entry, ProblemKind kind, Optional<LimitBook.OldestWait> late) {
    return switch (kind) {
      case FAULTED, REJECTED, EDIT_REJECTED, FAILING, PAUSED -> Optional.ofNullable(entry.group);
      case WAITING -> late.map(wait -> RowCondition.limit(wait.limit()));
      case UNKNOWN_LIMIT -> Optional.ofNullable(entry.limit).map(RowCondition::limit);
      case NEVER_FIRES ->
          Optional.of(entry.calendars)
              .filter(names -> !names.isEmpty() && entry.state != State.COMPLETED)
              .map(RowCondition::calendars);
      default -> Optional.empty();
    };
  }

  private Optional<String> unknownLimit(ScheduleEntry entry) {
    return Optional.ofNullable(entry.limit)
        .filter(name -> entry.state == State.ACTIVE && state.areLimitsKnown)
        .filter(name -> !state.book.isDefined(name));
  }

  private static Optional<String> oddZone(ScheduleEntry entry, OddZones zones) {
    return entry.hasZone() ? zones.text(entry.family(), entry.zone) : Optional.empty();
  }

  private Overview.Problem problem(
      ProblemPage.Row row, Map<String, LimitBook.OldestWait> late, OddZones zones, Instant now) {
    ProblemFact fact = row.newest();
    ScheduleEntry entry = state.schedules.find(fact.id()).orElseThrow();
    ScheduleStatus status = entry.status().orElseThrow();
    boolean isPaused = fact.kind() == ProblemKind.PAUSED;
    CommandedPause pause = isPaused ? status.getPause() : null;
    String text =
        switch (fact.kind()) {
          case FAULTED -> Optional.ofNullable(status.getReason()).orElse("");
          case REJECTED, EDIT_REJECTED -> Problems.text(status.getProblems());
          case FAILING ->
              Optional.ofNullable(status.getFailing()).map(Diagnosis::failing).orElse("");
          case OVERDUE ->
              status.getOverdue().stream().map(Diagnosis::overdue).collect(Collectors.joining(" "));
          case WAITING ->
              LimitText.waiting(Objects.requireNonNull(late.get(fact.id())), state.book, now);
          case NEVER_FIRES ->
              entry.state == State.COMPLETED
                  ? Diagnosis.endedAtBirth(entry.known().schedule().orElseThrow())
                  : Diagnosis.neverFires(
                      entry.calendars,
                      Optional.of(entry.nextMs)
                          .filter(next -> next != ScheduleEntry.NONE)
                          .map(Instant::ofEpochMilli));
          case ODD_ZONE -> oddZone(entry, zones).orElse("");
          case UNKNOWN_LIMIT -> LimitText.unknown(String.valueOf(entry.limit));
          case PAUSED ->
              pause == null ? reason(status) : Optional.ofNullable(pause.getNote()).orElse("");
        };
    return new Overview.Problem(
        fact.id(),
        fact.kind(),
        cut(fact.owner()),
        pause == null ? Instant.ofEpochMilli(fact.sinceMs()) : pause.getSince(),
        cut(text),
        SafeText.cut(
            Optional.ofNullable(pause).map(CommandedPause::getAuthor).orElse(""),
            ModelWriter.LONGEST_NAME),
        row.count(),
        Instant.ofEpochMilli(row.firstMs()),
        row.count() == 1 ? Optional.empty() : fact.group().filter(ModelQueries::isShort));
  }

  private static String cut(String text) {
    return SafeText.cut(text, LONGEST_TEXT);
  }

  private static boolean isShort(String text) {
    return text.length() <= LONGEST_TEXT;
  }

  private static String reason(ScheduleStatus status) {
    return status.getReason() == null
        ? "the definition says \"enabled\": false"
        : status.getReason();
  }

  /**
   * A page of schedules that fit a filter, as far as its condition does not decide.
   *
   * @param after exclusive, from an earlier page of the same order; empty for the first page
   * @param most at most this many
   * @throws IllegalArgumentException if {@code after} is of no page
   */
  public SchedulePage page(
      ScheduleFilter filter,
      Predicate<String> visible,
      SchedulePage.Order order,
      Optional<String> after,
      int most) {
    Comparator<SchedulePage.Place> comparator = order.comparator();
    Optional<SchedulePage.Place> begin = after.map(order::place);
    PriorityQueue<SchedulePage.Place> first = new PriorityQueue<>(comparator.reversed());
    long total = 0;
    boolean more = false;
    for (ScheduleEntry entry : fitting(filter, visible)) {
      total++;
      SchedulePage.Place place = place(entry, order.column());
      if (begin.isPresent() && comparator.compare(place, begin.get()) <= 0) {
        continue;
      }
      first.add(place);
      if (first.size() > most) {
        first.remove();
        more = true;
      }
    }
    Optional<String> next = more ? Optional.of(order.address(first.element())) : Optional.empty();
    return new SchedulePage(
        first.stream()
            .sorted(comparator)
            .map(place -> row(state.schedules.find(place.id()).orElseThrow()))
            .toList(),
        total,
        next,
        false);
  }

  /** The ids that fit a filter, as far as its condition does not decide. */
  List<String> candidates(ScheduleFilter filter, Predicate<String> visible) {
    List<String> ids = new ArrayList<>();
    fitting(filter, visible).forEach(entry -> ids.add(entry.id));
    return ids;
  }

  private Iterable<ScheduleEntry> fitting(ScheduleFilter filter, Predicate<String> visible) {
    Predicate<ScheduleEntry> fits = filter.compiled();
    return () ->
        state.schedules.inOrder(filter.prefix().orElse("")).stream()
            .filter(entry -> entry.exists() && visible.test(entry.id) && fits.test(entry))
            .iterator();
  }

  private SchedulePage.Place place(ScheduleEntry entry, SchedulePage.Column column) {
    return switch (column) {
      case ID -> SchedulePage.Place.of(entry.id, entry.id);
      case STATE ->
          SchedulePage.Place.of(entry.id, entry.state == null ? "PENDING" : entry.state.name());
      case TRIGGER -> SchedulePage.Place.of(entry.id, entry.trigger);
      case ZONE -> SchedulePage.Place.of(entry.id, entry.zone);
      case OWNER -> SchedulePage.Place.of(entry.id, entry.owner);
      case NEXT -> SchedulePage.Place.of(entry.id, entry.nextMs);
      case LAST_FIRED ->
          SchedulePage.Place.of(
              entry.id, newestFire(entry).map(ModelQueries::firedMs).orElse(Long.MAX_VALUE));
      case LAST_OUTCOME ->
          SchedulePage.Place.of(
              entry.id,
              newestFire(entry).flatMap(FireLog.Kept::outcome).map(Enum::name).orElse(null));
    };
  }

  private Optional<FireLog.Kept> newestFire(ScheduleEntry entry) {
    return state.newest(entry).map(state.fires::fire);
  }

  ScheduleRow row(ScheduleEntry entry) {
    Optional<FireLog.Kept> newest = newestFire(entry);
    return new ScheduleRow(
        entry.id,
        entry.state == null ? "PENDING" : entry.state.name(),
        entry.since(),
        SafeText.cut(entry.trigger, LONGEST_TEXT),
        SafeText.cut(entry.zone, ModelWriter.LONGEST_NAME),
        Optional.ofNullable(entry.owner).map(owner -> SafeText.cut(owner, LONGEST_TEXT)),
        entry.nextMs == ScheduleEntry.NONE
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(entry.nextMs)),
        entry.neverFires,
        entry.isRejected,
        entry.isFailing(),
        newest.map(ModelQueries::firedAt),
        newest.flatMap(FireLog.Kept::outcome));
  }

  /** A survey of the active schedules, to be counted afterwards. */
  LoadSurvey survey(LoadQuestion question, Predicate<String> visible) {
    LoadSurvey survey = new LoadSurvey(question);
    state
        .schedules
        .all()
        .filter(entry -> entry.state == State.ACTIVE && visible.test(entry.id))
        .forEach(entry -> survey.take(entry, this::home));
    return survey;
  }

  private int home(String id) {
    return HomePartition.of(id.getBytes(StandardCharsets.UTF_8), state.partitions);
  }

  /** The active schedules that may be due before an instant. */
  List<ScheduleEntry> perhapsDue(Instant to, LoadQuestion question, Predicate<String> visible) {
    return state.schedules.entries().stream()
        .filter(entry -> entry.state == State.ACTIVE && entry.nextMs < to.toEpochMilli())
        .filter(entry -> visible.test(entry.id))
        .filter(entry -> question.wants().test(question.group(entry, this::home)))
        .toList();
  }

  /** What the schedules that are alike have in common; empty if no other is. */
  Optional<String> alikeGroup(ScheduleEntry entry) {
    return entry.isAlike ? Optional.of(entry.trigger + " " + entry.zone) : Optional.empty();
  }

  DueSearch.Subject subject(ScheduleEntry entry) {
    return new DueSearch.Subject(entry.known(), entry.counted);
  }

  /**
   * The newest revisions of a schedule that are known, the newest first; each becomes an object
   * when the stream comes to it, since together they may be large.
   */
  public Stream<Revision> revisions(String id, int most) {
    List<byte[]> found = new ArrayList<>();
    state
        .schedules
        .find(id)
        .filter(ScheduleEntry::exists)
        .flatMap(ScheduleEntry::revisionBody)
        .ifPresent(found::add);
    found.addAll(state.revisions.of(id));
    return found.stream()
        .limit(most)
        .map(bytes -> ScheduleEntry.decode(RecordCodecs.revision(), bytes));
  }

  /** Everything that the topics say of a schedule; empty if it does not exist. */
  public Optional<KnownSchedule> schedule(String id) {
    return state.schedules.find(id).filter(ScheduleEntry::exists).map(ScheduleEntry::known);
  }

  /**
   * A schedule with its newest fires, missed ranges and commands, and what it waits for; empty if
   * it does not exist.
   *
   * @param most fires
   */
  public Optional<Detail> view(String id, int most, Instant now) {
    return schedule(id)
        .map(
            known ->
                new Detail(
                    known,
                    upcoming(),
                    partition(id),
                    fires(id, most),
                    missed(id, MOST_MISSED),
                    commands(id, MOST_COMMANDS),
                    state.runs.newest(run -> isReported(run, id), MOST_RUNS),
                    backfills(id),
                    limit(id, now)));
  }

  /** What the limit of a schedule does to its fires; empty if nothing is to be said of it. */
  private Optional<Diagnosis> limit(String id, Instant now) {
    return state
        .book
        .oldestOf(id, now)
        .map(
            wait ->
                new Diagnosis(
                    wait.isLate(now) ? Diagnosis.Kind.WAITING_LONG : Diagnosis.Kind.WAITING,
                    LimitText.waiting(wait, state.book, now),
                    Optional.of(wait.due())))
        .or(
            () ->
                state
                    .schedules
                    .find(id)
                    .flatMap(this::unknownLimit)
                    .map(
                        name ->
                            new Diagnosis(
                                Diagnosis.Kind.UNKNOWN_LIMIT,
                                LimitText.unknown(name),
                                Optional.empty())));
  }

  /**
   * The limits, and what their groups do, in the order of their names: those that a visible
   * schedule names, or all.
   *
   * @param seesAll whether the person sees every schedule
   */
  public List<LimitRow> limits(Predicate<String> visible, boolean seesAll, Instant now) {
    Map<String, Long> named = new HashMap<>();
    for (ScheduleEntry entry : state.schedules.entries()) {
      if (entry.limit != null && entry.exists() && visible.test(entry.id)) {
        named.merge(entry.limit, 1L, Long::sum);
      }
    }
    return state.book.rows(named, now).stream()
        .filter(row -> seesAll || named.containsKey(row.name()))
        .map(
            row ->
                row.oldest().filter(one -> !visible.test(one.schedule())).isPresent()
                    ? row.withoutSchedule()
                    : row)
        .toList();
  }

  /** Where the forecast of each limit begins; a run takes as long as those of its schedules did. */
  Map<String, LimitNow> limitsNow(Instant now) {
    Map<String, LongSummaryStatistics> runs = new HashMap<>();
    for (FireRun run : state.runs.newest(FireRun::hasEnded, MOST_TIMED)) {
      Optional<String> limit =
          state.schedules.find(run.scheduleId()).flatMap(one -> Optional.ofNullable(one.limit));
      if (limit.isPresent() && run.duration().filter(time -> !time.isNegative()).isPresent()) {
        runs.computeIfAbsent(limit.get(), added -> new LongSummaryStatistics())
            .accept(run.duration().get().toMillis());
      }
    }
    Map<String, LimitNow> all = new HashMap<>();
    for (LimitRow row : state.book.rows(Map.of(), now)) {
      Optional<Duration> run =
          Optional.ofNullable(runs.get(row.name()))
              .map(known -> Duration.ofMillis(Math.round(known.getAverage())));
      all.put(
          row.name(),
          new LimitNow(
              state.book.rules(row.name()),
              new DrainForecast.State(row.waiting(), row.running(), run)));
    }
    return all;
  }

  /** The record of a limit; empty if there is none. A copy. */
  public Optional<Limit> limit(String name) {
    return state.book.limit(name).map(known -> Limit.newBuilder(known).build());
  }

  /** What computes the occurrences of schedules, with the calendars in force. */
  public Upcoming upcoming() {
    return state.upcoming;
  }

  /** The newest fires of a schedule, newest first, whether or not it still exists. */
  public List<FiredOccurrence> fires(String id, int most) {
    Optional<ScheduleEntry> entry = state.schedules.find(id);
    List<FiredOccurrence> found = new ArrayList<>();
    if (entry.isEmpty()) {
      return found;
    }
    int partition = entry.get().partition;
    for (Optional<Long> number = state.newest(entry.get());
        number.isPresent() && found.size() < most;
        number = state.fires.previous(number.get())) {
      FireLog.Kept fire = state.fires.fire(number.get());
      found.add(
          new FiredOccurrence(
              Instant.ofEpochMilli(fire.occurrenceMs()),
              firedAt(fire),
              fire.lateMs(),
              fire.cause(),
              partition,
              state.newestOffsets[partition]
                  - Integer.toUnsignedLong((int) state.newestOffsets[partition] - fire.offset()),
              fire.outcome()));
    }
    return found;
  }

  /** The newest missed ranges of a schedule, newest first. */
  public List<MissedRow> missed(String id, int most) {
    return state.missed.of(id).stream().limit(most).toList();
  }

  /**
   * The newest missed ranges of all schedules, newest first, as far as they are kept.
   *
   * @param since those that were decided at this instant or later
   * @param reason the only one; empty for all
   * @param most at most this many
   */
  public MissedRow.Page missedSince(
      Instant since, Optional<MissedReason> reason, Predicate<String> visible, int most) {
    List<MissedRow.OfSchedule> rows = new ArrayList<>();
    long ranges = 0;
    long occurrences = 0;
    for (BoundedLog.Entry<MissedRow> one : state.missed.newestFirst()) {
      MissedRow range = one.value();
      if (range.decidedAt().isBefore(since)
          || (reason.isPresent() && reason.get() != range.reason())
          || !visible.test(one.id())) {
        continue;
      }
      ranges++;
      occurrences += range.count();
      if (rows.size() < most) {
        Optional<String> owner =
            state.schedules.find(one.id()).map(entry -> entry.owner).map(ModelQueries::cut);
        rows.add(new MissedRow.OfSchedule(one.id(), owner, range));
      }
    }
    return new MissedRow.Page(rows, ranges, occurrences);
  }

  private static boolean isReported(FireRun run, String id) {
    return run.state().isPresent() && run.scheduleId().equals(id);
  }

  private List<BackfillProgress> backfills(String id) {
    return BackfillProgress.of(
        state.runs.newest(
            run -> run.backfill().isPresent() && run.scheduleId().equals(id), Integer.MAX_VALUE));
  }

  private static Instant firedAt(FireLog.Kept fire) {
    return Instant.ofEpochMilli(firedMs(fire));
  }

  private static long firedMs(FireLog.Kept fire) {
    return fire.occurrenceMs() + fire.firedAfterMs();
  }
}
