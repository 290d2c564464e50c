package io.waterclock.console.limits;

import io.waterclock.limits.ClosedTimes;
import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.Starts;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What each limit says, what waits for it and what runs, as the topics {@code limits}, {@code
 * waiting} and {@code fires} say.
 *
 * <p><b>Idea.</b> A note of the topic waiting says that a fire waits, that it has ended, or that
 * the fires of a schedule wait no more; the record in the topic fires says when it started. All
 * notes of a group have one order; between the two topics any order may be read. Who reads all that
 * the topics hold reads {@code waiting} first: what has ended needs no place then.
 *
 * <p>Memory is bounded in bytes: half for what waits, a quarter for what runs, and an eighth each
 * for starts whose notes are not read yet, and for what was withdrawn and may have started before.
 * Without room, the oldest of the group with the most give way, because a group that starts many
 * and hears of no end keeps the most that do not wait any more; a row says that it counts too few.
 * Not thread-safe.
 */
public final class LimitBook {
  /** As many as a scheduler takes, and as many names without a limit. */
  private static final int MOST_GROUPS = 20_000;

  /** The clocks of a scheduler and of a limiter may differ by so much. */
  private static final Duration SKEW = Duration.ofSeconds(10);

  /** Of a fire, beside its key, with the maps that hold it. */
  private static final int OVERHEAD = 400;

  private final long mostWaiting;
  private final long mostRunning;
  private final long mostRemembered;
  private final TreeMap<String, Group> groups = new TreeMap<>();

  /** By fire key, in the order in which they were read. */
  private final Map<String, Waits> waiting = new LinkedHashMap<>();

  private final Map<String, Set<String>> keysBySchedule = new HashMap<>();

  /** By fire key: the group in which it runs, whatever limit its schedule has by now. */
  private final Map<String, Group> runsIn = new HashMap<>();

  /** Starts without a note, the newest. */
  private final Map<String, Instant> started = new LinkedHashMap<>();

  /** What was withdrawn, the newest, of which a start may come that was before. */
  private final Map<String, Waits> withdrawn = new LinkedHashMap<>();

  private long waitingBytes;
  private long runningBytes;
  private long startedBytes;
  private long withdrawnBytes;

  private static final class Group {
    @Nullable Limit limit;
    GroupLimit rules = GroupLimit.NONE;
    Instant pausedAt = Instant.MIN;
    boolean isCut;
    long waiting;
    final Starts starts = new Starts();
    @Nullable RecentStarts recent;
  }

  /**
   * A fire that waits, or whose start is not read yet.
   *
   * @param at when it began to wait, of its record
   * @param next when its schedule occurs again
   */
  private record Waits(
      String group, String schedule, WaitingNote.Fire note, Instant at, Optional<Instant> next) {
    boolean counts(Instant now) {
      return note.terms().expires().filter(until -> !now.isBefore(until)).isEmpty();
    }
  }

  /**
   * The fire of a schedule that has waited longest.
   *
   * @param again when the schedule occurs again after it; empty if it does not
   */
  public record OldestWait(String limit, Instant due, Optional<Instant> again) {
    /** Whether it waits for longer than from one occurrence of its schedule to the next. */
    public boolean isLate(Instant now) {
      return again.filter(at -> !at.isAfter(now)).isPresent();
    }

    private static OldestWait of(Waits one) {
      return new OldestWait(one.group(), Instant.ofEpochMilli(one.note().due()), one.next());
    }
  }

  /** The numbers of a group, while they are counted. */
  private static final class Count {
    long waiting;
    @Nullable String schedule;
    long due = Long.MAX_VALUE;

    void add(Waits one) {
      waiting++;
      if (one.note().due() < due) {
        due = one.note().due();
        schedule = one.schedule();
      }
    }
  }

  /**
   * @param mostBytes of memory, about
   */
  public LimitBook(long mostBytes) {
    this.mostWaiting = mostBytes / 2;
    this.mostRunning = mostBytes / 4;
    this.mostRemembered = mostBytes / 8;
  }

