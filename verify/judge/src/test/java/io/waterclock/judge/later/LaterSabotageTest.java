package io.waterclock.judge.later;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.judge.Entry;
import io.waterclock.judge.Health;
import io.waterclock.judge.Terms;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The instants of records, in milliseconds. */
final class LaterSabotageTest {
  private final DelayedRecords sent = new DelayedRecords();
  private final List<Entry<byte[]>> arrived = new ArrayList<>();

  private static Terms terms() {
    Health none = new Health();
    return new Terms(
        none,
        none,
        new Terms.Consumers(none, none, List.of(), false, fire -> false),
        new Terms.Patience(0, 0, 0),
        200_000,
        400_000,
        0);
  }

  private void send(int... numbers) {
    for (int n : numbers) {
      sent.add(new DelayedRecords.Sent("k" + n, Integer.toString(n), n * 10_000L, n, "line" + n));
    }
  }

  /** All for one instant. */
  private void sendInLine(int... numbers) {
    for (int n : numbers) {
      sent.add(new DelayedRecords.Sent("k" + n, Integer.toString(n), 50_000, n, "line"));
    }
  }

  private void arrive(int... numbers) {
    for (int n : numbers) {
      String number = Integer.toString(n);
      arrived.add(
          new Entry<>(
              "t",
              0,
              arrived.size(),
              "k" + n,
              Optional.of(number.getBytes(StandardCharsets.UTF_8)),
              Map.of("own", number, "waterclock-id", "later/" + n),
              n * 10_000L,
              n * 10_000L,
              n * 10_000L));
    }
  }

  private List<String> findings() {
    return sent.findings(arrived, List.of(), terms());
  }

  @Test
  void what_arrives_once_is_right_and_what_is_not_due_may_be_away() {
    send(1, 2, 21);
    arrive(1, 2);
    assertThat(findings()).isEmpty();
  }

  @Test
  void what_was_cancelled_in_time_does_not_arrive() {
    send(1, 2, 3);
    sent.cancelled("1", 3_000);
    sent.cancelled("2", 19_000); // a process that was held up may have decided it
    sent.mayStay("3");
    assertThat(findings()).isEmpty();
    arrive(2, 3);
    assertThat(findings()).isEmpty();
    arrive(1);
    assertThat(findings()).singleElement().asString().contains("was cancelled");
    assertThat(sent.stopped()).isEqualTo(1);
  }

  @Test
  void what_was_answered_does_not_arrive_however_soon_it_was_due() {
    send(1, 2);
    sent.answered("1", 9_999);
    sent.answered("2", 20_000);
    arrive(2);
    assertThat(findings()).isEmpty();
    arrive(1);
    assertThat(findings()).singleElement().asString().contains("was cancelled or moved");
  }

  @Test
  void of_two_records_with_one_name_the_second_arrives_or_the_first_did_and_was_not_due_before() {
    send(2, 1, 3);
    sent.moves("2", "1"); // to an earlier instant
    arrive(3);
    assertThat(findings()).singleElement().asString().contains("k1=1").contains("0 times");
    arrive(2);
    assertThat(findings()).isEmpty();
    sent.moves("2", "3"); // to a later one, which counts though the first has arrived
    arrived.remove(0);
    assertThat(findings()).singleElement().asString().contains("k3=3").contains("0 times");
    assertThat(sent.moved()).isEqualTo(2);
  }

  @Test
  void records_of_one_line_and_instant_arrive_in_their_order() {
    sendInLine(5, 6, 7);
    arrive(5, 6, 7);
    assertThat(findings()).isEmpty();
    arrived.clear();
    arrive(6, 5, 7);
    assertThat(findings()).singleElement().asString().contains("arrived after");
  }

  @ParameterizedTest
  @EnumSource(LaterSabotage.class)
  void a_planted_fault_is_found(LaterSabotage sabotage) {
    send(1, 2, 3, 4);
    sent.cancelled("1", 3_000);
    sent.moves("3", "4");
    sent.answered("3", 20_000);
    sendInLine(5, 6);
    arrive(2, 4, 5, 6);
    assertThat(findings()).isEmpty();
    assertThat(sabotage.plantIn(arrived, sent)).isTrue();
    assertThat(findings()).isNotEmpty();
  }
}
