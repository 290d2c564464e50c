package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Count;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SplittableRandom;

/** What is true of every trigger at every instant. */
final class TriggerProperties {

  private TriggerProperties() {}

  static void hold(Trigger trigger, Instant t, SplittableRandom random, String what) {
    Optional<Instant> next = trigger.nextAfter(t);
    Optional<Instant> last = trigger.lastAtOrBefore(t);
    if (next.isEmpty()) {
      assertThat(trigger.lastAtOrBefore(Instant.MAX)).as(what).isEqualTo(last);
    }
    if (last.isEmpty()) {
      assertThat(trigger.nextAfter(Instant.MIN)).as(what).isEqualTo(next);
    }
    last.ifPresent(
        l -> {
          assertThat(l).as(what).isBeforeOrEqualTo(t);
          assertThat(trigger.lastAtOrBefore(l)).as(what).contains(l);
          assertThat(trigger.nextAfter(l)).as(what).isEqualTo(next);
          assertThat(trigger.nextAfter(l.minusNanos(1))).as(what).contains(l);
        });
    next.ifPresent(
        n -> {
          assertThat(n).as(what).isAfter(t);
          assertThat(n.truncatedTo(ChronoUnit.MILLIS)).as(what).isEqualTo(n);
          assertThat(trigger.lastAtOrBefore(n)).as(what).contains(n);
          assertThat(trigger.lastAtOrBefore(n.minusNanos(1))).as(what).isEqualTo(last);
          assertThat(trigger.nextAfter(n.minusNanos(1))).as(what).contains(n);
          Duration wait = Duration.between(t, n);
          Instant between = t.plusMillis((long) (random.nextDouble() * wait.toMillis()));
          assertThat(trigger.nextAfter(between)).as(what).contains(n);
          assertThat(trigger.lastAtOrBefore(between)).as(what).isEqualTo(last);
          assertThat(trigger.count(t, n, 10)).as(what).isEqualTo(new Count(1, true));
          assertThat(trigger.count(t, n.minusNanos(1), 10)).as(what).isEqualTo(new Count(0, true));
        });
    countsWhatItSteps(trigger, t, random.nextInt(2, 40), what);
  }

  private static void countsWhatItSteps(Trigger trigger, Instant t, int steps, String what) {
    Instant at = t;
    Instant first = t;
    for (int i = 1; i <= steps; i++) {
      Optional<Instant> next = trigger.nextAfter(at);
      if (next.isEmpty()) {
        assertThat(trigger.nthAfter(t, i)).as(what).isEmpty();
        return;
      }
      at = next.get();
      first = i == 1 ? at : first;
    }
    assertThat(trigger.nthAtOrBefore(at, steps, first)).as(what).contains(first);
    assertThat(trigger.nthAtOrBefore(at, steps, first.plusNanos(1))).as(what).isEmpty();
    assertThat(trigger.count(t, at, Long.MAX_VALUE)).as(what).isEqualTo(new Count(steps, true));
    assertThat(trigger.nthAfter(t, steps)).as("%s, %d.", what, steps).contains(at);
    assertThat(trigger.nthAtOrBefore(at, steps + 1L))
        .as("%s, back %d", what, steps + 1)
        .isEqualTo(trigger.lastAtOrBefore(t));
  }
}
