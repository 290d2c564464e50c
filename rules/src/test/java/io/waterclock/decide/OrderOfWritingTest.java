package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Pause;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What was written while the scheduler was down has the same effect in any order of reading: that
 * of the order in which it was written.
 */
class OrderOfWritingTest {
  private static final Pattern MISSED =
      Pattern.compile("(\\S+?)(?:\\.\\.(\\S+))? (PAUSED|GRACE|COLLAPSED_INTO)\\b.*");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10:05 pause, 10:25 resume",
        "10:05 resume, 10:25 pause",
        "10:05 pause, 10:25 resume, 10:35 pause",
        "10:05 pause, 10:15 pause, 10:35 resume",
        "10:05 resume, 10:15 pause, 10:35 resume",
        "10:05 pause, 10:25 resume, 10:35 pause, 10:55 resume",
        "10:05 pause, 10:25 fire_once",
        "10:05 fire_once, 10:25 pause",
        "10:05 pause, 10:25 fire_once, 10:35 pause",
        "10:05 pause, 10:05 pause, 10:25 resume"
      })
  void pauses_and_resumes_act_as_they_were_written_in_any_order_of_reading(String written) {
    List<String> records = List.of(written.split(", "));
    for (CatchUp policy : CatchUp.values()) {
      Life inOrder = readInOutage(policy, records);
      for (List<String> order : orders(records)) {
        Life a = readInOutage(policy, order);
        assertThat(a.state().life()).as("%s %s", policy, order).isEqualTo(inOrder.state().life());
        assertThat(a.fires()).as("%s %s", policy, order).isEqualTo(inOrder.fires());
        assertThat(account(a)).as("%s %s", policy, order).isEqualTo(account(inOrder));
      }
    }
  }

  @Test
  void a_resume_and_a_later_pause_leave_the_schedule_paused_and_the_late_one_is_told() {
    Life resumeLast = running().commandLate("10:12", "10:45", "\"pause\": {}");
    resumeLast.commandLate("10:05", "10:45", "\"resume\": {}");
    assertThat(resumeLast.answer())
        .startsWith("CONFLICT resume: was written at 2026-03-04T10:05:00Z")
        .contains("the pause in force at 2026-03-04T10:12:00Z");
    assertThat(resumeLast.state().life()).isEqualTo(State.PAUSED);
    Life pauseLast = running().commandLate("10:12", "10:45", "\"resume\": {}").tick("10:45");
    pauseLast.commandLate("10:05", "10:46", "\"pause\": {}");
    assertThat(pauseLast.answer())
        .startsWith("CONFLICT pause: was written at 2026-03-04T10:05:00Z")
        .contains("a resume at 2026-03-04T10:12:00Z");
    assertThat(pauseLast.state().life()).isEqualTo(State.ACTIVE);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          pause,  resume, 0, ACTIVE
          resume, pause,  0, PAUSED
          pause,  resume, 1, PAUSED
          resume, pause,  1, PAUSED
          """)
  void in_a_tie_the_later_offset_wins_and_across_partitions_the_pause(
      String first, String second, int partition, State life) {
    Life a = running().commandLate("10:12", "10:45", "\"" + first + "\": {}");
    a.from(partition).commandLate("10:12", "10:46", "\"" + second + "\": {}");
    assertThat(a.state().life()).isEqualTo(life);
  }

  @Test
  void of_pauses_the_first_says_since_when_and_the_last_why() {
    for (List<String> order : orders(List.of("10:05 first", "10:15 second", "10:25 third"))) {
      Life a = running();
      order.forEach(
          it ->
              a.commandLate(it.substring(0, 5), "10:45", "\"pause\": {\"note\": \"" + it + "\"}"));
      Pause pause = a.state().commanded().pause().orElseThrow();
      assertThat(pause.since()).as("%s", order).isEqualTo(Life.at("10:05"));
      assertThat(pause.note()).as("%s", order).contains("10:25 third");
    }
  }

  /** The schedule was over at 10:00, and removed an hour later if the scheduler was up. */
  @ParameterizedTest
  @CsvSource({"10:40, 10:45", "10:45, 10:45", "11:05, 11:08"})
  void a_pause_of_what_was_over_holds_what_was_defined_before_it(String defined, String paused) {
    for (UnaryOperator<Schedule.Builder> edit :
        List.<UnaryOperator<Schedule.Builder>>of(d -> d, d -> d.setTrigger(Life.every(10)))) {
      Life inOrder = over();
      inOrder.editLate(defined, "11:20", edit).commandLate(paused, "11:20", "\"pause\": {}");
      Life pauseFirst = over();
      pauseFirst.commandLate(paused, "11:20", "\"pause\": {}").editLate(defined, "11:20", edit);
      for (Life each : List.of(inOrder, pauseFirst)) {
        each.tick("12:10").command("12:15", "\"resume\": {}").tick("12:30");
      }
      assertThat(pauseFirst.fires()).isEqualTo(inOrder.fires());
      assertThat(account(pauseFirst)).isEqualTo(account(inOrder));
    }
  }

  private static Life over() {
    OnceTrigger soon = OnceTrigger.newBuilder().setInMs(300_000L).build();
    return Life.of(soon, CatchUp.REPLAY).put("09:55").tick("10:00");
  }

  @Test
  void failures_from_before_a_resume_do_not_pause_in_any_order_of_reading() {
    for (List<String> order : orders(List.of("10:01 10:00", "10:11 10:10", "10:25 resume"))) {
      Life a = pausingAfterTwo().tick("10:00").tick("10:10");
      order.forEach(it -> read(a, it, "10:28"));
      assertThat(a.state().life()).as("%s", order).isEqualTo(State.ACTIVE);
      a.tick("10:30").report("10:31", "10:30", OutcomeState.FAILED);
      assertThat(a.state().life()).as("%s: one since", order).isEqualTo(State.ACTIVE);
      a.tick("10:40").report("10:41", "10:40", OutcomeState.FAILED);
      assertThat(a.state().life()).as("%s: two since", order).isEqualTo(State.PAUSED);
    }
  }

  @Test
  void a_failure_of_before_a_resume_and_one_of_after_it_pause_when_both_are_told() {
    for (List<String> order : orders(List.of("10:01 10:00", "10:31 10:30"))) {
      Life a = pausingAfterTwo().tick("10:00").tick("10:10").command("10:25", "\"resume\": {}");
      a.tick("10:20").tick("10:30");
      order.forEach(it -> read(a, it, "10:35"));
      assertThat(a.state().life()).as("%s", order).isEqualTo(State.PAUSED);
    }
  }

  /** Live, an occurrence that is due is decided at once. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          skip,   10:10, REJECTED occurrence: 10:10 is decided already; the nearest is 10:20
          skip,   10:20, EXECUTED
          unskip, 10:10, REJECTED occurrence: 10:10 is decided already; the nearest is 10:20
          unskip, 10:20, EXECUTED
          """)
  void a_skip_of_what_was_due_when_it_was_written_is_refused_as_if_it_had_been_read_then(
      String command, String occurrence, String answer) {
    String action = "\"" + command + "\": {\"occurrence\": \"" + Life.at(occurrence) + "\"}";
    for (String jitter : List.of("PT0S", "PT5M")) {
      Life live = skipping(command, occurrence, jitter).tick("10:10").tick("10:19");
      live.commandLate("10:19", "10:19", action);
      Life read = skipping(command, occurrence, jitter);
      read.commandLate("10:19", "10:45", action);
      for (Life a : List.of(live, read)) {
        assertThat(a.answer().startsWith("EXECUTED")).isEqualTo(answer.startsWith("EXECUTED"));
      }
      assertThat(
              read.answer()
                  .strip()
                  .replaceAll("2026-03-04T(..:..):00Z", "$1")
                  .replaceAll("; for example .*", ""))
          .isEqualTo(answer);
      assertThat(occurrences(read.tick("10:45"))).isEqualTo(occurrences(live.tick("10:45")));
    }
  }

  @Test
  void what_a_run_or_a_pause_held_back_when_the_skip_was_written_is_still_skipped() {
    String skip = "\"skip\": {\"occurrence\": \"" + Life.at("10:10") + "\"}";
    Life buffered =
        Life.everyTenMinutes(CatchUp.REPLAY)
            .with(d -> d.setOverlap(Overlap.BUFFER_ONE).setTimeoutMs(1_500_000L))
            .put("09:55")
            .tick("10:00");
    buffered.commandLate("10:15", "10:45", skip).tick("10:45");
    assertThat(buffered.missed()).contains("10:10 SKIPPED of r0");
    Life late =
        Life.everyTenMinutes(CatchUp.REPLAY)
            .with(d -> d.setOverlap(Overlap.BUFFER_ONE).setTimeoutMs(1_500_000L))
            .put("09:55")
            .tick("10:00");
    assertThat(late.commandLate("10:26", "10:45", skip).answer()).startsWith("REJECTED");
    Life paused = running().command("10:05", "\"pause\": {}").commandLate("10:15", "10:45", skip);
    assertThat(paused.answer()).startsWith("EXECUTED");
  }

  /** A schedule that is over is removed an hour later; the same definition then begins anew. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # trigger | most | second put | fires
          in 1h     |      | 12:20      | 10:00 13:20
          in 1h     |      | 10:59      | 10:00
          in 1h     |      | 11:10      | 10:00 12:10
          at 10:00  |      | 12:20      | 10:00
          now       |      | 12:20      | 09:00 12:20
          every 10m | 3    | 12:20      | 09:10 09:20 09:30 12:30 12:40 12:50
          every 10m | 3    | 10:20      | 09:10 09:20 09:30
          grid 10m  | 3    | 12:25      | 09:10 09:20 09:30 12:30 12:40 12:50
          grid 10m  |      | 12:25      | 09:10 09:20 and so on
          """)
  void an_equal_definition_begins_a_new_life_if_the_schedule_was_over_when_it_was_written(
      String trigger, @Nullable Long most, String secondPut, String fires) {
    boolean goesOn = fires.endsWith("and so on");
    for (UnaryOperator<Schedule.Builder> edit :
        List.<UnaryOperator<Schedule.Builder>>of(d -> d, d -> d.setDescription("new"))) {
      Life live = of(trigger, most).put("09:00").tick("09:00");
      boolean isPutAgain = false;
      for (int minute = 9 * 60 + 5; minute <= 14 * 60; minute += 5) {
        String time = "%02d:%02d".formatted(minute / 60, minute % 60);
        if (time.compareTo(secondPut) >= 0 && !isPutAgain) {
          isPutAgain = true;
          live.edit(secondPut, edit);
        }
        live.tick(time);
        if (!live.isGone()) {
          live.review(time);
        }
      }
      Life down = of(trigger, most).put("09:00").tick("09:00");
      down.with(edit).putLate(secondPut, "12:26").tick("12:26").tick("14:00");
      assertThat(occurrences(down)).isEqualTo(occurrences(live));
      if (!goesOn) {
        assertThat(occurrences(down)).containsExactly(fires.split(" "));
      }
    }
  }

  private static Life of(String trigger, @Nullable Long most) {
    Object parsed =
        switch (trigger.split(" ")[0]) {
          case "in" -> OnceTrigger.newBuilder().setInMs(3_600_000L).build();
          case "now" -> OnceTrigger.newBuilder().setInMs(0L).build();
          case "at" -> Life.once("10:00");
          case "every" -> Life.everyWithoutAnchor(10);
          default -> Life.every(10);
        };
    return Life.of(parsed, CatchUp.REPLAY).with(d -> d.setMaxOccurrences(most));
  }

  private static Life skipping(String command, String occurrence, String jitter) {
    Life a =
        Life.everyTenMinutes(CatchUp.REPLAY)
            .with(d -> d.setJitterMs(Duration.parse(jitter).toMillis()))
            .put("09:55")
            .tick("10:05");
    return command.equals("skip")
        ? a
        : a.command("10:06", "\"skip\": {\"occurrence\": \"" + Life.at(occurrence) + "\"}");
  }

  /** The occurrences that fired, regardless of lateness. */
  private static List<String> occurrences(Life a) {
    return a.fires().stream().map(line -> line.substring(0, 5)).toList();
  }

  private static Life running() {
    return Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
  }

  private static Life pausingAfterTwo() {
    return Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setPauseAfterFailures(2)).put("09:55");
  }

  /** The scheduler is down from 10:01 to 10:58, when it reads the records. */
  private static Life readInOutage(CatchUp policy, List<String> order) {
    Life a = Life.everyTenMinutes(policy).put("09:55").tick("10:00");
    order.forEach(it -> read(a, it, "10:58"));
    return a.tick("10:58").tick("11:00").command("11:05", "\"resume\": {}").tick("11:10");
  }

  private static void read(Life a, String record, String now) {
    String[] words = record.split(" ");
    switch (words[1]) {
      case "pause", "resume" -> a.commandLate(words[0], now, "\"" + words[1] + "\": {}");
      case "fire_once" ->
          a.commandLate(words[0], now, "\"resume\": {\"on_resume\": \"fire_once\"}");
      default -> a.reportLate(words[0], now, words[1], OutcomeState.FAILED);
    }
  }

  private static List<List<String>> orders(List<String> records) {
    if (records.isEmpty()) {
      return List.of(List.of());
    }
    return records.stream()
        .flatMap(
            first -> {
              List<String> rest = new ArrayList<>(records);
              rest.remove(first);
              return orders(rest).stream()
                  .map(order -> Stream.concat(Stream.of(first), order.stream()).toList());
            })
        .toList();
  }

  /** The reason of each missed occurrence. */
  private static Map<String, String> account(Life a) {
    Map<String, String> reasons = new TreeMap<>();
    for (String line : a.missed()) {
      Matcher range = MISSED.matcher(line);
      assertThat(range.matches()).as(line).isTrue();
      Instant last = Life.at(range.group(2) == null ? range.group(1) : range.group(2));
      for (Instant at = Life.at(range.group(1));
          !at.isAfter(last);
          at = at.plus(Duration.ofMinutes(10))) {
        assertThat(reasons.put(Life.time(at), range.group(3))).as(line).isNull();
      }
    }
    return reasons;
  }
}
