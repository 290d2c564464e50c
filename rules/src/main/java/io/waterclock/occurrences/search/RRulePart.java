package io.waterclock.occurrences.search;

/** The parts of a recurrence rule that RFC 5545 knows. */
enum RRulePart {
  FREQ("one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY and YEARLY", "", "FREQ=DAILY"),
  INTERVAL("a number from 1", "FREQ=WEEKLY;", "FREQ=WEEKLY;INTERVAL=2"),
  COUNT("a number from 1", "FREQ=DAILY;", "FREQ=DAILY;COUNT=10"),
  UNTIL(
      "a date, a local time, or a time in UTC with a Z at its end",
      "FREQ=DAILY;",
      "FREQ=DAILY;UNTIL=20261224T180000Z"),
  BYSECOND("seconds from 0 to 59", "FREQ=DAILY;", "FREQ=MINUTELY;BYSECOND=0,30"),
  BYMINUTE("minutes from 0 to 59", "FREQ=DAILY;", "FREQ=HOURLY;BYMINUTE=0,30"),
  BYHOUR("hours from 0 to 23", "FREQ=DAILY;", "FREQ=DAILY;BYHOUR=9,17"),
  BYDAY(
      "days such as MO, or in months and years 1MO (the first) and -1FR (the last)",
      "FREQ=YEARLY;",
      "FREQ=MONTHLY;BYDAY=-1FR"),
  BYMONTHDAY("days from 1 to 31, or -31 to -1", "FREQ=MONTHLY;", "FREQ=MONTHLY;BYMONTHDAY=1,-1"),
  BYYEARDAY("days from 1 to 366, or -366 to -1", "FREQ=YEARLY;", "FREQ=YEARLY;BYYEARDAY=100"),
  BYWEEKNO("weeks from 1 to 53, or -53 to -1", "FREQ=YEARLY;", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"),
  BYMONTH("months from 1 to 12", "FREQ=YEARLY;", "FREQ=YEARLY;BYMONTH=6,12;BYMONTHDAY=1"),
  BYSETPOS(
      "positions from 1 to 366, or -366 to -1",
      "FREQ=MONTHLY;BYDAY=MO;",
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
  WKST("one of MO, TU, WE, TH, FR, SA and SU", "FREQ=WEEKLY;", "FREQ=WEEKLY;INTERVAL=2;WKST=SU");

  private final String allowed;
  private final String company;
  private final String example;

  RRulePart(String allowed, String company, String example) {
    this.allowed = allowed;
    this.company = company;
    this.example = example;
  }

  /** What may be written, in words. */
  String allowed() {
    return allowed;
  }

  /** Whether several values may be given, with commas. */
  boolean isList() {
    return name().startsWith("BY");
  }

  /** A rule with only this part and the parts that it requires. */
  String alone(String value) {
    return company + this + "=" + value;
  }

  /** A valid rule with this part. */
  String example() {
    return example;
  }
}
