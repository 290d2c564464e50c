package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a stranger writes is either a trigger that answers, or a typed rejection. */
class HostileInputTest {

  /** A search without an end takes longer on any machine; one that ends takes some milliseconds. */
  private static final Duration LONGEST = Duration.ofMillis(500);

  private static final Duration FOREVER = Duration.ofDays(1);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId APIA = ZoneId.of("Pacific/Apia"); // has left out a day
  private static final Instant HORIZON = Instant.parse("+10000-01-01T00:00:00Z");

  /** Four times the one before it is 2^64. */
  private static final long OVERFLOWING = (1L << 62) + 1;

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
  private static final List<String> RULE_PIECES =
      List.of(
          "FREQ=",
          "DAILY",
          "SECONDLY",
          "YEARLY;",
          ";INTERVAL=",
          ";INTERVAL=2147483647",
          ";INTERVAL=86399",
          ";INTERVAL=97",
          ";INTERVAL=1009",
          ";COUNT=2147483647",
          ";COUNT=10000",
          ";BYMINUTE=50,26,37;BYSECOND=46",
          ";COUNT=",
          ";UNTIL=20260230",
          ";UNTIL=99991231T235959Z",
          ";BYDAY=-53MO,54TU",
          ";BYDAY=",
          ";BYMONTH=2;BYMONTHDAY=30",
          ";BYMONTHDAY=-31",
          ";BYSETPOS=-366,366",
          ";BYWEEKNO=53,-53",
          ";BYYEARDAY=366",
          ";BYHOUR=0,23",
          ";BYSECOND=60",
          ";BYMINUTE=",
          ";WKST=SU",
          ";RSCALE=HEBREW",
          ";SKIP=FORWARD",
          ";X-A=B",
          "RRULE:",
          ",",
          "=",
          ";",
          "-",
          "+",
          "0",
          "99999999999",
          "1",
          "7",
          "31",
          "5L",
          "é",
          "٣",
          "\0",
          "\n",
          "%s",
          "MO",
          "ZZ");

  @Test
  void random_and_mutated_expressions_are_read_or_rejected_at_once() {
    readOrRejected("cron", "0 0 1 1 *", HostileInputTest::cron); // loads the classes
    Seeds.forEach(
        Seeds.COUNT,
        random -> {
          String expression =
              random.nextInt(4) == 0
                  ? random(random, PIECES)
                  : mutated(RandomCron.of(random).text(), random, PIECES);
          readOrRejectedInTime("cron", expression, HostileInputTest::cron);
        });
  }

  @Test
  void random_and_mutated_recurrence_rules_are_read_or_rejected_at_once() {
    readOrRejected(
        "rrule",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        HostileInputTest::rule); // loads the classes
    Seeds.forEach(
        Seeds.COUNT,
        random -> {
          String rule =
              random.nextInt(8) == 0
                  ? random(random, RULE_PIECES)
                  : mutated(RandomRRule.of(random).text(), random, RULE_PIECES);
          readOrRejectedInTime("rrule", rule, HostileInputTest::rule);
        });
  }

  private static Trigger cron(String text) {
    return Cron.parse(text, BERLIN);
  }

  private static Trigger rule(String text) {
    return RRule.parse(text, NOW, BERLIN).requireOccurrence();
  }

  private static void readOrRejectedInTime(
      String field, String text, Function<String, Trigger> reading) {
    assertThat(cpuTime(() -> readOrRejected(field, text, reading))).as(text).isLessThan(LONGEST);
  }

  private static void readOrRejected(String field, String text, Function<String, Trigger> reading) {
    try {
      answers(reading.apply(text));
    } catch (InvalidTriggerException e) {
      assertThat(e.field()).isEqualTo(field);
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

  private static String random(SplittableRandom random, List<String> pieces) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i >= 0; i--) {
      text.append(random.nextInt(3) == 0 ? " " : pieces.get(random.nextInt(pieces.size())));
    }
    return text.toString();
  }

  private static String mutated(String valid, SplittableRandom random, List<String> pieces) {
    StringBuilder text = new StringBuilder(valid);
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(5)) {
        case 0 -> text.insert(at, pieces.get(random.nextInt(pieces.size())));
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
    answers(Cron.parse(longest + "\n".repeat(10_000), BERLIN));
    assertThatThrownBy(() -> Cron.parse("0" + longest, BERLIN))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining("at most 1024 characters, not 1025");
    answers(Cron.parse("0 0 " + "L-3,LW,1W,".repeat(100) + "1 * MON#1", BERLIN));
  }