  /**
   * A record of the topic limits.
   *
   * @param limit valid; empty for a tombstone
   */
  public void limit(LimitName name, Optional<Limit> limit, Instant at) {
    group(name.value())
        .ifPresent(
            group -> {
              boolean wasPaused = pause(group, at).isPresent();
              group.limit = limit.orElse(null);
              group.rules = limit.map(GroupLimit::of).orElse(GroupLimit.NONE);
              if (!wasPaused) {
                group.pausedAt = at;
              }
            });
  }

  private Optional<Group> group(String name) {
    return groups.size() < MOST_GROUPS || groups.containsKey(name)
        ? Optional.of(groups.computeIfAbsent(name, added -> new Group()))
        : Optional.empty();
  }

  /**
   * A record of the topic waiting.
   *
   * @param limit any, or none, with the note of a fire that has begun or ended
   * @param key the fire key, or the id of the schedule whose fires wait no more
   * @param fire as it will be in the topic fires, with a note of one that waits
   * @throws InvalidIdException if the key is neither
   */
  public void note(
      Optional<LimitName> limit, WaitingNote note, String key, Optional<Fire> fire, Instant at) {
    if (note instanceof WaitingNote.Begun begun) {
      Optional.ofNullable(runsIn.get(FireKey.parse(key).text()))
          .ifPresent(group -> group.starts.begun(key, begun.at()));
    } else if (note instanceof WaitingNote.Ended) {
      ended(FireKey.parse(key).text(), at);
    } else if (limit.isPresent()) {
      String name = limit.get().value();
      if (note instanceof WaitingNote.Fire waits) {
        waits(name, FireKey.parse(key), waits, fire.flatMap(LimitBook::next), at);
      } else {
        withdrawn(name, key);
      }
    }
  }

  private static Optional<Instant> next(Fire fire) {
    boolean byTrigger = fire.getCause() == Cause.SCHEDULED || fire.getCause() == Cause.CATCH_UP;
    return Optional.ofNullable(fire.getNext()).filter(next -> byTrigger);
  }

  private void waits(
      String name, FireKey fire, WaitingNote.Fire note, Optional<Instant> next, Instant at) {
    String key = fire.text();
    String schedule = fire.schedule().value();
    Waits one = new Waits(name, schedule, note, at, next);
    Optional<Group> group = group(name);
    Waits before = waiting.get(key);
    if (group.isEmpty() || (before != null && before.at().isAfter(at))) {
      return; // it has moved to another group since
    }
    Optional<Instant> start = Optional.ofNullable(started.get(key));
    if (start.filter(later -> !later.plus(SKEW).isBefore(at)).isPresent()) {
      started.remove(key);
      startedBytes -= bytes(key);
      runs(key, one, start.get());
      return;
    }
    remove(key, Instant.MAX);
    recall(key);
    waiting.put(key, one);
    keysBySchedule.computeIfAbsent(schedule, added -> new HashSet<>(2)).add(key);
    waitingBytes += bytes(key);
    group.get().waiting++;
    if (waitingBytes > mostWaiting) {
      makeRoom();
    }
  }

  private static long bytes(String key) {
    return OVERHEAD + 2L * key.length();
  }

  /** Frees a tenth, in one pass. */
  private void makeRoom() {
    Group largest =
        groups.values().stream().max(Comparator.comparingLong(one -> one.waiting)).orElseThrow();
    largest.isCut = true;
    List<String> oldest = new ArrayList<>();
    long freed = 0;
    for (Map.Entry<String, Waits> one : waiting.entrySet()) {
      if (freed > mostWaiting / 10) {
        break;
      }
      if (groups.get(one.getValue().group()) == largest) {
        oldest.add(one.getKey());
        freed += bytes(one.getKey());
      }
    }
    oldest.forEach(key -> remove(key, Instant.MAX));
  }

