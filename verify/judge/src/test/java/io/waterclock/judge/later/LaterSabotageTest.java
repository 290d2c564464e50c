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
      sent.add(new DelayedRecords.Sent("k" + n, Integer.toString(n), n * 10_000L, n));
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
    assertThat(sent.cancelled()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(LaterSabotage.class)
  void a_planted_fault_is_found(LaterSabotage sabotage) {
    send(1, 2, 3);
    sent.cancelled("1", 3_000);
    arrive(2, 3);
    assertThat(findings()).isEmpty();
    assertThat(sabotage.plantIn(arrived, sent)).isTrue();
    assertThat(findings()).isNotEmpty();
  }
}