  @Test
  void the_longest_rule_is_read_and_a_longer_one_rejected() {
    String longest = "FREQ=DAILY;BYHOUR=" + "1,".repeat(502) + "02";
    assertThat(longest).hasSize(1024);
    answers(rule(longest + "\n".repeat(10_000)));
    assertThatThrownBy(() -> rule(longest + "3"))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining("at most 1024 characters, not 1025");
  }

  @ParameterizedTest
  @ValueSource(strings = {"* * * * * *", "0 0 29 2 1", "*/7 0-23/5 L * FRIL", "0 2 31 3 *"})
  void numbers_and_instants_at_the_ends_of_their_range_are_answered(String expression) {
    holdsAtTheEnds(Cron.parse(expression, BERLIN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=SECONDLY",
        "FREQ=SECONDLY;INTERVAL=4",
        "FREQ=DAILY;INTERVAL=2",
        "FREQ=YEARLY;INTERVAL=3",
        "FREQ=MONTHLY;INTERVAL=5;BYDAY=MO,TU;BYSETPOS=1,-1",
        "FREQ=HOURLY;INTERVAL=5000;COUNT=7",
        "FREQ=DAILY;UNTIL=20270101"
      })
  void rules_answer_at_the_ends_of_time_and_of_numbers(String rule) {
    for (String anchor :
        List.of("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z")) {
      holdsAtTheEnds(RRule.parse(rule, Instant.parse(anchor), BERLIN));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
        "FREQ=DAILY;BYSETPOS=366;BYHOUR=9",
        "FREQ=WEEKLY;INTERVAL=52;BYMONTH=2;BYDAY=MO;BYSETPOS=2",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=15",
        "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=5;BYMONTH=3",
        "FREQ=SECONDLY;INTERVAL=3600;BYSECOND=0",
        "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=0,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
        "FREQ=DAILY;UNTIL=20260101",
        "FREQ=YEARLY;INTERVAL=2147483647;BYMONTHDAY=1;BYMONTH=2"
      })
  void a_rule_that_never_occurs_is_rejected_at_once(String rule) {
    readOrRejectedInTime("rrule", rule, HostileInputTest::rule);
    assertThatThrownBy(() -> RRule.parse(rule, NOW, BERLIN).requireOccurrence())
        .isInstanceOfSatisfying(
            InvalidTriggerException.class,
            e -> assertThat(e.neverOccurs()).as(e.getMessage()).isTrue());
  }

  @Test
  void grids_answer_at_the_ends_of_time_and_of_numbers() {
    for (IntervalUnit unit : IntervalUnit.values()) {
      for (long n : new long[] {1, 7, Integer.MAX_VALUE, Long.MAX_VALUE}) {
        for (String anchor : List.of("0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z")) {
          for (ZoneId zone : List.of(BERLIN, APIA)) {
            Every every = Every.of(Instant.parse(anchor), n, unit, zone);
            holdsAtTheEnds(every);
            assertThat(every.nextAfter(Instant.MIN)).contains(Instant.parse(anchor));
          }
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
    assertThat(trigger.nextAfter(HORIZON)).isEmpty();
    long all = trigger.count(Instant.MIN, Instant.MAX, Long.MAX_VALUE).value();
    for (long n : new long[] {all + 1, OVERFLOWING, Long.MAX_VALUE}) {
      assertThat(trigger.nthAfter(Instant.MIN, n)).isEmpty();
      assertThat(trigger.nthAtOrBefore(Instant.MAX, n)).isEmpty();
    }
    assertThat(trigger.nthAfter(Instant.MIN, all)).isEqualTo(trigger.lastAtOrBefore(Instant.MAX));
    assertThat(trigger.nthAtOrBefore(Instant.MAX, all)).isEqualTo(trigger.nextAfter(Instant.MIN));
    assertThat(trigger.count(Instant.MAX, Instant.MIN, 1)).isEqualTo(new Count(0, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Europe/Berln", "europe/berlin", "Europe/ Berlin", "", "\0", "++", "UTC+99"})
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
    assertThatThrownBy(() -> RRule.parse("FREQ=DAILY", Instant.MAX, BERLIN))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining("lies outside the years 0000 to 9999");
    assertThatThrownBy(() -> Once.of(Instant.MIN)).isInstanceOf(InvalidTriggerException.class);
    assertThatThrownBy(() -> Jitter.of(Duration.ofMillis(-1)))
        .isInstanceOf(InvalidTriggerException.class);
  }
}
