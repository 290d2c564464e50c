package io.waterclock.occurrences;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A random expression, made together with its meaning, so that nothing has to parse it. */
record RandomCron(String text, WallClockSpec spec) {

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> WEEKDAYS =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

  static RandomCron of(SplittableRandom random) {
    return new Maker(random).make();
  }

  private record Values(String text, Set<Integer> values) {
    boolean isStar() {
      return text.startsWith("*") || text.equals("?");
    }
  }

  private record Days(String text, Predicate<LocalDate> days) {
    boolean isStar() {
      return text.startsWith("*") || text.equals("?");
    }
  }

  private record Maker(SplittableRandom random) {

    RandomCron make() {
      boolean withSeconds = oneIn(3);
      Values seconds = withSeconds ? field(0, 59, 59) : new Values("0", Set.of(0));
      Values minutes = field(0, 59, 59);
      Values hours = oneIn(3) ? field(0, 4, 23) : field(0, 23, 23);
      Days ofMonth = oneIn(2) ? new Days(oneIn(4) ? "?" : "*", date -> true) : daysOfMonth();
      Values months = oneIn(2) ? new Values("*", range(1, 12, 1, 12)) : months();
      Days ofWeek = oneIn(2) ? new Days(oneIn(4) ? "?" : "*", date -> true) : daysOfWeek();
      Predicate<LocalDate> day =
          ofMonth.isStar() || ofWeek.isStar()
              ? ofMonth.days.and(ofWeek.days)
              : ofMonth.days.or(ofWeek.days);
      String text =
          String.join(" ", minutes.text, hours.text, ofMonth.text, months.text, ofWeek.text);
      boolean interval = (withSeconds && seconds.isStar()) || minutes.isStar() || hours.isStar();
      return new RandomCron(
          withSeconds ? seconds.text + " " + text : text,
          new WallClockSpec(
              seconds.values,
              minutes.values,
              hours.values,
              date -> months.values.contains(date.getMonthValue()) && day.test(date),
              interval));
    }

    private Values field(int first, int highest, int last) {
      if (oneIn(4)) {
        return new Values("*", range(first, last, 1, last - first + 1));
      }
      List<String> texts = new ArrayList<>();
      Set<Integer> values = new TreeSet<>();
      do {
        Values element = element(first, highest, last);
        texts.add(element.text);
        values.addAll(element.values);
      } while (oneIn(3));
      return new Values(String.join(",", texts), values);
    }

    private Values element(int first, int highest, int last) {
      int size = last - first + 1;
      int from = random.nextInt(first, highest + 1);
      int to = random.nextInt(first, last + 1);
      int step = random.nextInt(1, oneIn(2) ? 6 : Math.min(size, last) + 1);
      return switch (random.nextInt(6)) {
        case 0 -> new Values("*/" + step, range(first, last, step, size));
        case 1 -> new Values(from + "-" + to, range(from, to, 1, size, first));
        case 2 -> new Values(from + "-" + to + "/" + step, range(from, to, step, size, first));
        case 3 -> new Values(from + "/" + step, range(from, last, step, size, first));
        default -> new Values(Integer.toString(from), Set.of(from));
      };
    }

    private Values months() {
      Values numbers = field(1, 12, 12);
      if (!numbers.text.matches("[\\d,-]+") || oneIn(2)) {
        return numbers;
      }
      return new Values(named(numbers.text, MONTHS, 1), numbers.values);
    }

    private Days daysOfMonth() {
      List<String> texts = new ArrayList<>();
      Predicate<LocalDate> days = date -> false;
      do {
        Days element = dayOfMonth();
        texts.add(element.text);
        days = days.or(element.days);
      } while (oneIn(3));
      return new Days(String.join(",", texts), days);
    }

