package io.waterclock.topology.scheduler.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an edit of a schedule's limit means for the fires of the definition before it. */
final class WithdrawalsTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");
  private static final Instant LATER = START.plus(Duration.ofMinutes(35));

  private final KeyValueStore<Bytes, byte[]> progress =
      Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();

  private TaskContext task = TestTask.with(progress);

  private Optional<ScheduleState> state = Optional.empty();

  private static Event.Defined defined(@Nullable String limit, Overlap overlap, Instant at) {
    return new Event.Defined(
        Schedule.newBuilder()
            .setTrigger(
                EveryTrigger.newBuilder()
                    .setN(10)
                    .setUnit(Unit.MINUTE)
                    .setAnchor(Instant.EPOCH)
                    .build())
            .setTimezone("UTC")
            .setCatchUp(CatchUp.REPLAY)
            .setOverlap(overlap)
            .setLimit(limit)
            .build(),
        "waterclock.schedules-0@" + at.toEpochMilli(),
        at);
  }

  /** Each record for the limiter and each fire: its topic, its limit and its note. */
  private List<String> apply(Event event, Instant now) {
    return outgoing(event, now).stream()
        .filter(sent -> sent.sink() == Sink.FIRES || sent.sink() == Sink.WAITING)
        .map(WithdrawalsTest::text)
        .toList();
  }

  private List<String> decideAll(Instant now) {
    List<String> all = new ArrayList<>();
    while (task.encoder()
        .pending(state.orElseThrow())
        .filter(next -> !next.due().isAfter(now))
        .isPresent()) {
      all.addAll(apply(new Event.Due(), now));
    }
    return all;
  }

  private List<Outgoing> outgoing(Event event, Instant now) {
    EncodedDecision encoded = task.encoder().of(ID, state, event, now);
    task.applier().apply(state, encoded);
    state = encoded.decision().state();
    return encoded.outgoing();
  }

  private static String text(Outgoing sent) {
    return sent.sink() == Sink.FIRES
        ? "starts"
        : WaitingNote.group(sent.record().headers()).orElseThrow()
            + " "
            + WaitingNote.of(sent.record().headers()).text().split(" ")[0];
  }

  @Test
  void what_the_definition_before_an_edit_still_fires_waits_for_the_limit_in_force() {
    apply(defined("etl", Overlap.ALLOW, START), START);
    assertThat(apply(defined("partner", Overlap.ALLOW, LATER), LATER)).containsExactly("etl moved");
    assertThat(decideAll(LATER)).containsExactly("partner fire", "partner fire", "partner fire");
    assertThat(apply(new Event.Deleted(LATER), LATER)).containsExactly("partner withdrawn");
  }

  @Test
  void without_a_limit_it_starts_at_once() {
    apply(defined("etl", Overlap.ALLOW, START), START);
    assertThat(apply(defined(null, Overlap.ALLOW, LATER), LATER)).containsExactly("etl moved");
    assertThat(decideAll(LATER)).containsExactly("starts", "starts", "starts");
  }

  /** The limiter says when it has started, so it gets it. */
  @Test
  void nor_does_one_wait_of_which_the_scheduler_must_know_the_start() {
    apply(defined("etl", Overlap.SKIP, START), START);
    assertThat(apply(defined(null, Overlap.SKIP, LATER), LATER)).containsExactly("etl moved");
    assertThat(decideAll(LATER)).containsExactly("etl fire", "etl moved");
  }

  /** A definition may say 36,600 days. */
  @Test
  void a_fire_may_run_no_longer_than_the_limiter_takes() {
    Event.Defined defined = defined("etl", Overlap.ALLOW, START);
    defined.schedule().setTimeoutMs(Duration.ofDays(36_600).toMillis());
    apply(defined, START);
    Outgoing fire = outgoing(new Event.Due(), START.plus(Duration.ofMinutes(10))).get(0);
    assertThat(WaitingNote.of(fire.record().headers()))
        .isInstanceOfSatisfying(
            WaitingNote.Fire.class,
            note -> assertThat(note.terms().timeout()).contains(WaitingNote.LONGEST_RUN));
  }

  /** Their times tell the limiter their order. */
  @Test
  void two_moves_have_two_times_however_fast_they_are_read() {
    apply(defined("etl", Overlap.ALLOW, START), START);
    List<Long> times = new ArrayList<>(move("partner", START));
    times.addAll(move("night", START));
    assertThat(times).doesNotHaveDuplicates().isSorted().hasSize(2);
  }

  private List<Long> move(String limit, Instant now) {
    return outgoing(defined(limit, Overlap.ALLOW, START), now).stream()
        .filter(sent -> sent.sink() == Sink.WAITING)
        .map(sent -> sent.record().timestamp())
        .toList();
  }

  /** What it held is due and decided, whether the limiter has started it or not. */
  @Test
  void a_pause_withdraws_what_waits_unless_it_is_read_after_its_resume() {
    ResumeCommand resume = ResumeCommand.newBuilder().setOnResume(OnResume.NOTHING).build();
    apply(defined("etl", Overlap.ALLOW, START), START);
    assertThat(decideAll(LATER)).containsExactly("etl fire", "etl fire", "etl fire");
    Instant paused = LATER.plusSeconds(1);
    assertThat(apply(commanded(resume, paused.plusSeconds(1)), paused.plusSeconds(2))).isEmpty();
    assertThat(apply(commanded(pause(), paused), paused.plusSeconds(2))).isEmpty();
    assertThat(apply(commanded(pause(), paused.plusSeconds(2)), paused.plusSeconds(2)))
        .containsExactly("etl withdrawn");
  }

  private static PauseCommand pause() {
    return new PauseCommand(null, null, false);
  }

  private static Event.Commanded commanded(Object action, Instant at) {
    Command command =
        Command.newBuilder().setCommandId("c-" + at.toEpochMilli()).setAction(action).build();
    return new Event.Commanded(command, at, "waterclock.commands-0@" + at.toEpochMilli());
  }

  /** The time of a partition is stored every few seconds, and two clocks differ. */
  @Test
  void the_second_is_later_when_another_instance_with_a_clock_behind_sends_it() {
    apply(defined("etl", Overlap.ALLOW, START), START);
    List<Long> times = new ArrayList<>(move("partner", LATER));
    task = TestTask.with(progress);
    times.addAll(move("night", LATER.minusSeconds(3)));
    times.addAll(move("etl", LATER.minusSeconds(2)));
    assertThat(times).doesNotHaveDuplicates().isSorted().hasSize(3);
  }

  @Test
  void or_when_many_others_were_withdrawn_in_the_same_millisecond() {
    List<Long> times = new ArrayList<>();
    times.add(withdrawn(ID));
    for (int i = 0; i < 2_000; i++) {
      withdrawn(ScheduleId.parse("b" + i));
    }
    times.add(withdrawn(ID));
    assertThat(times).doesNotHaveDuplicates().isSorted();
  }

  private long withdrawn(ScheduleId id) {
    LimitName limit = new LimitName("etl");
    WaitingNote deleted = new WaitingNote.Withdrawn(MissedReason.DELETED);
    return task.encoder().records().withdrawal(id, limit, deleted, START).record().timestamp();
  }
}
