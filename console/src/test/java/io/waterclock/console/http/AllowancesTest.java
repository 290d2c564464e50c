package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AllowancesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private long nowNs;
  private final Allowances allowances = new Allowances(() -> nowNs);

  private int requests(String who, long cpuNs, long atNs) {
    nowNs = atNs;
    int answered = 0;
    while (answered < 1_000_000 && allowances.hasLeft(who)) {
      allowances.spend(who, cpuNs);
      answered++;
    }
    return answered;
  }

  @Test
  void flood_of_cheap_requests_gets_a_share_of_a_processor() {
    int atOnce = requests("ann", 1, 0);
    assertThat(atOnce).isEqualTo((int) (Allowances.WHOLE.toNanos() / Allowances.LEAST.toNanos()));
    assertThat(requests("ann", 1, 0)).isZero();
    long perSecond = SECOND / Allowances.BACK_IN / Allowances.LEAST.toNanos();
    assertThat((long) requests("ann", 1, SECOND)).isBetween(perSecond - 1, perSecond + 1);
  }

  @Test
  void costly_requests_use_it_up_sooner() {
    assertThat(requests("ann", Allowances.WHOLE.toNanos() / 4, 0)).isEqualTo(4);
  }

  @Test
  void one_who_floods_leaves_the_others_theirs() {
    requests("ann", 1, 0);
    assertThat(requests("bob", 1, 0)).isPositive();
  }

  @Test
  void many_who_flood_share_the_allowance_of_all() {
    long all = 0;
    for (int i = 0; i < 50; i++) {
      all += requests("person " + i, 1, 0);
    }
    assertThat(all)
        .isEqualTo((long) Allowances.ALL * Allowances.WHOLE.toNanos() / Allowances.LEAST.toNanos());
  }

  @Test
  void two_who_flood_for_long_leave_some_to_a_third() {
    long stepNs = Duration.ofMillis(1).toNanos();
    long seconds = 600;
    long flood = 0;
    int third = 0;
    for (nowNs = 0; nowNs < seconds * SECOND; nowNs += stepNs) {
      for (String who : List.of("ann", "bob")) {
        if (allowances.hasLeft(who)) {
          allowances.spend(who, 1);
          flood++;
        }
      }
      if (nowNs % SECOND == SECOND / 2 && allowances.hasLeft("eve")) {
        allowances.spend("eve", 1);
        third++;
      }
    }
    assertThat(third).isEqualTo((int) seconds);
    long all = seconds * Allowances.ALL * SECOND / Allowances.BACK_IN / Allowances.LEAST.toNanos();
    assertThat(flood).as("what the third leaves").isGreaterThan(all - third);
  }

  @Test
  void what_was_not_used_for_long_is_no_more_than_the_whole() {
    requests("ann", 1, 0);
    int atOnce = (int) (Allowances.WHOLE.toNanos() / Allowances.LEAST.toNanos());
    assertThat(requests("ann", 1, 3_600 * SECOND)).isEqualTo(atOnce);
  }
}
