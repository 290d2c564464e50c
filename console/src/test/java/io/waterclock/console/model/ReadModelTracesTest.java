package io.waterclock.console.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random records go into the read model and into one that keeps everything; both must agree. */
final class ReadModelTracesTest {
  private static final Instant BEGIN = Instant.parse("2026-11-24T12:00:00Z");
  private static final int STEPS = 25_000;
  private static final int BETWEEN_LOOKS = 5_000;
  private static final int SCHEDULES = 40;
  private static final List<OutcomeState> OUTCOMES = List.of(OutcomeState.values());

  /** A fire, with the latest report of it. */
  private static final class KnownFire {
    final String id;
    final Instant occurrence;
    final Instant firedAt;
    final List<OutcomeState> reports = new ArrayList<>();

    KnownFire(String id, Instant occurrence, Instant firedAt) {
      this.id = id;
      this.occurrence = occurrence;
      this.firedAt = firedAt;
    }

    /** A success whenever it came, or else the first end, or else the start. */
    Optional<OutcomeState> outcome() {
      return reports.stream()
          .filter(OutcomeState.SUCCEEDED::equals)
          .findFirst()
          .or(() -> reports.stream().filter(state -> state != OutcomeState.STARTED).findFirst())
          .or(() -> reports.stream().findFirst());
    }
  }

