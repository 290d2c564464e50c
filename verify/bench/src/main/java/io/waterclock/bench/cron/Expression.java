package io.waterclock.bench.cron;

/** Expressions as people write them, in the dialects of the libraries. */
public enum Expression {
  EVERY_MINUTE("every minute", "* * * * *", "0 * * * * *", "0 * * * * ?"),
  EVERY_5_MINUTES("every 5 minutes", "*/5 * * * *", "0 */5 * * * *", "0 */5 * * * ?"),
  EVERY_10_SECONDS("every 10 seconds", "*/10 * * * * *", "*/10 * * * * *", "*/10 * * * * ?"),
  NIGHTLY("nightly, 02:30", "30 2 * * *", "0 30 2 * * *", "0 30 2 * * ?"),
  WEEKDAYS("weekdays, 09:00", "0 9 * * MON-FRI", "0 0 9 * * MON-FRI", "0 0 9 ? * MON-FRI"),
  LAST_DAY("last day of month", "0 0 L * *", "0 0 0 L * *", "0 0 0 L * ?"),
  SECOND_FRIDAY("second Friday", "0 9 * * FRI#2", "0 0 9 ? * FRI#2", "0 0 9 ? * FRI#2"),
  MONTHLY("monthly, the 1st", "0 6 1 * *", "0 0 6 1 * *", "0 0 6 1 * ?"),
  YEARLY("yearly", "0 0 1 1 *", "0 0 0 1 1 *", "0 0 0 1 1 ?"),
  NAMES(
      "months and days by name",
      "15 10 * MAR,JUN,SEP,DEC TUE,THU",
      "0 15 10 * MAR,JUN,SEP,DEC TUE,THU",
      "0 15 10 ? MAR,JUN,SEP,DEC TUE,THU");

  private final String title;
  private final String waterclock;
  private final String spring;
  private final String quartz;

  Expression(String title, String waterclock, String spring, String quartz) {
    this.title = title;
    this.waterclock = waterclock;
    this.spring = spring;
    this.quartz = quartz;
  }

  String title() {
    return title;
  }

  String in(Library library) {
    return switch (library) {
      case WATERCLOCK -> waterclock;
      case CRON_UTILS, SPRING -> spring;
      case QUARTZ -> quartz;
    };
  }
}
