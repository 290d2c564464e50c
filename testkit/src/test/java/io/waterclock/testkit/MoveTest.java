package io.waterclock.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * Whether a scheduler is stopped and started, or its schedules are exported and another one imports
 * them: the same occurrences fire, and the same ones are missed.
 */
class MoveTest {
  private static final Instant START = Instant.parse("2026-03-28T12:00:30Z");
  private static final Duration TICK = Duration.ofSeconds(10);
  private static final int TRACES =
      Integer.getInteger("waterclock.traces", 4 * Integer.getInteger("waterclock.depth", 1));
  private static final List<String> TRIGGERS =
      List.of(
          "\"every\":\"7m\"",
          "\"every\":\"1m\",\"max_occurrences\":45",
          "\"cron\":\"*/5 * * * *\",\"timezone\":\"Europe/Berlin\"",
          "\"cron\":\"*/3 * * * *\",\"jitter\":\"90s\"",
          "\"cron\":\"*/4 * * * *\",\"except\":[\"saturdays\"],\"on_excluded\":\"next_working_day\"",
          "\"in\":\"PT40M\"",
          "\"at\":\"2026-03-28T12:50:00Z\"",
          "\"at\":\"2026-03-28T11:00:00Z\"",
          "\"rrule\":\"FREQ=MINUTELY;INTERVAL=11;COUNT=5\"");

  @Test
  void a_move_is_no_more_than_an_outage() {
    long first = Long.getLong("waterclock.seed", 4_711L);
    for (long seed = first; seed < first + TRACES; seed++) {
      compare(seed);
    }
  }

  private static void compare(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (SchedulerHarness stayed = Harnesses.ticking(START, TICK);
        SchedulerHarness left = Harnesses.ticking(START, TICK)) {
      List<SchedulerHarness> both = List.of(stayed, left);
      both.forEach(one -> one.putCalendar("saturdays", "{\"weekdays\":[\"SAT\"]}"));
      Set<String> gone = new HashSet<>();
      live(random, both, 30, Set.of(), gone);
      both.forEach(SchedulerHarness::stop);
      Duration outage = Duration.ofSeconds(random.nextInt(3_600));
      both.forEach(one -> one.step(outage));
      try (SchedulerHarness moved = Harnesses.ticking(left.now(), TICK)) {
        moved.putCalendar("saturdays", "{\"weekdays\":[\"SAT\"]}");
        moved.stop();
        move(left, moved);
        moved.start();
        stayed.start();
        live(random, List.of(stayed, moved), 60, Set.copyOf(gone), new HashSet<>());
        assertThat(Stream.concat(fires(left), fires(moved)).sorted().toList())
            .as("fires with seed " + seed)
            .isEqualTo(fires(stayed).sorted().toList());
        assertThat(Stream.concat(missed(left), missed(moved)).sorted().toList())
            .as("missed with seed " + seed)
            .isEqualTo(missed(stayed).sorted().toList());
      }
    }
  }

  /**
   * Some things happen to some schedules, the same in all schedulers.
   *
   * @param avoided are not defined: what is gone is not moved, nor what it has decided
   * @param gone gets those that are deleted and not defined again
   */
  private static void live(
      SplittableRandom random,
      List<SchedulerHarness> all,
      int minutes,
      Set<String> avoided,
      Set<String> gone) {
    for (int minute = 0; minute < minutes; minute++) {
      String id = "s" + random.nextInt(6);
      String commandId = "c-" + all.get(0).now().getEpochSecond();
      String at =
          all.get(0)
              .now()
              .plusSeconds(random.nextInt(900))
              .truncatedTo(ChronoUnit.MINUTES)
              .toString();
      switch (random.nextInt(9)) {
        case 0, 1, 2 -> {
          String json = definition(random);
          if (!avoided.contains(id)) {
            gone.remove(id);
            all.forEach(one -> one.put(id, json));
          }
        }
        case 3 -> command(all, id, commandId, "\"pause\":{\"note\":\"n\"}");
        case 4, 5 ->
            command(
                all,
                id,
                commandId,
                random.nextBoolean()
                    ? "\"resume\":{}"
                    : "\"resume\":{\"on_resume\":\"fire_once\"}");
        case 6 -> command(all, id, commandId, "\"skip\":{\"occurrence\":\"" + at + "\"}");
        case 7 -> {
          if (random.nextInt(4) == 0) {
            gone.add(id);
            all.forEach(one -> one.delete(id));
          }
        }
        default -> {
          Duration lost = Duration.ofSeconds(random.nextInt(600));
          all.forEach(one -> one.step(lost));
        }
      }
      all.forEach(one -> one.advance(Duration.ofMinutes(1)));
    }
  }

  private static void command(
      List<SchedulerHarness> all, String id, String commandId, String action) {
    all.forEach(one -> one.command(id, "{\"command_id\":\"" + commandId + "\"," + action + "}"));
  }

  private static String definition(SplittableRandom random) {
    return "{"
        + TRIGGERS.get(random.nextInt(TRIGGERS.size()))
        + ",\"catch_up\":\""
        + List.of("skip", "collapse", "replay").get(random.nextInt(3))
        + "\",\"description\":\""
        + random.nextInt(3)
        + "\",\"enabled\":"
        + (random.nextInt(8) > 0)
        + "}";
  }

  private static void move(SchedulerHarness from, SchedulerHarness to) {
    StateCopy copy = new StateCopy();
    from.store("schedules").forEach((key, value) -> copy.takeDefinition(key.get(), value));
    from.store("progress").forEach((key, value) -> copy.takeProgress(key.get(), value));
    List<ScheduleState> states = new ArrayList<>();
    copy.forEach(states::add);
    for (ScheduleState state : states) {
      RecordHeaders headers = new RecordHeaders();
      headers.add(
          HeaderNames.IMPORT,
          RecordCodecs.exportedState().encode(ExportedStates.of(state), WireFormat.AVRO));
      to.send(
          state.id().value(),
          RecordCodecs.schedule().encode(state.current().schedule(), WireFormat.AVRO),
          state.current().writtenAt(),
          headers);
    }
  }

  private static Stream<String> fires(SchedulerHarness harness) {
    return harness.fires().stream()
        .map(
            (Fire fire) ->
                fire.getScheduleId()
                    + " "
                    + fire.getOccurrence()
                    + " "
                    + fire.getCause()
                    + " "
                    + fire.getCollapsed()
                    + " "
                    + new String(
                        RecordCodecs.schedule().encode(fire.getSchedule(), WireFormat.JSON),
                        UTF_8));
  }

  private static Stream<String> missed(SchedulerHarness harness) {
    return harness.missed().stream()
        .map(
            (Missed missed) ->
                missed.getScheduleId()
                    + " "
                    + missed.getFirst()
                    + " "
                    + missed.getLast()
                    + " "
                    + missed.getCount()
                    + " "
                    + missed.getReason());
  }
}
