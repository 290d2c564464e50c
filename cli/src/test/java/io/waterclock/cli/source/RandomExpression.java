package io.waterclock.cli.source;

import io.waterclock.occurrences.CronDialect;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/** Random expressions of a dialect, valid and nearly valid, from a seed. */
final class RandomExpression {
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private final SplittableRandom random;
  private final CronDialect dialect;

  RandomExpression(long seed, CronDialect dialect) {
    this.random = new SplittableRandom(seed);
    this.dialect = dialect;
  }

  String next() {
    String minutes = field(0, 59, List.of()) + " " + field(0, 23, List.of());
    String seconds = field(0, 59, List.of()) + " ";
    return switch (dialect) {
      case QUARTZ -> seconds + minutes + " " + quartzDays() + years(" ");
      case AWS -> minutes + " " + quartzDays() + " " + (oneIn(4) ? "2026-2030" : "*");
      case SPRING -> seconds + minutes + " " + either(monthDay()) + months() + either(weekday());
      default ->
          minutes + " " + either(field(1, 31, List.of())) + months() + either(field(0, 6, DAYS));
    };
  }

  private String either(String field) {
    return oneIn(3) ? "*" : field;
  }

  private String months() {
    return " " + field(1, 12, MONTHS) + " ";
  }

  private String quartzDays() {
    return oneIn(2) ? "?" + months() + weekday() : monthDay() + months() + "?";
  }

  private String years(String before) {
    return oneIn(5)
        ? before
            + List.of("*", "2026", "2026-2028", "2027/1", "2026,2027", "2026,2028").get(in(0, 5))
        : "";
  }

  private String monthDay() {
    return switch (random.nextInt(9)) {
      case 0 -> "L";
      case 1 -> "L-" + in(1, 30);
      case 2 -> "LW";
      case 3 -> in(1, 31) + "W";
      case 4 -> dialect == CronDialect.SPRING ? "L" : "L-" + in(1, 28) + "W";
      default -> field(1, 31, List.of());
    };
  }

  private String weekday() {
    int first = dialect == CronDialect.SPRING ? random.nextInt(2) : 1;
    String day = oneIn(2) ? DAYS.get(in(0, 6)) : "" + in(first, first + 6);
    return switch (random.nextInt(7)) {
      case 0 -> day + "L";
      case 1 -> day + "#" + in(1, 5);
      default -> field(first, first + 6, DAYS);
    };
  }

  private String field(int first, int last, List<String> names) {
    if (oneIn(4)) {
      return "*";
    }
    int elements = oneIn(5) ? in(2, 4) : 1;
    StringJoiner list = new StringJoiner(",");
    for (int i = 0; i < elements; i++) {
      list.add(element(first, last, names));
    }
    return list.toString();
  }

  private String element(int first, int last, List<String> names) {
    boolean wraps = dialect == CronDialect.QUARTZ || dialect == CronDialect.AWS;
    int a = in(first, last);
    int b = in(wraps ? first : a, last);
    boolean named = !names.isEmpty() && oneIn(3);
    String from = named ? names.get((a - first) % names.size()) : "" + a;
    String to = named ? names.get((b - first) % names.size()) : "" + b;
    boolean isUnix = dialect == CronDialect.UNIX;
    return switch (random.nextInt(7)) {
      case 0, 1 -> from;
      case 2, 3 -> from + "-" + to;
      case 4 -> "*/" + in(1, last);
      case 5 -> isUnix ? from : from + "/" + in(1, last);
      default -> from + "-" + to + "/" + in(1, last);
    };
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private int in(int first, int last) {
    return first + random.nextInt(last - first + 1);
  }
}