  private Optional<Waits> remove(String key, Instant through) {
    Waits one = waiting.get(key);
    if (one == null || one.at().minus(SKEW).isAfter(through)) {
      return Optional.empty();
    }
    waiting.remove(key);
    waitingBytes -= bytes(key);
    Set<String> keys = keysBySchedule.getOrDefault(one.schedule(), Set.of());
    keys.remove(key);
    if (keys.isEmpty()) {
      keysBySchedule.remove(one.schedule());
    }
    Group group = groups.get(one.group());
    if (group != null && --group.waiting == 0) {
      group.isCut = false;
    }
    return Optional.of(one);
  }

  /**
   * A fire has started: its record is in the topic fires.
   *
   * @param name the limit that its definition names
   */
  public void started(String name, FireKey fire, Instant at) {
    String key = fire.text();
    group(name)
        .ifPresent(
            group -> {
              if (group.recent == null) {
                group.recent = new RecentStarts();
              }
              group.recent.add(at);
            });
    Optional<Waits> one = remove(key, at).or(() -> recall(key));
    one.ifPresent(waits -> runs(key, waits, at));
    if (one.isEmpty()) {
      startedBytes += started.put(key, at) == null ? bytes(key) : 0;
      startedBytes -= forgotten(started, startedBytes - mostRemembered);
    }
  }

  private Optional<Waits> recall(String key) {
    Optional<Waits> one = Optional.ofNullable(withdrawn.remove(key));
    withdrawnBytes -= one.isPresent() ? bytes(key) : 0;
    return one;
  }

  /** Forgets the eldest, and returns as how many bytes they counted. */
  private static long forgotten(Map<String, ?> memory, long tooMuch) {
    long freed = 0;
    for (Iterator<String> eldest = memory.keySet().iterator(); freed < tooMuch; eldest.remove()) {
      freed += bytes(eldest.next());
    }
    return freed;
  }

  private void runs(String key, Waits one, Instant at) {
    Group group = Objects.requireNonNull(groups.get(one.group()));
    if (runningBytes + bytes(key) > mostRunning) {
      group.isCut = true;
      return;
    }
    Duration time = one.note().terms().timeout().orElse(group.rules.timeout());
    end(key);
    runningBytes += bytes(key);
    runsIn.put(key, group);
    group.starts.restored(new Starts.Run(key, one.note().priority(), at.plus(time), time));
  }

  private void end(String key) {
    Group group = runsIn.remove(key);
    if (group != null) {
      group.starts.ended(key);
      runningBytes -= bytes(key);
    }
  }

  /** Its start may not be read yet. */
  private void ended(String key, Instant at) {
    end(key);
    remove(key, at);
    recall(key);
  }

  /** Withdrawn, or moved to another limit. */
  private void withdrawn(String group, String schedule) {
    List.copyOf(keysBySchedule.getOrDefault(schedule, Set.of())).stream()
        .filter(key -> Objects.requireNonNull(waiting.get(key)).group().equals(group))
        .forEach(
            key -> {
              withdrawnBytes +=
                  withdrawn.put(key, remove(key, Instant.MAX).orElseThrow()) == null
                      ? bytes(key)
                      : 0;
              withdrawnBytes -= forgotten(withdrawn, withdrawnBytes - mostRemembered);
            });
  }

  /** Whether the topic says of a name what it bounds. */
  public boolean isDefined(String name) {
    return limit(name).isPresent();
  }

  /** The record of a limit; not to be changed. */
  public Optional<Limit> limit(String name) {
    return Optional.ofNullable(groups.get(name)).flatMap(one -> Optional.ofNullable(one.limit));
  }

  /** What a limit bounds, or {@link GroupLimit#NONE}. */
  public GroupLimit rules(String name) {
    Group group = groups.get(name);
    return group == null ? GroupLimit.NONE : group.rules;
  }

  /** The pause of a limit that is in force. */
  public Optional<LimitRow.Pause> pause(String name, Instant now) {
    return Optional.ofNullable(groups.get(name)).flatMap(group -> pause(group, now));
  }

