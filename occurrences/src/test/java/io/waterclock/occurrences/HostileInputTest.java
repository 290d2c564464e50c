package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a stranger writes is either a trigger that answers, or a typed rejection. */
class HostileInputTest {

  private static final long FIRST_SEED = Long.getLong("waterclock.seed", 1);
  private static final int SAMPLES = Integer.getInteger("waterclock.samples", 100_000);
  private static final Duration LONGEST = Duration.ofMillis(10);
  private static final Duration FOREVER = Duration.ofDays(1);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant NOW = Instant.parse("2026-03-29T00:59:59.999Z");
  private static final List<String> PIECES =
      List.of(
          "*",
          "?",
          "/",
          "-",
          ",",
          "#",
          "L",
          "W",
          "LW",
          "L-3",
          "MON",
          "jan",
          "SUN-SAT",
          "0",
          "7",
          "31",
          "59",
          "60",
          "99999999999",
          "-1",
          " ",
          "\t",
          "@daily",
          "é",
          "٣",
          "\0",
          "*/0",
          "1//2",
          "5-1/3",
          "2#6",
          "32W",
          "FRIL",
          "ı",
          "+5",
          "1.5",
          "0x1",
          "%s",
          "\\",
          "(",
          "H");

  @Test
  void random_and_mutated_expressions_are_read_or_rejected_within_ten_milliseconds() {
    readOrRejected("0 0 1 1 *"); // loads the classes
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SAMPLES; seed++) {
      String expression = expression(new SplittableRandom(seed));
      String what = "-Dwaterclock.seed=" + seed + " -Dwaterclock.samples=1: \"" + expression + "\"";
      try {
        assertThat(cpuTime(() -> readOrRejected(expression))).as(what).isLessThan(LONGEST);
      } catch (RuntimeException e) {
        throw new AssertionError(what, e);
      }
    }
  }

  private static void readOrRejected(String expression) {
    try {
      answers(Cron.parse(expression, BERLIN));
    } catch (InvalidTriggerException e) {
      assertThat(e.field()).isEqualTo("cron");
      assertThat(e.getMessage()).hasSizeLessThan(600).contains("e.g. \"" + e.example() + "\"");
    }
  }

  /**
   * What the work takes of this thread's processor, whatever else the machine does; the best of
   * three, because a collection or a compilation may fall into one.
   */
  private static Duration cpuTime(Runnable work) {
    Duration best = FOREVER;
    for (int i = 0; i < 3 && best.compareTo(LONGEST) >= 0; i++) {
      long begin = THREADS.getCurrentThreadCpuTime();
      work.run();
      Duration spent = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - begin);
      best = spent.compareTo(best) < 0 ? spent : best;
    }
    return best;
  }

  private static void answers(Trigger trigger) {
    for (Instant t : List.of(NOW, Instant.MIN, Instant.MAX, Instant.EPOCH)) {
      trigger.nextAfter(t).ifPresent(next -> assertThat(next).isAfter(t));
      trigger.lastAtOrBefore(t).ifPresent(last -> assertThat(last).isBeforeOrEqualTo(t));
    }
    assertThat(trigger.lastAtOrBefore(Instant.MAX)).isPresent();
  }

  private static String expression(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i >= 0; i--) {
        text.append(random.nextInt(3) == 0 ? " " : PIECES.get(random.nextInt(PIECES.size())));
      }
      return text.toString();
    }
    StringBuilder text = new StringBuilder(RandomCron.of(random).text());
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(5)) {
        case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(3)));
        case 2 -> text.insert(at, (char) random.nextInt(0x250));
        case 3 -> text.insert(at, text.substring(0, at).repeat(random.nextInt(1, 40)));
        default -> text.insert(at, text.substring(at));
      }
    }
    return text.toString();
  }

  @Test
  void the_longest_expression_is_read_and_a_longer_one_rejected() {
    String longest = "0,".repeat(507) + "00 0 1 1 *";
    assertThat(longest).hasSize(1024);
    answers(Cron.parse(longest, BERLIN));
    assertThatThrownBy(() -> Cron.parse(longest + " ", BERLIN))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining("at most 1024 characters, not 1025");
    answers(Cron.parse("0 0 " + "L-3,LW,1W,".repeat(100) + "1 * MON#1", BERLIN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"* * * * * *", "0 0 29 2 1", "*/7 0-23/5 L * FRIL", "0 2 31 3 *"})
  void numbers_and_instants_at_the_ends_of_their_range_are_answered(String expression) {
    holdsAtTheEnds(Cron.parse(expression, BERLIN));
  }

  @Test
  void grids_answer_at_the_ends_of_time_and_of_numbers() {
    for (IntervalUnit unit : IntervalUnit.values()) {
      for (long n : new long[] {1, 7, Integer.MAX_VALUE, Long.MAX_VALUE}) {
        for (String anchor : List.of("0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z")) {
          Every every = Every.of(Instant.parse(anchor), n, unit, BERLIN);
          holdsAtTheEnds(every);
          assertThat(every.nextAfter(Instant.MIN)).contains(Instant.parse(anchor));
        }
      }
    }
    holdsAtTheEnds(Once.of(NOW));
    holdsAtTheEnds(Once.of(NOW).within(Optional.of(Instant.MIN), Optional.of(Instant.MAX)));
    holdsAtTheEnds(Once.of(NOW).within(Optional.of(Instant.MAX), Optional.of(Instant.MIN)));
  }

  private static void holdsAtTheEnds(Trigger trigger) {
    assertThat(trigger.nextAfter(Instant.MAX)).isEmpty();
    assertThat(trigger.lastAtOrBefore(Instant.MIN)).isEmpty();
    assertThat(trigger.nextAfter(Instant.MIN)).isEqualTo(trigger.nthAfter(Instant.MIN, 1));
    assertThat(trigger.lastAtOrBefore(Instant.MAX))
        .isEqualTo(trigger.nthAtOrBefore(Instant.MAX, 1));
    for (long n : new long[] {Long.MIN_VALUE, -1, 0}) {
      assertThat(trigger.nthAfter(NOW, n)).isEmpty();
      assertThat(trigger.nthAtOrBefore(NOW, n)).isEmpty();
    }
    long all = trigger.count(Instant.MIN, Instant.MAX, Long.MAX_VALUE).value();
    assertThat(trigger.nthAfter(Instant.MIN, Long.MAX_VALUE)).isEmpty();
    assertThat(trigger.nthAtOrBefore(Instant.MAX, Long.MAX_VALUE)).isEmpty();
    assertThat(trigger.nthAfter(Instant.MIN, all)).isEqualTo(trigger.lastAtOrBefore(Instant.MAX));
    assertThat(trigger.nthAtOrBefore(Instant.MAX, all)).isEqualTo(trigger.nextAfter(Instant.MIN));
    assertThat(trigger.count(Instant.MAX, Instant.MIN, 1)).isEqualTo(new Count(0, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Europe/Berln", "europe/berlin", "Europe/Berlin ", "", "\0", "++", "UTC+99"})
  void a_wrong_zone_is_rejected_with_a_valid_one(String name) {
    assertThatThrownBy(() -> Zones.parse(name))
        .isInstanceOfSatisfying(
            InvalidTriggerException.class,
            e -> {
              assertThat(e.field()).isEqualTo("timezone");
              assertThat(Zones.parse(e.example())).isNotNull();
            });
    assertThatThrownBy(() -> Zones.parse(name.repeat(1000) + "!"))
        .isInstanceOf(InvalidTriggerException.class);
  }

  @Test
  void grids_once_and_jitter_reject_what_cannot_be() {
    assertThatThrownBy(() -> Every.of(NOW, 0, IntervalUnit.DAY, BERLIN))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessage("an interval of 0 never ends; e.g. \"5 minutes\"");
    assertThatThrownBy(() -> Every.of(Instant.MAX, 1, IntervalUnit.DAY, BERLIN))
        .isInstanceOf(InvalidTriggerException.class);
    assertThatThrownBy(() -> Once.of(Instant.MIN)).isInstanceOf(InvalidTriggerException.class);
    assertThatThrownBy(() -> Jitter.of(Duration.ofMillis(-1)))
        .isInstanceOf(InvalidTriggerException.class);
  }
}
