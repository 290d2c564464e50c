package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.limits.GroupLimit;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitLane;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.LimitWindow;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.topology.scheduler.emit.Addressed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random fires, reports, edits of limits, deletes and restarts. A list of all that happened, and
 * not the limiter, says what may run.
 */
final class LimiterTracesTest {
  private static final Instant BEGIN = LimiterRig.BEGIN;
  private static final List<String> GROUPS = List.of("etl", "partner", "nightly", "unknown");
  private static final int STEPS = 1_500;

  private final LimiterRig rig = new LimiterRig();
  private final Map<String, Limit> inForce = new HashMap<>();
  private final List<Fired> all = new ArrayList<>();
  private final Map<String, Fired> byKey = new HashMap<>();
  private final List<Note> moved = new ArrayList<>();
  private Instant restarted = Instant.MIN;
  private long fires;

  /** What happened to one fire. */
  private static final class Fired {
    final String key;
    final int priority;
    final Instant due;
    final Optional<Instant> expires;
    final Optional<Duration> timeout;
    String group;
    @Nullable Instant start;
    @Nullable Instant end;
    boolean counts;
    Duration lasts = Duration.ZERO;
    @Nullable MissedReason missed;

    Fired(
        String key,
        String group,
        int priority,
        Instant due,
        Optional<Instant> expires,
        Optional<Duration> timeout) {
      this.key = key;
      this.group = group;
      this.priority = priority;
      this.due = due;
      this.expires = expires;
      this.timeout = timeout;
    }

    boolean waits() {
      return start == null && missed == null;
    }

    boolean runsAt(Instant at) {
      return start != null && !start.isAfter(at) && (end == null || end.isAfter(at));
    }

    @Override
    public String toString() {
      return "%s of %s, priority %d, due %s, expires %s"
          .formatted(key, group, priority, due, expires);
    }

    String schedule() {
      return FireKey.parse(key).schedule().value();
    }
  }

  private record Note(byte[] key, byte @Nullable [] value, RecordHeaders headers) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void every_fire_starts_once_within_its_limit_and_no_room_is_lost(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    edit("etl", Limit.newBuilder().setMaxRunning(3).build());
    edit("partner", Limit.newBuilder().setPerSecond(4).build());
    for (int step = 0; step < STEPS; step++) {
      step(random);
      tick();
      check("seed " + seed + ", step " + step);
    }
    for (String group : GROUPS) {
      rig.limits.remove(group);
      inForce.remove(group);
    }
    tick();
    check("seed " + seed + ", without limits");
    assertThat(all).filteredOn(Fired::waits).isEmpty();
    assertThat(all).filteredOn(one -> one.start != null).hasSizeGreaterThan(STEPS / 4);
    assertThat(all)
        .extracting(one -> one.missed)
        .contains(MissedReason.EXPIRED, MissedReason.DELETED, MissedReason.PAUSED);
  }

  private void step(SplittableRandom random) {
    int kind = random.nextInt(100);
    if (kind < 45) {
      fire(random);
    } else if (kind < 70) {
      report(random);
    } else if (kind < 76) {
      withdraw(random);
    } else if (kind < 80) {
      edit(random);
    } else if (kind < 82) {
      restarted = rig.now;
      rig.restart();
    } else {
      rig.now = rig.now.plusMillis(random.nextInt(400));
      tick();
    }
  }

  private void tick() {
    rig.tick();
  }

