package io.waterclock.console.model;

import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.FailingFires;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the console knows, at the moment of one {@link ReadModel#read}. Queries read memory alone;
 * those over all schedules take some hundred milliseconds for a million. Time is an argument. Not
 * thread-safe: the read has the lock.
 */
public final class ModelQueries {
  private static final int MOST_PROBLEMS = 50;
  private static final int MOST_DUE = 20;
  private static final int MOST_MISSED = 50;
  private static final int MOST_COMMANDS = 50;
  private static final int MOST_RUNS = 50;

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
      List<FireRun> runs) {}

  ModelQueries(ModelWriter state) {
    this.state = state;
  }

  /** Whether schedules or calendars are missing, because there was no room for them. */
  public boolean isIncomplete() {
    return state.schedules.isFull() || state.calendars.isIncomplete();
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
    List<List<ScheduleEntry>> problems =
        Stream.<List<ScheduleEntry>>generate(ArrayList::new).limit(ScheduleEntry.RANKS).toList();
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
      if (entry.isFailing) {
        failing++;
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
        state.minutes.last(ModelWriter.LAST_MINUTES, now),
        states,
        pending,
        rejected,
        failing,
        problems.stream()
            .flatMap(List::stream)
            .limit(MOST_PROBLEMS)
            .flatMap(entry -> problem(entry).stream())
            .toList(),
        state.deadLetters.stream().filter(letter -> visible.test(letter.key())).toList(),
        due,
        next);
  }

  private static Optional<Overview.Problem> problem(ScheduleEntry entry) {
    String id = entry.id;
    ScheduleStatus status = entry.status().orElseThrow();
    Instant since = status.getSince();
    if (status.getState() == State.FAULTED) {
      String reason = status.getReason() == null ? "" : status.getReason();
      return Optional.of(problem(id, "FAULTED", since, reason, ""));
    }
    if (status.getRejectedRevision() != null) {
      return Optional.of(problem(id, "REJECTED", since, Problems.text(status.getProblems()), ""));
    }
    FailingFires failing = status.getFailing();
    if (failing != null) {
      String text = "Its fires fail: " + Diagnosis.text(failing) + ".";
      return Optional.of(problem(id, "FAILING", failing.getSince(), text, ""));
    }
    if (entry.neverFires) {
      String text = Diagnosis.neverFires(entry.calendars);
      return Optional.of(problem(id, "NEVER_FIRES", since, text, ""));
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
        id,
        kind,
        since,
        SafeText.cut(text, LONGEST_TEXT),
        SafeText.cut(author, ModelWriter.LONGEST_NAME));
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
  public SchedulePage page(
      ScheduleFilter filter, Predicate<String> visible, Optional<String> after, int most) {
    List<ScheduleRow> rows = new ArrayList<>();
    long total = 0;
    boolean more = false;
    Predicate<ScheduleEntry> fits = filter.compiled();
    for (ScheduleEntry entry : state.schedules.inOrder(filter.prefix().orElse(""))) {
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

  ScheduleRow row(ScheduleEntry entry) {
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
        entry.isRejected,
        entry.isFailing,
        state.newest(entry).map(number -> firedAt(state.fires.fire(number))));
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
   * A schedule with its newest fires, missed ranges and commands; empty if it does not exist.
   *
   * @param most fires
   */
  public Optional<Detail> view(String id, int most) {
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
                    runs(id, MOST_RUNS)));
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

  /** The newest runs of a schedule that workers have reported on, the newest first. */
  public List<FireRun> runs(String id, int most) {
    return state.runs.newest(run -> run.scheduleId().equals(id), most);
  }

  private static Instant firedAt(FireLog.Kept fire) {
    return Instant.ofEpochMilli(fire.occurrenceMs() + fire.firedAfterMs());
  }
}
