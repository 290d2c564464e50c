package io.waterclock.occurrences;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Recurrence rules of every kind that RFC 5545 allows. */
final class RandomRRule {

  private static final List<String> WEEKDAYS = List.of("MO", "TU", "WE", "TH", "FR", "SA", "SU");
  private static final List<String> FREQUENCIES =
      List.of("SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY");

  private final SplittableRandom random;
  private final Map<String, List<Integer>> numbers = new TreeMap<>();

  private RandomRRule(SplittableRandom random) {
    this.random = random;
  }

  static RRuleSpec of(SplittableRandom random) {
    return new RandomRRule(random).spec();
  }

  private RRuleSpec spec() {
    String frequency = FREQUENCIES.get(Math.max(random.nextInt(7), random.nextInt(7)));
    boolean exact = FREQUENCIES.indexOf(frequency) < 3;
    boolean days = FREQUENCIES.indexOf(frequency) == 3;
    maybe("BYMONTH", 5, 1, 12, false);
    if (frequency.equals("YEARLY")) {
      maybe("BYWEEKNO", 5, 1, 53, true);
    }
    if (frequency.equals("YEARLY") || exact) {
      maybe("BYYEARDAY", exact ? 12 : 5, 1, 366, true);
    }
    if (!frequency.equals("WEEKLY")) {
      maybe("BYMONTHDAY", exact || days ? 8 : 3, 1, 31, true);
    }
    maybe("BYHOUR", 3, 0, 23, false);
    maybe("BYMINUTE", 3, 0, 59, false);
    maybe("BYSECOND", 6, 0, 59, false);
    List<String> weekdays = random.nextInt(exact ? 6 : 3) == 0 ? weekdays(frequency) : List.of();
    if ((!numbers.isEmpty() || !weekdays.isEmpty()) && random.nextInt(4) == 0) {
      numbers.put("BYSETPOS", list(1, random.nextBoolean() ? 3 : 20, true));
    }
    int interval = random.nextBoolean() ? 1 : 1 + random.nextInt(random.nextBoolean() ? 4 : 30);
    String weekStart = random.nextInt(4) == 0 ? one(WEEKDAYS) : "MO";
    int count = random.nextInt(8) == 0 ? 1 + random.nextInt(30) : 0;
    return new RRuleSpec(frequency, interval, numbers, weekdays, weekStart, count, "");
  }

  private List<String> weekdays(String frequency) {
    boolean numbered =
        (frequency.equals("MONTHLY") || frequency.equals("YEARLY"))
            && !numbers.containsKey("BYWEEKNO");
    List<String> weekdays = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int most = frequency.equals("MONTHLY") || numbers.containsKey("BYMONTH") ? 5 : 53;
      int n = 1 + random.nextInt(most);
      weekdays.add(
          (numbered && random.nextBoolean() ? (random.nextBoolean() ? n : -n) : "")
              + one(WEEKDAYS));
    }
    return weekdays;
  }

  private void maybe(String part, int odds, int from, int to, boolean negative) {
    if (random.nextInt(odds) == 0) {
      numbers.put(part, list(from, to, negative));
    }
  }

  private List<Integer> list(int from, int to, boolean negative) {
    List<Integer> values = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int value = random.nextInt(from, to + 1);
      values.add(negative && random.nextInt(3) == 0 ? -value : value);
    }
    return values;
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
