package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.Starts;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.Addressed;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
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
 * deletes more. A tick looks at each group in which something waits, and starts 1,000 fires or 8
 * MiB at most.
 */
final class LimiterProcessor implements Processor<byte[], byte[], byte[], Object> {
  static final String TO_FIRES = "to-fires";
  static final String TO_MISSED = "to-missed";
  static final String TO_WAITING = "to-waiting";

  private static final Duration TICK = Duration.ofMillis(20);
  private static final int MOST_OF_A_TICK = 1_000;
  private static final long MOST_BYTES_OF_A_TICK = 8L << 20;
  private static final int CHUNK = 100;

  private final LimitFeed limits;
  private final Encoding encoding;
  private final int partitions;
  private final CountReports<LimiterCounts> reports;
  private final RejectionLog rejections;
  private final Map<String, Group> groups = new HashMap<>();
  private final LimiterCounts counts = new LimiterCounts();
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable LimiterStore store;
  private int left;
  private long bytesLeft;

  /** A group of which something waits or runs. */
  private static final class Group {
    final Starts starts = new Starts();
    final Map<ScheduleId, Withdrawal> withdrawn = new HashMap<>();
    long waiting;

    boolean isEmpty() {
      return waiting == 0 && starts.running() == 0 && withdrawn.isEmpty();
    }
  }

