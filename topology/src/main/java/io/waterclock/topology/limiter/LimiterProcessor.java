package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.Starts;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.text.Instants;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.CommitPace;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.input.HeaderBounds;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the fires of groups until their limits have room, and writes them to the topic fires.
 *
 * <p><b>Idea.</b> All records of a group come in one partition, so one task decides for it, and
 * state and fires change in one transaction: a permit is taken with the fire that takes it. {@link
 * Starts} says how much room there is; the store has what waits in the order in which it starts.
 *
 * <p><b>Cost.</b> A fire of a group with room: one write. One that waits: two writes and two
 * deletes more. A tick looks at each group in which something waits, and starts or withdraws 1,000
 * fires or 8 MiB at most; a withdrawal that finds none counts as one. Withdrawals stay in the store
 * until they are carried out.
 *
 * <p>While the clock is wrong, and until everything is read that was written before the task began
 * or its thread stalled, nothing starts and no time is over; what comes is kept. While the clock is
 * wrong, nothing is forgotten either.
 */
final class LimiterProcessor implements Processor<byte[], byte[], byte[], Object> {
  static final String TO_FIRES = "to-fires";
  static final String TO_MISSED = "to-missed";
  static final String TO_WAITING = "to-waiting";
  static final String TO_OUTCOMES = "to-outcomes";
  static final String TO_DLQ = "to-dlq";

  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final int MOST_OF_A_TICK = 1_000;
  private static final long MOST_BYTES_OF_A_TICK = 8L << 20;
  private static final int CHUNK = 100;

  /** So many fires that a withdrawal does not concern cost as much as one that it does. */
  private static final int PASSED_FOR_ONE = 100;

  /** A step back of the clock that is no mere correction. */
  private static final Duration STEP_BACK = Duration.ofSeconds(1);

  /** As long as the topic waiting keeps records: a fire on its way is not older. */
  private static final Duration PAST = Duration.ofDays(7);

  private static final int MOST_OF_THE_PAST = 1_000;

  /** In ticks of a trusted clock: what is forgotten is read each time. */
  private static final int FORGETTING = 50;

  /** Of two fires with one key that moved, the second counts as having come before all. */
  private static final long BEFORE_ALL = -1;

  /** A move to another group adds fewer bytes to the headers of a fire. */
  private static final int MOVED = 256;

  private final LimitFeed limits;
  private final Settings settings;
  private final LimiterRecords records;
  private final ClockGuard clock;
  private final Gate.Factory gates;
  private final ThreadLocal<CommitPace.OfThread> paces;
  private final CountReports<LimiterCounts> reports;
  private final RejectionLog rejections;

  /** Those that have waited longest for a tick with room come first. */
  private final Map<String, WaitingGroup> groups = new LinkedHashMap<>();

  /** The group of each fire that runs, which its schedule may have left. */
  private final Map<String, String> runsIn = new HashMap<>();

  private final LimiterCounts counts = new LimiterCounts();
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable LimiterStore store;
  private @Nullable Gate gate;
  private @Nullable CommitPace pace;
  private boolean hasFired;

  /** The latest trusted time; a task that begins has none, and sets back what is ahead of it. */
  private Instant latest = Instant.MAX;

  private long limitsVersion = -1;
  private Optional<Bytes> pastFrom = Optional.empty();
  private long tickCount;
  private Cancellable ticks = () -> {};
  private int left;
  private long bytesLeft;