    private Days dayOfMonth() {
      int n = random.nextInt(1, 32);
      return switch (random.nextInt(8)) {
        case 0 -> new Days("L", date -> date.getDayOfMonth() == date.lengthOfMonth());
        case 1 -> new Days("LW", date -> date.equals(workday(date, date.lengthOfMonth())));
        case 2 ->
            new Days(n + "W", date -> n <= date.lengthOfMonth() && date.equals(workday(date, n)));
        case 3 -> {
          int before = random.nextInt(1, 31);
          yield new Days(
              "L-" + before, date -> date.getDayOfMonth() == date.lengthOfMonth() - before);
        }
        default -> {
          Values plain = element(1, 31, 31);
          yield new Days(plain.text, date -> plain.values.contains(date.getDayOfMonth()));
        }
      };
    }

    private static LocalDate workday(LocalDate date, int day) {
      LocalDate wanted = date.withDayOfMonth(day);
      LocalDate moved =
          switch (wanted.getDayOfWeek()) {
            case SATURDAY -> wanted.minusDays(1);
            case SUNDAY -> wanted.plusDays(1);
            default -> wanted;
          };
      if (moved.getMonthValue() == date.getMonthValue()) {
        return moved;
      }
      return moved.isBefore(wanted) ? wanted.plusDays(2) : wanted.minusDays(2);
    }

    private Days daysOfWeek() {
      List<String> texts = new ArrayList<>();
      Predicate<LocalDate> days = date -> false;
      do {
        Days element = dayOfWeek();
        texts.add(element.text);
        days = days.or(element.days);
      } while (oneIn(3));
      return new Days(String.join(",", texts), days);
    }

    private Days dayOfWeek() {
      int written = random.nextInt(0, 8);
      String day = oneIn(2) ? WEEKDAYS.get(written) : Integer.toString(written);
      DayOfWeek weekday = DayOfWeek.of(written % 7 == 0 ? 7 : written);
      int n = random.nextInt(1, 6);
      int to = random.nextInt(0, 7);
      int step = random.nextInt(1, 8);
      return switch (random.nextInt(7)) {
        case 0 ->
            new Days(
                oneIn(2) ? day + "L" : (day + "L").toLowerCase(Locale.ROOT),
                date -> date.equals(date.with(TemporalAdjusters.lastInMonth(weekday))));
        case 1 ->
            new Days(
                day + "#" + n,
                date -> date.equals(date.with(TemporalAdjusters.dayOfWeekInMonth(n, weekday))));
        case 2 -> {
          Set<Integer> values = range(written % 7, to, step, 7, 0);
          yield new Days(day + "-" + WEEKDAYS.get(to) + "/" + step, date -> isIn(date, values));
        }
        case 3 -> {
          Set<Integer> values = range(written % 7, to, 1, 7, 0);
          yield new Days(day + "-" + to, date -> isIn(date, values));
        }
        case 4 -> {
          Set<Integer> values = range(0, 6, step, 7, 0);
          yield new Days("*/" + step, date -> isIn(date, values));
        }
        case 5 -> {
          Set<Integer> values = range(written % 7, 6, step, 7, 0);
          yield new Days(day + "/" + step, date -> isIn(date, values));
        }
        default -> new Days(day, date -> date.getDayOfWeek() == weekday);
      };
    }

    private static boolean isIn(LocalDate date, Set<Integer> weekdays) {
      return weekdays.contains(date.getDayOfWeek().getValue() % 7);
    }

    private String named(String numbers, List<String> names, int first) {
      StringBuilder text = new StringBuilder();
      for (String part : numbers.split("(?<=[,-])|(?=[,-])")) {
        boolean number = Character.isDigit(part.charAt(0));
        String name = number ? names.get(Integer.parseInt(part) - first) : part;
        text.append(oneIn(2) ? name : name.toLowerCase(Locale.ROOT));
      }
      return text.toString();
    }

    private static Set<Integer> range(int from, int to, int step, int size) {
      return range(from, to, step, size, from);
    }

    private static Set<Integer> range(int from, int to, int step, int size, int first) {
      Set<Integer> values = new TreeSet<>();
      int distance = Math.floorMod(to - from, size);
      for (int d = 0; d <= distance; d += step) {
        values.add(first + (from + d - first) % size);
      }
      return values;
    }

    private boolean oneIn(int n) {
      return random.nextInt(n) == 0;
    }
  }
}