  private final TreeMap<String, State> states = new TreeMap<>();
  private final List<KnownFire> fires = new ArrayList<>();
  private final List<Missed> missed = new ArrayList<>();
  private final Map<Long, Long> firesByMinute = new HashMap<>();
  private final ReadModel model =
      new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(640 << 20, 1, 10));
  private final int capacity = new FireLog(1).capacity();
  private Instant now = BEGIN;
  private long offset;

  private static LongStream seeds() {
    return LongStream.rangeClosed(1, Integer.getInteger("waterclock.depth", 1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void read_model_agrees_with_one_that_keeps_everything(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 1; step <= STEPS; step++) {
      now = now.plusMillis(random.nextInt(200));
      step("schedule-" + random.nextInt(SCHEDULES), random);
      if (step % BETWEEN_LOOKS == 0) {
        compare("seed " + seed + ", step " + step);
      }
    }
  }

  private void step(String id, SplittableRandom random) {
    int kind = random.nextInt(1_000);
    if (kind < 850) {
      fire(id, random);
    } else if (kind < 930) {
      report(random);
    } else if (kind < 960) {
      miss(id, random);
    } else if (kind < 985) {
      define(id, random);
    } else if (kind < 995) {
      pauseOrResume(id);
    } else {
      delete(id);
    }
  }

  private void define(String id, SplittableRandom random) {
    String position = "waterclock.schedules-0@" + offset++;
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger(random.nextInt(60) + " * * * *"))
            .setTimezone("UTC")
            .build();
    model.write(to -> to.written(id, position, Optional.of(schedule), now));
    Revision revision =
        Revision.newBuilder()
            .setScheduleId(id)
            .setRevision(position)
            .setSchedule(schedule)
            .setOwnsAfter(now)
            .setEffectiveAt(now)
            .setAcceptedAt(now)
            .setTzdb("2026a")
            .build();
    if (random.nextBoolean()) {
      model.write(to -> to.status(id, Optional.of(status(id, State.ACTIVE, position)), now));
      model.write(to -> to.revision(revision, now));
    } else {
      model.write(to -> to.revision(revision, now));
      model.write(to -> to.status(id, Optional.of(status(id, State.ACTIVE, position)), now));
    }
    states.put(id, State.ACTIVE);
  }

  private void pauseOrResume(String id) {
    if (states.containsKey(id)) {
      State state = states.get(id) == State.ACTIVE ? State.PAUSED : State.ACTIVE;
      String revision =
          all(model).schedule(id).orElseThrow().currentRevision().orElseThrow().getRevision();
      model.write(to -> to.status(id, Optional.of(status(id, state, revision)), now));
      states.put(id, state);
    }
  }

  private void delete(String id) {
    if (states.containsKey(id)) {
      Revision ended =
          Revision.newBuilder(all(model).schedule(id).orElseThrow().revision().orElseThrow())
              .setEndedAt(now)
              .setEndedBy(RevisionEnd.DELETED)
              .build();
      model.write(to -> to.deleted(id));
      model.write(to -> to.revision(ended, now));
      model.write(to -> to.status(id, Optional.empty(), now));
      states.remove(id);
    }
  }

  private ScheduleStatus status(String id, State state, String revision) {
    return ScheduleStatus.newBuilder()
        .setScheduleId(id)
        .setState(state)
        .setRevision(revision)
        .setSince(now)
        .build();
  }

  private void fire(String id, SplittableRandom random) {
    if (!states.containsKey(id) && random.nextInt(10) > 0) {
      return;
    }
    Instant occurrence = now.minusMillis(random.nextInt(5_000));
    model.write(
        to ->
            to.fired(
                Fire.newBuilder()
                    .setFireId("")
                    .setScheduleId(id)
                    .setOccurrence(occurrence)
                    .setDue(occurrence)
                    .setFiredAt(now)
                    .setCause(Cause.SCHEDULED)
                    .setRevision("")
                    .setSchedule(
                        Schedule.newBuilder().setTrigger(new CronTrigger("* * * * *")).build())
                    .build(),
                3,
                offset++));
    fires.add(new KnownFire(id, occurrence, now));
    firesByMinute.merge(now.getEpochSecond() / 60, 1L, Long::sum);
  }

  private void report(SplittableRandom random) {
    if (fires.isEmpty()) {
      return;
    }
    KnownFire fire = fires.get(fires.size() - 1 - random.nextInt(Math.min(fires.size(), 200)));
    OutcomeState state = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
    fires.stream()
        .skip(Math.max(0, fires.size() - capacity))
        .filter(f -> f.id.equals(fire.id) && f.occurrence.equals(fire.occurrence))
        .reduce((older, newer) -> newer)
        .orElseThrow()
        .reports
        .add(state);
    model.write(
        to ->
            to.reported(
                Outcome.newBuilder()
                    .setFireKey(FireKey.of(ScheduleId.parse(fire.id), fire.occurrence).text())
                    .setState(state)
                    .build(),
                now,
                now));
  }

  private void miss(String id, SplittableRandom random) {
    Missed record =
        Missed.newBuilder()
            .setScheduleId(id)
            .setRevision("")
            .setFirst(now.minusSeconds(60))
            .setLast(now)
            .setCount(1 + random.nextInt(5))
            .setReason(MissedReason.GRACE)
            .setDecidedAt(now)
            .build();
    model.write(to -> to.missed(record));
    missed.add(record);
  }

  private void compare(String when) {
    Map<String, State> listed = new TreeMap<>();
    Optional<String> after = Optional.empty();
    do {
      SchedulePage page =
          all(model).page(ScheduleFilter.ALL, id -> true, SchedulePage.Order.BY_ID, after, 7);
      assertThat(page.total()).as(when).isEqualTo(states.size());
      page.rows().forEach(row -> listed.put(row.id(), State.valueOf(row.state())));
      after = page.after();
    } while (after.isPresent());
    assertThat(listed).as(when).isEqualTo(states);
    List<KnownFire> kept = fires.subList(Math.max(0, fires.size() - capacity), fires.size());
    for (int i = 0; i < SCHEDULES; i++) {
      String id = "schedule-" + i;
      List<KnownFire> own = new ArrayList<>(kept.stream().filter(f -> f.id.equals(id)).toList());
      Collections.reverse(own);
      List<FiredOccurrence> found = all(model).fires(id, Integer.MAX_VALUE);
      assertThat(found).as(when + ", " + id).hasSameSizeAs(own);
      for (int n = 0; n < own.size(); n++) {
        assertThat(found.get(n).occurrence()).isEqualTo(own.get(n).occurrence);
        assertThat(found.get(n).firedAt()).isEqualTo(own.get(n).firedAt);
        assertThat(found.get(n).outcome()).as(when).isEqualTo(own.get(n).outcome());
      }
      List<Missed> ownMissed = missed.stream().filter(m -> m.getScheduleId().equals(id)).toList();
      assertThat(all(model).missed(id, Integer.MAX_VALUE)).as(when).hasSameSizeAs(ownMissed);
    }
    Overview overview = all(model).overview(id -> true, now);
    for (Overview.Minute minute : overview.minutes()) {
      assertThat(minute.fires())
          .as(when)
          .isEqualTo(firesByMinute.getOrDefault(minute.at().getEpochSecond() / 60, 0L));
    }
    for (State state : State.values()) {
      assertThat(overview.states().getOrDefault(state, 0L))
          .as(when)
          .isEqualTo(states.values().stream().filter(state::equals).count());
    }
  }

  /** One thread asks. */
  private static ModelQueries all(ReadModel model) {
    return model.read(queries -> queries);
  }
}