  LimiterProcessor(
      LimitFeed limits,
      Settings settings,
      ClockGuard clock,
      Gate.Factory gates,
      ThreadLocal<CommitPace.OfThread> paces,
      CountReports<LimiterCounts> reports,
      RejectionLog rejections) {
    this.limits = limits;
    this.settings = settings;
    this.records = new LimiterRecords(settings);
    this.clock = clock;
    this.gates = gates;
    this.paces = paces;
    this.reports = reports;
    this.rejections = rejections;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> given) {
    context = given;
    LimiterStore kept = new LimiterStore(given.getStateStore(LimiterStore.NAME));
    store = kept;
    groups.clear();
    runsIn.clear();
    latest = Instant.MAX;
    limitsVersion = -1;
    refill();
    kept.limits().forEach(this::restore);
    kept.eachRunning((group, run) -> group(group).starts.restored(run));
    kept.eachRunning((group, run) -> runsIn(group, run.fireKey()));
    kept.eachWaiting(group -> group(group).waiting++);
    kept.eachWithdrawn((group, first) -> group(group).withdraw(first));
    gate = gates.create(given.taskId());
    pace = paces.get().join();
    reports.assigned(given.taskId(), counts);
    ticks = given.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::tick);
  }

  private void restore(String group, byte[] value) {
    try {
      limits.restore(
          new LimitFeed.Accepted(group, value, GroupLimit.of(RecordCodecs.limit().decode(value))));
    } catch (UndecodableException e) { // a later version has kept it
      rejections.rejected("The kept limit of " + group, String.valueOf(e.getMessage()));
    }
  }

  /**
   * What was known of a rate is lost with the task, so it counts as used up at the latest start, by
   * a clock that was not ahead.
   */
  private WaitingGroup group(String name) {
    return groups.computeIfAbsent(
        name,
        added -> {
          WaitingGroup group = new WaitingGroup(added);
          kept()
              .latestStart(added)
              .map(at -> Instants.earlier(at, now(clock.read())))
              .ifPresent(group.starts::exhausted);
          return group;
        });
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    Inbound inbound = Inbound.of(record, running().recordMetadata().orElseThrow());
    pace().beginRecord();
    try {
      take(Note.of(inbound, settings.limits().maxFireBytes()), inbound);
    } catch (IllegalArgumentException e) {
      refuse(inbound, String.valueOf(e.getMessage()));
    }
    gate().processed(inbound.topic(), inbound.offset());
  }

  /** A record of the topic waiting that is understood. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Note(WaitingNote note, Optional<LimitName> group, byte[] key) {
    /**
     * @param most inclusive: the bytes of a record that can be written again
     * @throws IllegalArgumentException if nothing can be made of the record
     */
    static Note of(Inbound inbound, int most) {
      // their bytes: the scheduler adds some to those of the definition, which are as many
      Optional<Problem> headers = HeaderBounds.tooMany(inbound.headers());
      if (headers.isPresent()) {
        throw new IllegalArgumentException(headers.get().getMessage());
      }
      byte[] key =
          inbound.key().orElseThrow(() -> new IllegalArgumentException("the record has no key"));
      WaitingNote note = WaitingNote.of(inbound.headers());
      Optional<LimitName> group = WaitingNote.group(inbound.headers());
      if (isOfFire(note)) {
        byte[] written = FireKey.parse(new String(key, UTF_8)).bytes();
        if (!Arrays.equals(written, key)) {
          throw new IllegalArgumentException("the key is no fire key");
        }
      } else {
        ScheduleId.parse(key);
      }
      boolean isEnd = note instanceof WaitingNote.Ended || note instanceof WaitingNote.Begun;
      if (group.isEmpty() && !isEnd) {
        throw new IllegalArgumentException("the record names no limit");
      }
      if (note instanceof WaitingNote.Fire fire) {
        check(fire, inbound, most);
      }
      return new Note(note, group, key);
    }

    private static boolean isOfFire(WaitingNote note) {
      return !(note instanceof WaitingNote.Withdrawn || note instanceof WaitingNote.Moved);
    }

    private static void check(WaitingNote.Fire fire, Inbound inbound, int most) {
      if (inbound.value().isEmpty()) {
        throw new IllegalArgumentException("the fire has no value");
      }
      if (fire.terms()
          .timeout()
          .filter(time -> time.isNegative() || time.compareTo(WaitingNote.LONGEST_RUN) > 0)
          .isPresent()) {
        throw new IllegalArgumentException("its time-out is not from 0 to 100 years");
      }
      int size = RecordSize.of(inbound.key().get(), inbound.value().get(), inbound.headers());
      if (size > most - MOVED) {
        throw new IllegalArgumentException("the fire has more than " + most + " bytes");
      }
    }
  }

  private void refuse(Inbound inbound, String why) {
    rejections.rejected("Dead letter at " + inbound.revision(), why);
    ClockGuard.Reading reading = clock.read();
    Instant now = now(reading);
    // brokers refuse what is far ahead, but have taken the record
    Instant at = reading.isTrusted() ? now : Instants.earlier(now, inbound.timestamp());
    running().forward(records.dead(inbound, why, at), TO_DLQ);
  }

  private void take(Note record, Inbound inbound) {
    ClockGuard.Reading reading = clock.read();
    Instant now = now(reading);
    if (!isSpent()) { // the rest of a tick that is spent is for the next tick, however much is read
      refill();
    }
    if (record.note() instanceof WaitingNote.Ended || record.note() instanceof WaitingNote.Begun) {
      String fireKey = new String(record.key(), UTF_8);
      Optional.ofNullable(runsIn.get(fireKey))
          .map(groups::get)
          .ifPresent(
              group -> {
                report(group, record.note(), fireKey, now);
                advance(group, reading);
              });
      return;
    }
    String name = record.group().orElseThrow().value();
    WaitingGroup group = group(name);
    if (record.note() instanceof WaitingNote.Fire fire) {
      arrive(group, fire, inbound);
    } else {
      ScheduleId schedule = ScheduleId.parse(record.key());
      Withdrawal withdrawal = new Withdrawal(inbound.offset(), inbound.timestamp(), record.note());
      withdrawn(group, schedule, withdrawal);
      kept().putPast(name, schedule.utf8(), withdrawal);
    }
    advance(group, reading);
  }

  private void report(WaitingGroup group, WaitingNote note, String fireKey, Instant now) {
    if (note instanceof WaitingNote.Begun begun) {
      Instant at = begun.at().isBefore(now) ? begun.at() : now;
      group.starts.begun(fireKey, at).ifPresent(run -> kept().putRunning(group.name, run));
    } else if (group.starts.ended(fireKey)) {
      forget(group, fireKey);
    }
  }

  private void forget(WaitingGroup group, String fireKey) {
    kept().removeRunning(group.name, fireKey);
    runsIn.remove(fireKey, group.name);
  }

  private void arrive(WaitingGroup group, WaitingNote.Fire note, Inbound inbound) {
    ScheduleId schedule = ScheduleId.ofUtf8(TargetRecord.scheduleId(inbound.key().orElseThrow()));
    Optional<Withdrawal> past =
        note.movedAt().flatMap(at -> kept().past(group.name, schedule.utf8(), at));
    LimiterStore.Waiting waiting =
        waiting(note, inbound, past.map(it -> it.offset() - 1).orElse(inbound.offset()));
    if (past.isPresent() && kept().contains(group.name, waiting)) {
      waiting = waiting(note, inbound, BEFORE_ALL - inbound.offset());
    }
    group.added(note.priority(), kept().put(group.name, waiting));
    group.waiting++;
    past.ifPresent(it -> withdrawn(group, schedule, it));
  }

  /**
   * @param offset where it counts as having come: right before what has become of it meanwhile
   */
  private static LimiterStore.Waiting waiting(WaitingNote.Fire note, Inbound inbound, long offset) {
    return new LimiterStore.Waiting(
        note.priority(),
        note.due(),
        inbound.key().orElseThrow(),
        new WaitingFire(
            offset,
            note.terms(),
            WaitingNote.without(inbound.headers()),
            inbound.value().orElseThrow()));
  }

  private void withdrawn(WaitingGroup group, ScheduleId schedule, Withdrawal withdrawal) {
    Bytes key = LimiterStore.withdrawnKey(group.name, schedule.utf8(), withdrawal);
    if (kept().putWithdrawn(key, withdrawal)) {
      group.withdraw(key);
    } else {
      group.lookAgain(key);
    }
  }

  private void tick(long timestamp) {
    ClockGuard.Reading reading = clock.read();
    Instant now = now(reading);
    pace().beginTick();
    if (reading.isTrusted()) {
      if (now.isBefore(latest.minus(STEP_BACK))) {
        groups.values().forEach(group -> group.starts.setBack(now));
      }
      latest = now;
      reportRefused(now);
      if (tickCount++ % FORGETTING == 0) {
        pastFrom = kept().forgetPast(pastFrom, now.minus(PAST), MOST_OF_THE_PAST);
      }
    }
    keepLimits();
    refill();
    advanceAll(reading);
    boolean mayCommit = pace().mayCommit(gate().isBehind());
    if (hasFired && mayCommit) {
      running().commit();
      pace().requested();
      hasFired = false;
    }
    gate().idleFor(hasFired ? Duration.ZERO : idle());
    counts.now(
        groups.values().stream().mapToLong(group -> group.waiting).sum(),
        groups.values().stream().mapToLong(group -> group.starts.running()).sum());
  }

  /** The group that uses up the tick is the last one of the next tick. */
  private void advanceAll(ClockGuard.Reading reading) {
    if (!gate().isOpen()) {
      return;
    }
    Optional<WaitingGroup> last = Optional.empty();
    for (Iterator<WaitingGroup> all = groups.values().iterator(); all.hasNext(); ) {
      WaitingGroup next = all.next();
      boolean hadRoom = !isSpent();
      advance(next, reading);
      if (hadRoom && isSpent()) {
        last = Optional.of(next);
      }
      if (next.isEmpty() && limits.of(next.name).rate().isEmpty()) {
        all.remove();
      }
    }
    last.filter(group -> groups.remove(group.name, group))
        .ifPresent(group -> groups.put(group.name, group));
  }

  /** Until something may start, unless a record comes. */
  private Duration idle() {
    if (isSpent()) {
      return Duration.ZERO;
    }
    boolean waits = groups.values().stream().anyMatch(group -> group.waiting > 0);
    return waits || !gate().isOpen() ? TICK : IDLE;
  }

  /** Keeps the limits of its groups, for a start at which the topic has only a refused record. */
  private void keepLimits() {
    long version = limits.version();
    if (version == limitsVersion) {
      return;
    }
    Map<String, byte[]> before = kept().limits();
    for (LimitFeed.Accepted accepted : limits.all()) {
      if (isHome(accepted.group())
          && !Arrays.equals(accepted.value(), before.remove(accepted.group()))) {
        kept().putLimit(accepted.group(), accepted.value());
      }
    }
    before.keySet().forEach(kept()::removeLimit);
    limitsVersion = version;
  }

  private boolean isHome(String group) {
    return HomePartition.of(group.getBytes(UTF_8), settings.channels().partitions())
        == running().taskId().partition();
  }

  /** One task of all writes dead letters for the limits that every instance has read. */
  private void reportRefused(Instant now) {
    if (running().taskId().partition() != 0) {
      return;
    }
    long through = kept().refused();
    long known = through > limits.latestOffset() ? -1 : through; // the topic was made anew
    for (LimitFeed.Refused refused : limits.refusedAfter(known)) {
      running().forward(records.dead(refused.letter(), now), TO_DLQ);
      kept().putRefused(refused.offset());
    }
  }

  private void refill() {
    left = MOST_OF_A_TICK;
    bytesLeft = MOST_BYTES_OF_A_TICK;
  }

  private boolean isSpent() {
    return left <= 0 || bytesLeft <= 0;
  }

  /** Carries withdrawals out, ends runs whose time is up, starts what has room: so many a tick. */
  private void advance(WaitingGroup group, ClockGuard.Reading reading) {
    if (!gate().isOpen() || !reading.isTrusted()) {
      return;
    }
    Instant now = now(reading);
    withdraw(group, now);
    timeOut(group, now);
    GroupLimit limit = limits.of(group.name);
    group.keepLanes(limit);
    for (GroupLimit.Lane lane : limit.lanes()) {
      start(group, limit, lane, now);
    }
  }

  /** After an outage all that ran before it may time out at once. */
  private void timeOut(WaitingGroup group, Instant now) {
    while (!isSpent()) {
      Optional<Starts.Run> run = group.starts.timedOut(now);
      if (run.isEmpty()) {
        return;
      }
      forget(group, run.get().fireKey());
      counts.timedOut();
      left--;
    }
  }

  private void start(WaitingGroup group, GroupLimit limit, GroupLimit.Lane lane, Instant now) {
    while (group.waiting > 0 && !isSpent()) {
      int room = Math.min(CHUNK, group.starts.room(limit, lane, now));
      List<LimiterStore.Waiting> next =
          room == 0
              ? List.of()
              : kept().first(group.name, group.floor(lane), lane.through(), most(room));
      for (LimiterStore.Waiting waiting : next) {
        start(group, limit, lane, waiting, now);
        group.taken(lane, LimiterStore.waitingKey(group.name, waiting));
      }
      if (next.isEmpty()) {
        return;
      }
    }
  }

  private void start(
      WaitingGroup group,
      GroupLimit limit,
      GroupLimit.Lane lane,
      LimiterStore.Waiting waiting,
      Instant now) {
    take(group, waiting);
    if (fire(waiting, now)) {
      Starts.Run run = run(waiting, limit, now);
      group.starts.started(limit, lane, run, now);
      if (limit.counts(lane)) {
        runsIn(group.name, run.fireKey());
        kept().putRunning(group.name, run);
      }
      if (limit.rate().isPresent()) {
        kept().putLatestStart(group.name, now);
      }
    }
  }

  /** A fire that starts again, in another group than before, runs once. */
  private void runsIn(String group, String fireKey) {
    Optional.ofNullable(runsIn.put(fireKey, group))
        .filter(before -> !before.equals(group))
        .ifPresent(
            before -> {
              group(before).starts.ended(fireKey);
              kept().removeRunning(before, fireKey);
            });
  }

  private static Starts.Run run(LimiterStore.Waiting waiting, GroupLimit limit, Instant now) {
    Duration timeout = waiting.fire().terms().timeout().orElse(limit.timeout());
    return new Starts.Run(
        new String(waiting.fireKey(), UTF_8), waiting.priority(), now.plus(timeout), timeout);
  }

  /** Carries out all withdrawals, unless the tick is spent before: then nothing starts either. */
  private void withdraw(WaitingGroup group, Instant now) {
    while (group.withdrawnFrom().isPresent() && !isSpent()) {
      // no more than there are: behind the last one is all that was deleted before
      int most = (int) Math.min(Math.min(CHUNK, left), group.withdrawals());
      kept()
          .withdrawn(group.name, group.withdrawnFrom().get(), most)
          .forEach(each -> withdraw(group, each, now));
    }
  }

  private void withdraw(WaitingGroup group, LimiterStore.Withdrawn by, Instant now) {
    while (!isSpent()) {
      LimiterStore.Concerned next =
          kept().concerned(group.name, by, group.concernedFrom(by.key()), most(CHUNK));
      left -= 1 + next.passed() / PASSED_FOR_ONE; // a look costs, whatever it finds
      for (LimiterStore.Waiting waiting : next.fires()) {
        take(group, waiting);
        settle(waiting, by.withdrawal(), now);
      }
      if (next.goesOn().isEmpty()) {
        kept().removeWithdrawn(by);
        group.withdrew(by.key());
        return;
      }
      group.withdrew(by.key(), next.goesOn());
    }
  }

  private LimiterStore.Most most(int fires) {
    return new LimiterStore.Most(fires, bytesLeft);
  }

  /** What becomes of a fire that does not wait any more, instead of a start in its group. */
  private void settle(LimiterStore.Waiting waiting, Withdrawal withdrawal, Instant now) {
    if (withdrawal.note() instanceof WaitingNote.Withdrawn withdrawn) {
      missed(waiting, withdrawn, now);
    } else if (withdrawal.note() instanceof WaitingNote.Moved moved) {
      moved
          .to()
          .ifPresentOrElse(
              to -> running().forward(records.moved(waiting, to, withdrawal.at(), now), TO_WAITING),
              () -> fire(waiting, now));
    }
  }

  /** Removes a fire from what waits. */
  private void take(WaitingGroup group, LimiterStore.Waiting waiting) {
    kept().remove(group.name, waiting);
    group.waiting--;
    left--;
    bytesLeft -= waiting.fire().value().length;
  }

  /** Starts a fire; false, and it is missed, if it has waited for too long. */
  private boolean fire(LimiterStore.Waiting waiting, Instant now) {
    if (waiting.fire().terms().expires().filter(at -> !now.isBefore(at)).isPresent()) {
      missed(waiting, new WaitingNote.Withdrawn(MissedReason.EXPIRED), now);
      return false;
    }
    counts.started();
    hasFired = true;
    running().forward(records.fire(waiting, now), TO_FIRES);
    follow(waiting, key(waiting), new WaitingNote.Begun(now), now);
    return true;
  }

  /** A fire of a command is no occurrence, so no occurrence is missed with it. */
  private void missed(LimiterStore.Waiting waiting, WaitingNote.Withdrawn note, Instant now) {
    counts.withdrawn();
    if (waiting.fire().terms().role() != WaitingNote.Role.ORDERED) {
      FireKey key = key(waiting);
      running().forward(records.missed(waiting, key, note, now), TO_MISSED);
      follow(waiting, key, new WaitingNote.Withdrawn(note.reason()), now);
    }
  }

  private void follow(LimiterStore.Waiting waiting, FireKey key, WaitingNote note, Instant now) {
    if (waiting.fire().terms().role() == WaitingNote.Role.FOLLOWED) {
      running().forward(records.note(key, note, now), TO_OUTCOMES);
    }
  }

  private static FireKey key(LimiterStore.Waiting waiting) {
    return FireKey.parse(new String(waiting.fireKey(), UTF_8));
  }

  /** That of the brokers while the clock is behind: no run is shortened by what it lags. */
  private static Instant now(ClockGuard.Reading reading) {
    return reading.latest().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public void close() {
    if (context != null) {
      reports.revoked(context.taskId());
      pace().leave();
      ticks.cancel();
      context = null;
      pace = null;
      store = null;
      gate = null;
    }
  }

  private ProcessorContext<byte[], Object> running() {
    if (context == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return context;
  }

  private CommitPace pace() {
    if (pace == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return pace;
  }

  private Gate gate() {
    if (gate == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return gate;
  }

  private LimiterStore kept() {
    if (store == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return store;
  }
}