  private void fire(SplittableRandom random) {
    ScheduleId schedule = ScheduleId.parse("s" + random.nextInt(12));
    String key = FireKey.of(schedule, BEGIN.plusMillis(fires++)).text();
    Fired fired =
        new Fired(
            key,
            GROUPS.get(random.nextInt(GROUPS.size())),
            random.nextInt(3) * 5,
            rig.now.minusMillis(random.nextInt(2_000)),
            random.nextInt(4) == 0
                ? Optional.of(rig.now.plusMillis(random.nextInt(5_000)))
                : Optional.empty(),
            random.nextInt(3) == 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(1 + random.nextInt(3_000))));
    all.add(fired);
    byKey.put(key, fired);
    send(
        new Note(key.getBytes(UTF_8), key.getBytes(UTF_8), new RecordHeaders()),
        fired.group,
        new WaitingNote.Fire(
            fired.priority,
            fired.due.toEpochMilli(),
            new WaitingNote.Terms(fired.expires, fired.timeout, WaitingNote.Role.OCCURRENCE),
            Optional.empty()));
  }

  private void report(SplittableRandom random) {
    List<Fired> running = all.stream().filter(one -> one.runsAt(rig.now)).toList();
    if (!running.isEmpty()) {
      Fired told = running.get(random.nextInt(running.size()));
      Instant at = rig.now.minusMillis(random.nextInt(300));
      boolean begins = random.nextInt(3) == 0;
      if (!begins) {
        told.end = rig.now;
      } else if (Objects.requireNonNull(told.end).isBefore(at.plus(told.lasts))) {
        told.end = at.plus(told.lasts);
      }
      // the schedule may have another limit by now, or be gone
      rig.send(
          told.key,
          null,
          switch (random.nextInt(3)) {
            case 0 -> Optional.of(told.group).filter(GROUPS::contains);
            case 1 -> Optional.of("etl");
            default -> Optional.empty();
          },
          begins ? new WaitingNote.Begun(at) : new WaitingNote.Ended());
    }
  }

  /** A delete, a pause or a move of one schedule in one group. */
  private void withdraw(SplittableRandom random) {
    rig.now = rig.now.plusMillis(1); // with one time, a move precedes a withdrawal
    tick();
    check("a moment later");
    String group = GROUPS.get(random.nextInt(GROUPS.size()));
    String schedule = "s" + random.nextInt(12);
    int kind = random.nextInt(3);
    Optional<LimitName> to =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new LimitName(GROUPS.get(random.nextInt(GROUPS.size()))));
    WaitingNote note =
        kind == 2
            ? new WaitingNote.Moved(to)
            : new WaitingNote.Withdrawn(kind == 0 ? MissedReason.DELETED : MissedReason.PAUSED);
    List<Fired> concerned =
        all.stream()
            .filter(Fired::waits)
            .filter(one -> one.group.equals(group) && one.schedule().equals(schedule))
            .toList();
    if (kind == 2) {
      // what moves to no group starts at once, without a limit
      concerned.forEach(one -> one.group = to.isPresent() ? "on its way" : "none");
    }
    send(new Note(schedule.getBytes(UTF_8), null, new RecordHeaders()), group, note);
    check("withdrawn");
    if (kind < 2) {
      assertThat(concerned).as("what is withdrawn does not start").allMatch(one -> !one.waits());
      assertThat(concerned).allMatch(one -> one.missed != null);
    }
    List<Note> again = List.copyOf(moved);
    moved.clear();
    for (Note one : again) {
      Objects.requireNonNull(byKey.get(new String(one.key(), UTF_8))).group =
          WaitingNote.group(one.headers()).orElseThrow().value();
      process(one);
      check("moved");
    }
  }

  private void edit(SplittableRandom random) {
    switch (random.nextInt(5)) {
      case 0 -> edit("etl", Limit.newBuilder().setMaxRunning(1 + random.nextInt(5)).build());
      case 1 ->
          edit(
              "etl",
              Limit.newBuilder()
                  .setMaxRunning(4)
                  .setTimeoutMs(2_000)
                  .setLanes(List.of(new LimitLane(5, 2), new LimitLane(10, 1)))
                  .build());
      case 2 -> edit("partner", Limit.newBuilder().setPerSecond(1 + random.nextInt(6)).build());
      case 3 ->
          edit(
              "nightly",
              Limit.newBuilder()
                  .setMaxRunning(2)
                  .setClosed(List.of(new LimitWindow("*/10 * * * * *", 4_000L, null)))
                  .build());
      default ->
          edit(
              "nightly",
              Limit.newBuilder()
                  .setPaused(new LimitPause("n", "ann", rig.now.plusMillis(random.nextInt(3_000))))
                  .build());
    }
  }

  private void edit(String group, Limit limit) {
    inForce.put(group, limit);
    rig.limits.put(new LimitFeed.Accepted(group, new byte[0], GroupLimit.of(limit)));
    tick();
  }

  private void send(Note record, String group, WaitingNote note) {
    note.addTo(record.headers(), new LimitName(group));
    process(record);
  }

  private void process(Note record) {
    rig.process(record.key(), record.value(), record.headers());
  }

  /** Takes what was forwarded, each at its moment, and holds it to the limits. */
  private void check(String when) {
    for (LimiterRig.Sent sent : rig.sent()) {
      Record<byte[], Object> record = sent.record();
      switch (sent.to()) {
        case LimiterProcessor.TO_FIRES -> start(record, when);
        case LimiterProcessor.TO_MISSED -> miss(record, when);
        default ->
            moved.add(
                new Note(
                    record.key(),
                    ((Addressed) record.value()).value(),
                    (RecordHeaders) record.headers()));
      }
    }
    if (moved.isEmpty()) {
      GROUPS.forEach(group -> assertNoRoomIsLeft(group, when));
    }
  }

  private void start(Record<byte[], Object> record, String when) {
    Fired fired = Objects.requireNonNull(byKey.get(new String(record.key(), UTF_8)));
    assertThat(fired.waits()).as(when + ": " + fired.key + " once").isTrue();
    assertThat((byte[]) record.value()).isEqualTo(record.key());
    assertThat(record.headers().toArray()).isEmpty();
    Instant at = Instant.ofEpochMilli(record.timestamp());
    if (!fired.group.equals("none")) {
      assertThat(room(fired, at)).as(when + ": room for " + fired.key).isTrue();
      assertThat(fired.expires.filter(until -> !at.isBefore(until))).as(when).isEmpty();
      assertThat(first(fired.group, fired.priority, at)).as(when).contains(fired);
    }
    fired.start = at;
    Limit limit = inForce.get(fired.group);
    fired.counts = limit != null && (limit.getMaxRunning() != null || !limit.getLanes().isEmpty());
    fired.lasts =
        fired.timeout.orElse(
            limit == null ? Duration.ofDays(1) : Duration.ofMillis(limit.getTimeoutMs()));
    fired.end = at.plus(fired.lasts);
  }

  private void miss(Record<byte[], Object> record, String when) {
    Missed missed = RecordCodecs.missed().decode((byte[]) record.value());
    String key = FireKey.of(ScheduleId.parse(missed.getScheduleId()), missed.getFirst()).text();
    Fired fired = Objects.requireNonNull(byKey.get(key));
    assertThat(fired.waits()).as(when).isTrue();
    fired.missed = missed.getReason();
    if (missed.getReason() == MissedReason.EXPIRED) {
      assertThat(fired.expires.orElseThrow()).as(when).isBeforeOrEqualTo(missed.getDecidedAt());
    }
  }

  /** By the history alone. */
  private boolean room(Fired fired, Instant at) {
    Limit limit = inForce.get(fired.group);
    if (limit == null) {
      return true;
    }
    LimitPause pause = limit.getPaused();
    boolean isPaused = pause != null && at.isBefore(Objects.requireNonNull(pause.getUntil()));
    boolean isClosed = !limit.getClosed().isEmpty() && at.toEpochMilli() % 10_000 < 4_000;
    List<Fired> running =
        all.stream()
            .filter(one -> one.group.equals(fired.group) && one.runsAt(at))
            .filter(one -> one.counts)
            .toList();
    List<Fired> latest =
        all.stream()
            .filter(one -> one.group.equals(fired.group) && one.start != null)
            .filter(one -> one.start.isAfter(at.minusSeconds(1)))
            .toList();
    TreeMap<Integer, Integer> lanes = new TreeMap<>();
    limit.getLanes().forEach(lane -> lanes.put(lane.getFromPriority(), lane.getMaxRunning()));
    Map.Entry<Integer, Integer> lane = lanes.floorEntry(fired.priority);
    long sameLane =
        running.stream()
            .filter(one -> Objects.equals(lanes.floorEntry(one.priority), lane))
            .count();
    return !isPaused
        && !isClosed
        && (limit.getMaxRunning() == null || running.size() < limit.getMaxRunning())
        && (limit.getPerSecond() == null || latest.size() < limit.getPerSecond())
        && (lane == null || sameLane < lane.getValue());
  }

  /** The fire of a lane that must start before all others of it. */
  private Optional<Fired> first(String group, int priority, Instant at) {
    TreeMap<Integer, Integer> lanes = new TreeMap<>();
    Optional.ofNullable(inForce.get(group))
        .ifPresent(limit -> limit.getLanes().forEach(lane -> lanes.put(lane.getFromPriority(), 0)));
    return waiting(group, at)
        .filter(one -> Objects.equals(lanes.floorEntry(one.priority), lanes.floorEntry(priority)))
        .min(
            Comparator.comparingInt((Fired one) -> one.priority)
                .thenComparing(one -> one.due)
                .thenComparing(one -> one.key));
  }

  private Stream<Fired> waiting(String group, Instant at) {
    return all.stream()
        .filter(one -> one.waits() && one.group.equals(group))
        .filter(one -> one.expires.filter(until -> !at.isBefore(until)).isEmpty());
  }

  private void assertNoRoomIsLeft(String group, String when) {
    Limit limit = inForce.get(group);
    if (limit != null
        && limit.getPerSecond() != null
        && restarted.isAfter(rig.now.minusSeconds(1))) {
      return; // a task that begins knows only when the latest fire started
    }
    assertThat(waiting(group, rig.now).filter(one -> room(one, rig.now)))
        .as(when + ": " + group + " has room, and these wait")
        .isEmpty();
  }
}