  private static Optional<LimitRow.Pause> pause(Group group, Instant now) {
    return group
        .rules
        .pause()
        .filter(pause -> pause.getUntil() == null || now.isBefore(pause.getUntil()))
        .map(pause -> row(pause, group.pausedAt));
  }

  private static LimitRow.Pause row(LimitPause pause, Instant since) {
    return new LimitRow.Pause(
        Optional.ofNullable(pause.getAuthor()),
        Optional.ofNullable(pause.getNote()),
        since,
        Optional.ofNullable(pause.getUntil()));
  }

  /**
   * All limits, and the names without a limit that schedules use or for which fires wait or run, in
   * the order of their names. Looks at each fire that waits.
   *
   * @param schedules how many name each limit
   */
  public List<LimitRow> rows(Map<String, Long> schedules, Instant now) {
    schedules.keySet().forEach(this::group);
    Map<String, Count> counts = new HashMap<>();
    waiting.values().stream()
        .filter(one -> one.counts(now))
        .forEach(one -> counts.computeIfAbsent(one.group(), added -> new Count()).add(one));
    List<LimitRow> rows = new ArrayList<>();
    groups.forEach(
        (name, group) -> {
          forget(group, now);
          Count count = counts.getOrDefault(name, new Count());
          long users = schedules.getOrDefault(name, 0L);
          if (group.limit != null || users + count.waiting + group.starts.running() > 0) {
            rows.add(row(name, group, count, users, now));
          }
        });
    return rows;
  }

  private void forget(Group group, Instant now) {
    for (Optional<Starts.Run> run = group.starts.timedOut(now);
        run.isPresent();
        run = group.starts.timedOut(now)) {
      end(run.get().fireKey());
    }
  }

  private static LimitRow row(String name, Group group, Count count, long schedules, Instant now) {
    Optional<RecentStarts> recent = Optional.ofNullable(group.recent);
    return new LimitRow(
        name,
        group.limit != null,
        group.limit == null ? "" : LimitRow.text(group.limit),
        Optional.ofNullable(group.limit).map(Limit::getDescription),
        schedules,
        count.waiting,
        group.isCut,
        group.starts.running(),
        Optional.ofNullable(count.schedule)
            .map(id -> new LimitRow.Oldest(id, Instant.ofEpochMilli(count.due))),
        recent.map(starts -> starts.last(6, now)).orElse(0L),
        recent.map(starts -> starts.last(360, now)).orElse(0L),
        group.rules.isClosed(now),
        pause(group, now),
        ClosedTimes.next(group.rules, now));
  }

  /**
   * The schedules of which a fire waits although they have occurred again, and that fire. Looks at
   * each fire that waits.
   */
  public Map<String, OldestWait> late(Instant now) {
    Map<String, OldestWait> found = new HashMap<>();
    waiting.values().stream()
        .filter(one -> one.counts(now))
        .forEach(
            one -> {
              OldestWait wait = OldestWait.of(one);
              if (wait.isLate(now)) {
                found.merge(one.schedule(), wait, LimitBook::older);
              }
            });
    return found;
  }

  private static OldestWait older(OldestWait one, OldestWait other) {
    return one.due().isAfter(other.due()) ? other : one;
  }

  /** The fire of a schedule that has waited longest; empty if none waits. */
  public Optional<OldestWait> oldestOf(String schedule, Instant now) {
    return keysBySchedule.getOrDefault(schedule, Set.of()).stream()
        .map(key -> Objects.requireNonNull(waiting.get(key)))
        .filter(one -> one.counts(now))
        .map(OldestWait::of)
        .reduce(LimitBook::older);
  }

  /** Since when the fire waits that has waited longest; empty if none waits. */
  public Optional<Instant> oldest() {
    return waiting.values().stream().map(Waits::at).min(Comparator.naturalOrder());
  }
}