  /**
   * @param encoding of missed occurrences
   * @param partitions of the topic waiting
   */
  LimiterProcessor(
      LimitFeed limits,
      Encoding encoding,
      int partitions,
      CountReports<LimiterCounts> reports,
      RejectionLog rejections) {
    this.limits = limits;
    this.encoding = encoding;
    this.partitions = partitions;
    this.reports = reports;
    this.rejections = rejections;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> given) {
    context = given;
    LimiterStore kept = new LimiterStore(given.getStateStore(LimiterStore.NAME));
    store = kept;
    groups.clear();
    kept.eachRunning((group, run) -> group(group).starts.restored(run));
    kept.eachWaiting(group -> group(group).waiting++);
    kept.eachWithdrawn(
        (group, schedule, withdrawal) ->
            group(group).withdrawn.put(ScheduleId.ofUtf8(schedule), withdrawal));
    reports.assigned(given.taskId(), counts);
    given.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::tick);
  }

  /**
   * What was known of a rate is lost with the task, so it counts as used up at the latest start.
   */
  private Group group(String name) {
    return groups.computeIfAbsent(
        name,
        added -> {
          Group group = new Group();
          kept().latestStart(added).ifPresent(group.starts::exhausted);
          return group;
        });
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      String group = WaitingNote.group(record.headers());
      take(group, WaitingNote.of(record.headers()), record);
    } catch (IllegalArgumentException e) {
      rejections.rejected("A record of the topic waiting", String.valueOf(e.getMessage()));
    }
  }

  private void take(String name, WaitingNote note, Record<byte[], byte[]> record) {
    long offset = running().recordMetadata().orElseThrow().offset();
    Group group = group(name);
    Instant now = now();
    if (note instanceof WaitingNote.Fire fire) {
      keep(name, group, fire, record, offset);
    } else if (note instanceof WaitingNote.Ended) {
      end(name, group, new String(record.key(), UTF_8));
    } else {
      ScheduleId schedule = ScheduleId.parse(record.key());
      Withdrawal withdrawal = new Withdrawal(offset, note);
      group.withdrawn.put(schedule, withdrawal);
      kept().putWithdrawn(name, schedule.utf8(), withdrawal);
    }
    refill();
    advance(name, group, now);
  }

  private void keep(
      String name, Group group, WaitingNote.Fire note, Record<byte[], byte[]> record, long offset) {
    WaitingFire fire =
        new WaitingFire(
            offset,
            note.expires(),
            note.timeout(),
            WaitingNote.without(record.headers()),
            record.value());
    kept().put(name, new LimiterStore.Waiting(note.priority(), note.due(), record.key(), fire));
    group.waiting++;
  }

  private void end(String name, Group group, String fireKey) {
    if (group.starts.ended(fireKey)) {
      kept().removeRunning(name, fireKey);
    }
  }

  private void tick(long timestamp) {
    Instant now = now();
    refill();
    for (Iterator<Map.Entry<String, Group>> all = groups.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<String, Group> next = all.next();
      advance(next.getKey(), next.getValue(), now);
      if (next.getValue().isEmpty() && limits.of(next.getKey()).rate().isEmpty()) {
        all.remove();
      }
    }
    if (left < MOST_OF_A_TICK) {
      running().commit();
    }
    counts.now(
        groups.values().stream().mapToLong(group -> group.waiting).sum(),
        groups.values().stream().mapToLong(group -> group.starts.running()).sum());
  }

  private void refill() {
    left = MOST_OF_A_TICK;
    bytesLeft = MOST_BYTES_OF_A_TICK;
  }

  private boolean isSpent() {
    return left <= 0 || bytesLeft <= 0;
  }

  /** Carries withdrawals out, ends runs whose time is up, and starts what has room. */
  private void advance(String name, Group group, Instant now) {
    withdraw(name, group, now);
    for (Optional<Starts.Run> run = group.starts.timedOut(now);
        run.isPresent();
        run = group.starts.timedOut(now)) {
      kept().removeRunning(name, run.get().fireKey());
      counts.timedOut();
    }
    GroupLimit limit = limits.of(name);
    for (GroupLimit.Lane lane : limit.lanes()) {
      start(name, group, limit, lane, now);
    }
  }

  private void start(
      String name, Group group, GroupLimit limit, GroupLimit.Lane lane, Instant now) {
    while (group.waiting > 0 && !isSpent()) {
      int room = Math.min(CHUNK, group.starts.room(limit, lane, now));
      List<LimiterStore.Waiting> next =
          room == 0 ? List.of() : kept().first(name, lane.from(), lane.through(), room);
      for (LimiterStore.Waiting waiting : next) {
        start(name, group, limit, waiting, now);
      }
      if (next.isEmpty()) {
        return;
      }
    }
  }

  private void start(
      String name, Group group, GroupLimit limit, LimiterStore.Waiting waiting, Instant now) {
    ScheduleId schedule = ScheduleId.ofUtf8(TargetRecord.scheduleId(waiting.fireKey()));
    Optional<Withdrawal> withdrawal =
        Optional.ofNullable(group.withdrawn.get(schedule))
            .filter(earlier -> waiting.fire().offset() < earlier.offset());
    if (withdrawal.isPresent()) {
      withdraw(name, group, waiting, withdrawal.get(), now);
    } else if (waiting.fire().expires().filter(at -> !now.isBefore(at)).isPresent()) {
      take(name, group, waiting);
      missed(waiting, MissedReason.EXPIRED, now);
    } else {
      take(name, group, waiting);
      fire(waiting, now);
      counts.started();
      Starts.Run run =
          new Starts.Run(
              new String(waiting.fireKey(), UTF_8),
              waiting.priority(),
              now.plus(waiting.fire().timeout().orElse(limit.timeout())));
      group.starts.started(limit, run, now);
      if (limit.countsRunning()) {
        kept().putRunning(name, run);
      }
      if (limit.rate().isPresent()) {
        kept().putLatestStart(name, now);
      }
    }
  }

  private void withdraw(String name, Group group, Instant now) {
    Iterator<Map.Entry<ScheduleId, Withdrawal>> all = group.withdrawn.entrySet().iterator();
    while (all.hasNext() && !isSpent()) {
      Map.Entry<ScheduleId, Withdrawal> next = all.next();
      List<LimiterStore.Waiting> fires;
      do {
        fires = kept().of(name, next.getKey().utf8(), next.getValue().offset(), CHUNK);
        fires.forEach(waiting -> withdraw(name, group, waiting, next.getValue(), now));
      } while (fires.size() == CHUNK && !isSpent());
      if (fires.size() < CHUNK) {
        kept().removeWithdrawn(name, next.getKey().utf8());
        all.remove();
      }
    }
  }

  private void withdraw(
      String name, Group group, LimiterStore.Waiting waiting, Withdrawal withdrawal, Instant now) {
    take(name, group, waiting);
    if (withdrawal.note() instanceof WaitingNote.Withdrawn withdrawn) {
      missed(waiting, withdrawn.reason(), now);
    } else if (withdrawal.note() instanceof WaitingNote.Moved moved) {
      moved.to().ifPresentOrElse(to -> move(waiting, to, now), () -> fire(waiting, now));
    }
  }

  /** Removes a fire from what waits. */
  private void take(String name, Group group, LimiterStore.Waiting waiting) {
    kept().remove(name, waiting);
    group.waiting--;
    left--;
    bytesLeft -= waiting.fire().value().length;
  }

  private void fire(LimiterStore.Waiting waiting, Instant now) {
    running()
        .forward(
            new Record<>(
                waiting.fireKey(),
                (Object) waiting.fire().value(),
                now.toEpochMilli(),
                waiting.fire().headers()),
            TO_FIRES);
  }

  private void move(LimiterStore.Waiting waiting, LimitName to, Instant now) {
    RecordHeaders headers = new RecordHeaders(waiting.fire().headers());
    new WaitingNote.Fire(
            waiting.priority(), waiting.due(), waiting.fire().expires(), waiting.fire().timeout())
        .addTo(headers, to.value());
    running()
        .forward(
            new Record<>(
                waiting.fireKey(),
                (Object)
                    new Addressed(waiting.fire().value(), HomePartition.of(to.utf8(), partitions)),
                now.toEpochMilli(),
                headers),
            TO_WAITING);
  }

  /** A fire of a command is no occurrence, so no occurrence is missed with it. */
  private void missed(LimiterStore.Waiting waiting, MissedReason reason, Instant now) {
    counts.withdrawn();
    FireKey key = FireKey.parse(new String(waiting.fireKey(), UTF_8));
    if (key.commandId().isPresent()) {
      return;
    }
    Header revision = waiting.fire().headers().lastHeader(HeaderNames.SCHEDULE_REVISION);
    Missed missed =
        Missed.newBuilder()
            .setScheduleId(key.schedule().value())
            .setRevision(revision == null ? "" : new String(revision.value(), UTF_8))
            .setFirst(key.occurrence())
            .setLast(key.occurrence())
            .setCount(1)
            .setReason(reason)
            .setDecidedAt(now)
            .build();
    running()
        .forward(
            new Record<>(
                key.schedule().utf8(),
                (Object) RecordCodecs.missed().encode(missed, encoding),
                now.toEpochMilli()),
            TO_MISSED);
  }

  private Instant now() {
    return Instant.ofEpochMilli(running().currentSystemTimeMs());
  }

  @Override
  public void close() {
    if (context != null) {
      reports.revoked(context.taskId());
      context = null;
      store = null;
    }
  }

  private ProcessorContext<byte[], Object> running() {
    if (context == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return context;
  }

  private LimiterStore kept() {
    if (store == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return store;
  }
}
