package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RRuleTest {

  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final Instant HORIZON = Instant.parse("2100-01-01T00:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** The dates of the examples in RFC 5545, section 3.8.5.3. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=DAILY;COUNT=10 | 1997-09-02 | 1997-09-02 1997-09-03 1997-09-04 1997-09-05 1997-09-06 1997-09-07 1997-09-08 1997-09-09 1997-09-10 1997-09-11 END",
        "FREQ=DAILY;INTERVAL=10;COUNT=5 | 1997-09-02 | 1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12 END",
        "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH | 1997-09-02 | 1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25 1997-09-30 1997-10-02 END",
        "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR | 1997-09-01 | 1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH | 1997-09-02 | 1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16 END",
        "FREQ=MONTHLY;COUNT=10;BYDAY=1FR | 1997-09-05 | 1997-09-05 1997-10-03 1997-11-07 1997-12-05 1998-01-02 1998-02-06 1998-03-06 1998-04-03 1998-05-01 1998-06-05 END",
        "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU | 1997-09-07 | 1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25 1998-03-01 1998-03-29 1998-05-03 1998-05-31 END",
        "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO | 1997-09-22 | 1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16 END",
        "FREQ=MONTHLY;BYMONTHDAY=-3 | 1997-09-28 | 1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26",
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1 | 1997-09-30 | 1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30 1997-12-01 1997-12-31 1998-01-01 1998-01-31 1998-02-01 END",
        "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15 | 1997-09-10 | 1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10 1999-03-11 1999-03-12 1999-03-13 END",
        "FREQ=YEARLY;COUNT=10;BYMONTH=6,7 | 1997-06-10 | 1997-06-10 1997-07-10 1998-06-10 1998-07-10 1999-06-10 1999-07-10 2000-06-10 2000-07-10 2001-06-10 2001-07-10 END",
        "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200 | 1997-01-01 | 1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01 2003-04-10 2003-07-19 2006-01-01 END",
        "FREQ=YEARLY;BYDAY=20MO | 1997-05-19 | 1997-05-19 1998-05-18 1999-05-17",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO | 1997-05-12 | 1997-05-12 1998-05-11 1999-05-17",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=TH | 1997-03-13 | 1997-03-13 1997-03-20 1997-03-27 1998-03-05 1998-03-12",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13 | 1997-09-02 | 1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13",
        "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13 | 1997-09-13 | 1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8 | 1996-11-05 | 1996-11-05 2000-11-07 2004-11-02",
        "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3 | 1997-09-04 | 1997-09-04 1997-10-07 1997-11-06 END",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2 | 1997-09-29 | 1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30",
        "FREQ=MONTHLY;COUNT=2;BYDAY=MO;BYSETPOS=3 | 1997-09-02 | 1997-09-15 1997-10-20 END",
        "FREQ=MONTHLY;COUNT=3;BYMONTHDAY=1,15,-1;BYSETPOS=3 | 1997-09-02 | 1997-09-30 1997-10-31 1997-11-30 END",
        "FREQ=MONTHLY;COUNT=3;BYDAY=MO,WE;BYMONTHDAY=1,2,3;BYSETPOS=2 | 1997-09-02 | 1997-09-03 1997-12-03 1998-06-03 END",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO | 1997-08-05 | 1997-08-05 1997-08-10 1997-08-19 1997-08-24 END",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU | 1997-08-05 | 1997-08-05 1997-08-17 1997-08-19 1997-08-31 END",
        "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5 | 2007-01-15 | 2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30 END",
      })
  void the_examples_of_rfc_5545(String rule, String anchor, String dates) {
    Instant start = LocalDateTime.parse(anchor + "T09:00:00").atZone(NEW_YORK).toInstant();
    List<String> expected = List.of(dates.split(" "));
    RRule trigger = RRule.parse(rule, start, NEW_YORK).requireOccurrence();
    List<String> found = new ArrayList<>();
    Instant last = start.minusMillis(1);
    while (found.size() < expected.size()) {
      Optional<Instant> next = trigger.nextAfter(last);
      found.add(next.map(at -> at.atZone(NEW_YORK).toLocalDate().toString()).orElse("END"));
      next.ifPresent(at -> assertThat(at.atZone(NEW_YORK).toLocalTime()).hasToString("09:00"));
      last = next.orElse(last);
    }
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z | 09:00 12:00 END",
        "FREQ=MINUTELY;INTERVAL=15;COUNT=6 | 09:00 09:15 09:30 09:45 10:00 10:15 END",
        "FREQ=MINUTELY;INTERVAL=90;COUNT=4 | 09:00 10:30 12:00 13:30 END",
        "FREQ=DAILY;BYHOUR=9,10,11;BYMINUTE=0,20,40;COUNT=4 | 09:00 09:20 09:40 10:00 END",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;COUNT=7 | 09:00 09:20 09:40 10:00 10:20 10:40 09:00 END",
        "FREQ=HOURLY;BYMINUTE=10,50;BYSETPOS=-1;COUNT=2 | 09:50 10:50 END",
        "FREQ=HOURLY;BYMINUTE=10,50;BYSETPOS=2;COUNT=2 | 09:50 10:50 END",
        "FREQ=HOURLY;BYMINUTE=10,50;BYSECOND=0,30;BYSETPOS=4;COUNT=1 | 09:50:30 END",
        "FREQ=MINUTELY;BYHOUR=9;COUNT=2 | 09:00 09:01 END",
        "FREQ=HOURLY;BYDAY=TU;COUNT=2 | 09:00 10:00 END",
        "FREQ=HOURLY;BYSECOND=30;COUNT=2 | 09:00:30 10:00:30 END",
        "FREQ=MINUTELY;BYSECOND=0,30;COUNT=3 | 09:00 09:00:30 09:01 END",
        "FREQ=DAILY;UNTIL=19970903 | 09:00 09:00 END",
        "FREQ=DAILY;UNTIL=19970903T085959 | 09:00 END",
        "FREQ=DAILY;UNTIL=19970903T090000 | 09:00 09:00 END",
      })
  void times_of_day(String rule, String times) {
    Instant start = Instant.parse("1997-09-02T13:00:00Z");
    RRule trigger = RRule.parse(rule, start, NEW_YORK).requireOccurrence();
    List<String> found = new ArrayList<>();
    Optional<Instant> next = trigger.nextAfter(start.minusMillis(1));
    while (next.isPresent()) {
      found.add(next.get().atZone(NEW_YORK).toLocalTime().toString());
      next = trigger.nextAfter(next.get());
    }
    found.add("END");
    assertThat(found).isEqualTo(List.of(times.split(" ")));
  }

  /** On 29 October 2026 clocks in Cairo go back from midnight to 23:00. */
  @Test
  void a_date_lasts_until_the_next_day_begins() {
    ZoneId cairo = ZoneId.of("Africa/Cairo");
    Trigger halfHours =
        RRule.parse("FREQ=MINUTELY;INTERVAL=30;UNTIL=20261029", at("2026-10-29T19:00:00Z"), cairo)
            .requireOccurrence();
    assertThat(halfHours.nextAfter(at("2026-10-29T21:00:00Z")))
        .contains(at("2026-10-29T21:30:00Z"));
    assertThat(halfHours.nextAfter(at("2026-10-29T21:30:00Z"))).isEmpty();
  }

  @Test
  void the_hour_of_the_anchor_begins_at_the_full_hour() {
    Trigger everyOther =
        RRule.parse("FREQ=HOURLY;INTERVAL=2;BYMINUTE=10,30", at("2026-01-01T09:20:00Z"), BERLIN)
            .requireOccurrence();
    assertThat(everyOther.nextAfter(Instant.MIN)).contains(at("2026-01-01T09:30:00Z"));
    assertThat(everyOther.nthAfter(Instant.MIN, 2)).contains(at("2026-01-01T11:10:00Z"));
  }

  @Test
  void days_and_longer_occur_at_the_end_of_a_gap_and_at_the_first_pass_of_an_overlap() {
    Trigger daily =
        RRule.parse("FREQ=DAILY;INTERVAL=2", at("2026-03-27T01:30:00Z"), BERLIN)
            .requireOccurrence();
    assertThat(daily.nextAfter(at("2026-03-28T00:00:00Z"))).contains(at("2026-03-29T01:00:00Z"));
    assertThat(daily.nextAfter(at("2026-03-29T01:00:00Z"))).contains(at("2026-03-31T00:30:00Z"));
    Trigger autumn =
        RRule.parse("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", at("2026-10-01T00:00:00Z"), BERLIN)
            .requireOccurrence();
    assertThat(autumn.nextAfter(at("2026-10-24T12:00:00Z"))).contains(at("2026-10-25T00:30:00Z"));
    assertThat(autumn.nextAfter(at("2026-10-25T00:30:00Z"))).contains(at("2026-10-26T01:30:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=DAILY               | 2026-03-29T01:00:00Z 2026-03-30T00:30:00Z 2026-03-31T00:30:00Z",
        "FREQ=DAILY;COUNT=2       | 2026-03-29T01:00:00Z 2026-03-30T00:30:00Z -",
        "FREQ=DAILY;INTERVAL=2    | 2026-03-29T01:00:00Z 2026-03-31T00:30:00Z 2026-04-02T00:30:00Z",
        "FREQ=WEEKLY              | 2026-03-29T01:00:00Z 2026-04-05T00:30:00Z 2026-04-12T00:30:00Z",
        "FREQ=MONTHLY             | 2026-03-29T01:00:00Z 2026-04-29T00:30:00Z 2026-05-29T00:30:00Z",
        "FREQ=YEARLY              | 2026-03-29T01:00:00Z 2027-03-29T00:30:00Z 2028-03-29T00:30:00Z",
        "FREQ=DAILY;BYHOUR=9      | 2026-03-29T07:30:00Z 2026-03-30T07:30:00Z 2026-03-31T07:30:00Z",
        "FREQ=HOURLY              | 2026-03-29T01:00:00Z 2026-03-29T02:00:00Z 2026-03-29T03:00:00Z",
      })
  void days_and_longer_keep_the_time_of_day_of_a_local_anchor_in_a_gap(
      String rule, String expected) {
    Trigger trigger = RRule.parse(rule, LocalDateTime.parse("2026-03-29T02:30"), BERLIN);
    assertThat(
            IntStream.rangeClosed(1, 3)
                .mapToObj(n -> trigger.nthAfter(Instant.MIN, n).map(Instant::toString).orElse("-"))
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
  }

  @Test
  void a_grid_and_a_rule_from_a_local_anchor_in_any_gap_occur_as_cron_does() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneId zone = ZoneId.of(id);
      for (ZoneOffsetTransition change : zone.getRules().getTransitions()) {
        if (change.isGap() && change.getDateTimeBefore().getYear() >= 1980) {
          occursAsCron(change, zone);
        }
      }
    }
  }

  private static void occursAsCron(ZoneOffsetTransition gap, ZoneId zone) {
    LocalDateTime skipped =
        gap.getDateTimeBefore().plus(gap.getDuration().dividedBy(2)).withSecond(0);
    Trigger cron = Cron.parse(skipped.getMinute() + " " + skipped.getHour() + " * * *", zone);
    Instant before = gap.getInstant().minusMillis(1);
    for (Trigger trigger :
        List.of(
            Every.of(skipped, 1, IntervalUnit.DAY, zone),
            RRule.parse("FREQ=DAILY", skipped, zone))) {
      for (int n = 1; n <= 3; n++) {
        assertThat(trigger.nthAfter(before, n))
            .as("%s of %s", n, trigger)
            .isEqualTo(cron.nthAfter(before, n));
      }
    }
  }

  @Test
  void hours_and_shorter_keep_their_cadence() {
    Trigger hours =
        RRule.parse("FREQ=HOURLY;INTERVAL=5", at("2026-03-28T23:00:00Z"), BERLIN)
            .requireOccurrence();
    assertThat(hours.nextAfter(at("2026-03-28T23:00:00Z"))).contains(at("2026-03-29T04:00:00Z"));
    // 02:00 to 02:59 is shown twice
    Trigger shown =
        RRule.parse("FREQ=MINUTELY;INTERVAL=30;BYHOUR=2", at("2026-10-24T22:00:00Z"), BERLIN)
            .requireOccurrence();
    assertThat(
            Stream.iterate(at("2026-10-25T00:00:00Z"), t -> shown.nextAfter(t).orElseThrow())
                .limit(5))
        .containsExactly(
            at("2026-10-25T00:00:00Z"),
            at("2026-10-25T00:30:00Z"),
            at("2026-10-25T01:00:00Z"),
            at("2026-10-25T01:30:00Z"),
            at("2026-10-26T01:00:00Z"));
    // 30 minutes are no whole period of an hour
    ZoneId lordHowe = ZoneId.of("Australia/Lord_Howe");
    Trigger hourly =
        RRule.parse("FREQ=HOURLY", at("2026-10-03T14:30:00Z"), lordHowe).requireOccurrence();
    assertThat(hourly.nextAfter(at("2026-10-03T15:00:00Z"))).contains(at("2026-10-03T15:30:00Z"));
    assertThat(hourly.nextAfter(at("2026-10-03T15:30:00Z"))).contains(at("2026-10-03T16:30:00Z"));
  }

  @Test
  void a_day_that_the_zone_leaves_out_is_left_out() {
    ZoneId apia = ZoneId.of("Pacific/Apia");
    Trigger daily =
        RRule.parse(
                "FREQ=DAILY;INTERVAL=1;BYHOUR=9,10;BYSETPOS=1", at("2011-12-01T00:00:00Z"), apia)
            .requireOccurrence();
    assertThat(daily.nextAfter(at("2011-12-29T18:59:59Z"))).contains(at("2011-12-29T19:00:00Z"));
    assertThat(daily.nextAfter(at("2011-12-29T19:00:00Z"))).contains(at("2011-12-30T19:00:00Z"));
    assertThat(daily.lastAtOrBefore(at("2011-12-30T18:59:59Z")))
        .contains(at("2011-12-29T19:00:00Z"));
    // 30 December is the day that is left out
    Trigger on28And30 =
        RRule.parse("FREQ=DAILY;INTERVAL=2", at("2011-12-28T10:00:00Z"), apia).requireOccurrence();
    assertThat(on28And30.nextAfter(at("2011-12-29T00:00:00Z")))
        .contains(at("2011-12-31T10:00:00Z"));
    assertThat(on28And30.lastAtOrBefore(at("2011-12-31T09:00:00Z")))
        .contains(at("2011-12-28T10:00:00Z"));
    Trigger on28And31 =
        RRule.parse("FREQ=DAILY;INTERVAL=3", at("2011-12-28T10:00:00Z"), apia).requireOccurrence();
    assertThat(on28And31.nextAfter(at("2011-12-29T00:00:00Z")))
        .contains(at("2011-12-30T10:00:00Z"));
    assertThat(on28And31.lastAtOrBefore(at("2011-12-31T09:00:00Z")))
        .contains(at("2011-12-30T10:00:00Z"));
  }

  @Test
  void the_anchor_is_an_occurrence_if_it_matches_and_counts() {
    Instant friday = at("2026-01-30T08:00:00Z");
    RRule rule = RRule.parse("FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", friday, BERLIN).requireOccurrence();
    assertThat(rule.nextAfter(Instant.MIN)).contains(friday);
    assertThat(rule.lastAtOrBefore(Instant.MAX)).contains(at("2026-02-27T08:00:00Z"));
    RRule later =
        RRule.parse("FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", friday.plusSeconds(86_400), BERLIN)
            .requireOccurrence();
    assertThat(later.nextAfter(Instant.MIN)).contains(at("2026-02-27T08:00:00Z"));
    RRule fridays =
        RRule.parse("FREQ=HOURLY;INTERVAL=2;BYDAY=FR", friday, BERLIN).requireOccurrence();
    assertThat(fridays.lastAtOrBefore(friday)).contains(friday);
    assertThat(fridays.lastAtOrBefore(friday.minusSeconds(1))).isEmpty();
    RRule implicit =
        RRule.parse("FREQ=DAILY;COUNT=2", RRule.implicitAnchor(friday), BERLIN).requireOccurrence();
    assertThat(implicit.nextAfter(Instant.MIN)).contains(at("2026-01-31T08:00:00Z"));
    assertThat(implicit.count(Instant.MIN, Instant.MAX, 9)).isEqualTo(new Count(2, true));
  }

  @Test
  void an_anchor_decades_back_costs_no_more_than_a_near_one() {
    Instant anchor = at("1990-01-01T00:00:00Z");
    for (String rule :
        List.of(
            "FREQ=SECONDLY;INTERVAL=7;BYDAY=MO",
            "FREQ=MINUTELY;INTERVAL=11;BYMONTH=2",
            "FREQ=HOURLY;INTERVAL=7;BYMINUTE=0,30;BYSETPOS=2",
            "FREQ=DAILY;INTERVAL=3;BYDAY=SU")) {
      RRule trigger = RRule.parse(rule, anchor, BERLIN).requireOccurrence();
      Instant t = at("2026-11-21T10:00:00Z");
      Instant next = trigger.nextAfter(t).orElseThrow();
      assertThat(trigger.lastAtOrBefore(next.minusMillis(1)).orElseThrow()).isBeforeOrEqualTo(t);
      assertThat(trigger.nextAfter(trigger.lastAtOrBefore(t).orElseThrow())).contains(next);
    }
    // worked out by hand: 7 seconds from the anchor on, Monday 2026-11-23 in Berlin
    long first = at("2026-11-22T23:00:00Z").getEpochSecond() - anchor.getEpochSecond();
    long second = anchor.getEpochSecond() + (first + 6) / 7 * 7;
    assertThat(
            RRule.parse("FREQ=SECONDLY;INTERVAL=7;BYDAY=MO", anchor, BERLIN)
                .requireOccurrence()
                .nextAfter(at("2026-11-21T10:00:00Z")))
        .contains(Instant.ofEpochSecond(second));
  }

  /** lib-recur expands the same rules, on plain dates: a second opinion on the days. */
  @Test
  void days_agree_with_lib_recur() {
    Instant anchor = at("2023-01-31T09:00:00Z");
    Seeds.forEach(
        Seeds.COUNT / 50,
        random -> {
          RRuleSpec spec = RandomRRule.of(random);
          boolean understoodAlike =
              !List.of("SECONDLY", "MINUTELY", "HOURLY").contains(spec.frequency())
                  && !spec.has("BYWEEKNO")
                  && !(spec.frequency().equals("YEARLY")
                      && spec.has("BYMONTHDAY")
                      && !spec.has("BYMONTH"))
                  && !(spec.frequency().equals("YEARLY") && spec.has("BYYEARDAY"));
          if (!understoodAlike) {
            return;
          }
          assertThat(occurrences(spec.text(), anchor, 5))
              .as(spec.text())
              .isEqualTo(peer(spec.text(), anchor, 5));
        });
  }

  private static List<Instant> occurrences(String rule, Instant anchor, int count) {
    List<Instant> found = new ArrayList<>();
    try {
      Trigger trigger = RRule.parse(rule, anchor, ZoneId.of("UTC"));
      Optional<Instant> next = trigger.nextAfter(anchor.minusMillis(1));
      while (next.filter(at -> at.isBefore(HORIZON)).isPresent() && found.size() < count) {
        found.add(next.get());
        next = trigger.nextAfter(next.get());
      }
    } catch (InvalidTriggerException e) {
      assertThat(e.neverOccurs()).as(e.getMessage()).isTrue();
    }
    return found;
  }

  private static List<Instant> peer(String rule, Instant anchor, int count) {
    List<Instant> found = new ArrayList<>();
    try {
      RecurrenceRuleIterator instances =
          new RecurrenceRule(rule, RecurrenceRule.RfcMode.RFC5545_STRICT)
              .iterator(new DateTime(DateTime.UTC, anchor.toEpochMilli()));
      while (instances.hasNext() && found.size() < count) {
        Instant next = Instant.ofEpochMilli(instances.nextMillis());
        if (!next.isBefore(HORIZON)) {
          return found;
        }
        found.add(next);
      }
      return found;
    } catch (IllegalArgumentException | IllegalStateException | InvalidRecurrenceRuleException e) {
      return occurrences(rule, anchor, count); // it gives up on rules that seldom occur
    }
  }

  @Test
  void a_name_of_more_than_64_characters_is_no_slip() {
    Instant anchor = at("2026-01-01T00:00:00Z");
    assertThatThrownBy(() -> RRule.parse("A".repeat(64) + "=1", anchor, BERLIN))
        .hasMessageContaining("did you mean");
    assertThatThrownBy(() -> RRule.parse("A".repeat(65) + "=1", anchor, BERLIN))
        .hasMessageNotContaining("did you mean");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=MONTHY | FREQ: \"MONTHY\" is not understood; did you mean MONTHLY?",
        "FREQ=DAILY;BYHUOR=9 | \"BYHUOR\" is no part of a rule; did you mean BYHOUR?",
        "FREQ=DAILY;BYHOUR=9,24 | BYHOUR: \"24\" is not understood; allowed: hours from 0 to 23; e.g. \"FREQ=DAILY;BYHOUR=9,17\"",
        "FREQ=DAILY;BYSECOND=60 | BYSECOND: \"60\" is not understood; allowed: seconds from 0 to 59",
        "freq=weekly;byday=mon | BYDAY: \"mon\" is not understood; did you mean MO?",
        "FREQ=WEEKLY;BYDAY=MON | BYDAY: \"MON\" is not understood; did you mean MO?",
        "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=367 | BYSETPOS: \"367\" is not understood",
        "FREQ=MONTHLY;BYHOUR=9,17;BYSETPOS=3 | BYSETPOS: no period has that many",
        "FREQ=MONTHLY;BYMONTHDAY=1,2;BYSETPOS=3 | BYSETPOS: no period has that many",
        "FREQ=MONTHLY;BYDAY=1MO,2TU;BYSETPOS=-3 | BYSETPOS: no period has that many",
        "FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=1,2;BYSETPOS=3 | BYSETPOS: no period has that many",
        "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3 | BYSETPOS: no period has that many",
        "FREQ=WEEKLY;BYMONTHDAY=1 | BYMONTHDAY: does not go with the rest: ",
        "FREQ=WEEKLY;BYDAY=1MO | BYDAY: does not go with the rest: ",
        "FREQ=DAILY;COUNT=3;UNTIL=20270101 | does not go with the rest: ",
        "FREQ=DAILY;COUNT=3;COUNT=4 | COUNT: is given twice",
        "FREQ=DAILY;COUNT=0 | COUNT: \"0\" is not understood; allowed: a number from 1",
        "FREQ=DAILY;UNTIL=20260230 | UNTIL: \"20260230\" is not understood",
        "FREQ=DAILY;BYHOUR= | BYHOUR: a value is missing",
        "FREQ=DAILY;BYHOUR=9, | BYHOUR: a value is missing",
        "FREQ=DAILY;INTERVAL | \"INTERVAL\" is no part of the form NAME=VALUE",
        "FREQ=DAILY;X=1 | \"X\" is no part of a rule",
        "FREQ=DAILY;INTERVAL=1,2 | INTERVAL: \"1,2\" is not understood; allowed: a number from 1",
        "FREQ=WEEKLY;BYMONTHDAY=1;COUNT=3;UNTIL=20270101 | UNTIL and COUNT must not occur",
        "FREQ=DAILY; | a part is empty; remove the semicolon",
        "FREQ=DAILY;;COUNT=2 | a part is empty",
        "FREQ=DAILY\u007f | has the character U+007F (delete), which rules do not use",
        "FREQ=DAILY;BYDAY=M\u00d6 | has the character U+00D6 (latin capital letter o with diaeresis)",
        "BYHOUR=9 | FREQ: is missing; it says how often",
        "RSCALE=HEBREW;FREQ=YEARLY | RSCALE is not supported: rules are read in the Gregorian calendar",
        "FREQ=MONTHLY;SKIP=FORWARD | SKIP is not supported",
        "RRULE:FREQ=DAILY | give what follows the colon of RRULE: alone",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 | \"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\" never occurs",
        "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=9 | INTERVAL: 86399 seconds come back to their time of day only after 86399 days",
        "FREQ=DAILY;INTERVAL=2;COUNT=30000 | COUNT: 30000 occurrences take too long to count",
        "FREQ=SECONDLY;INTERVAL=1009;COUNT=10000;BYSECOND=46;BYMINUTE=1;BYHOUR=1 | COUNT: 10000 occurrences take too long",
      })
  void what_is_wrong_is_pointed_at(String rule, String message) {
    assertThatThrownBy(
            () -> RRule.parse(rule, at("2026-01-01T00:00:00Z"), BERLIN).requireOccurrence())
        .isInstanceOfSatisfying(
            InvalidTriggerException.class,
            e -> {
              assertThat(e.field()).isEqualTo("rrule");
              assertThat(e.getMessage()).contains(message);
              RRule.parse(e.example(), at("2026-01-01T00:00:00Z"), BERLIN).requireOccurrence();
            });
  }

  @Test
  void an_interval_that_meets_the_other_parts_after_a_thousand_years_is_found() {
    // of every 401st year from 2025 on, 3228 is the first leap year
    assertThat(
            RRule.parse(
                    "FREQ=YEARLY;INTERVAL=401;BYMONTH=2;BYMONTHDAY=29",
                    at("2025-01-01T00:00:00Z"),
                    BERLIN)
                .requireOccurrence()
                .nextAfter(Instant.MIN))
        .contains(at("3228-02-29T00:00:00Z"));
  }

  @Test
  void an_interval_that_takes_too_long_to_meet_the_other_parts_is_rejected() {
    // 14 seconds from minute 5 of a Monday on: never a minute that is listed
    String minutes =
        IntStream.range(0, 60)
            .filter(minute -> minute % 7 != 5)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    String rule =
        "FREQ=SECONDLY;INTERVAL=14;BYDAY=MO;BYHOUR=0,7,14,21;BYSECOND=0;BYMINUTE=" + minutes;
    assertThatThrownBy(
            () ->
                RRule.parse(rule, at("2026-01-05T00:05:00Z"), ZoneId.of("UTC")).requireOccurrence())
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining(
            "INTERVAL: takes more than 400000 steps to find the first occurrence");
  }

  @Test
  void an_interval_may_take_1500_days_to_come_back_to_its_time_of_day() {
    Instant anchor = at("2026-01-01T00:00:00Z");
    RRule rule =
        RRule.parse("FREQ=HOURLY;INTERVAL=36000;BYMONTH=1", anchor, BERLIN).requireOccurrence();
    assertThat(rule.nextAfter(Instant.MIN)).contains(anchor);
  }

  @Test
  void every_day_of_a_month_may_be_listed_beside_a_position() {
    String days =
        IntStream.rangeClosed(1, 31).mapToObj(Integer::toString).collect(Collectors.joining(","));
    RRule rule =
        RRule.parse(
                "FREQ=MONTHLY;BYSETPOS=-2;BYMONTHDAY=" + days, at("2026-01-01T08:00:00Z"), BERLIN)
            .requireOccurrence();
    assertThat(rule.nextAfter(at("2026-02-01T00:00:00Z"))).contains(at("2026-02-27T08:00:00Z"));
  }

  @Test
  void an_interval_that_no_longer_meets_the_other_parts_after_a_change_of_the_zone_ends_there() {
    // ten past each hour in UTC was minute 31 in Kolkata until 1906, and is minute 40 since
    ZoneId kolkata = ZoneId.of("Asia/Kolkata");
    Instant anchor = at("1900-01-01T00:10:00Z");
    Effort effort = Effort.of(100);
    RRule ended =
        RRule.parse("FREQ=SECONDLY;INTERVAL=3600;BYMINUTE=31", anchor, kolkata)
            .requireOccurrence()
            .metered(effort);
    assertThat(ended.nextAfter(at("1950-01-01T00:00:00Z"))).isEmpty();
    assertThat(ended.lastAtOrBefore(Instant.MAX)).contains(at("1905-12-31T18:10:00Z"));
    RRule goesOn =
        RRule.parse("FREQ=SECONDLY;INTERVAL=3600;BYMINUTE=40", anchor, kolkata).requireOccurrence();
    assertThat(goesOn.nextAfter(Instant.MIN)).contains(at("1905-12-31T19:10:00Z"));
    assertThat(goesOn.nextAfter(at("5000-01-01T00:10:00Z"))).contains(at("5000-01-01T01:10:00Z"));
  }

  @Test
  void the_last_day_and_second_of_the_year_9999_may_have_an_occurrence() {
    RRule rule =
        RRule.parse("FREQ=DAILY;INTERVAL=2", at("9999-12-29T12:00:00Z"), ZoneId.of("Asia/Tokyo"))
            .requireOccurrence();
    assertThat(rule.lastAtOrBefore(Instant.MAX)).contains(at("9999-12-31T12:00:00Z"));
    RRule late =
        RRule.parse("FREQ=DAILY;INTERVAL=2", at("9999-12-29T18:00:00Z"), ZoneId.of("Asia/Tokyo"))
            .requireOccurrence();
    assertThat(late.lastAtOrBefore(Instant.MAX)).contains(at("9999-12-31T18:00:00Z"));
    Instant lastSecond = at("9999-12-31T23:59:59Z");
    assertThat(
            RRule.parse("FREQ=HOURLY;INTERVAL=2;BYMONTH=12", lastSecond, ZoneId.of("UTC"))
                .requireOccurrence()
                .nextAfter(Instant.MIN))
        .contains(lastSecond);
  }

  @Test
  void whether_a_number_of_occurrences_can_be_counted_is_told_beforehand() {
    Instant anchor = Instant.parse("2026-01-01T00:00:00Z");
    RRule rare =
        RRule.parse(
                "FREQ=SECONDLY;INTERVAL=1487;BYSECOND=7,28,35,39;BYMINUTE=4,6,17,53,56",
                anchor,
                BERLIN)
            .requireOccurrence();
    assertThat(rare.countsTo(anchor, 10)).isTrue();
    assertThat(rare.countsTo(anchor, 1_000_000)).isFalse();
    RRule daily = RRule.parse("FREQ=DAILY", anchor, BERLIN).requireOccurrence();
    assertThat(daily.countsTo(anchor, 1_000_000)).isTrue();
    RRule halfHours = RRule.parse("FREQ=HOURLY;BYMINUTE=0,30", anchor, BERLIN).requireOccurrence();
    assertThat(halfHours.countsTo(anchor, 1_000_000)).isTrue();
  }

  @Test
  void rules_are_equal_if_text_anchor_and_zone_are() {
    RRule rule = RRule.parse("FREQ=DAILY", at("2026-01-01T00:00:00Z"), BERLIN);
    assertThat(rule)
        .isEqualTo(RRule.parse("FREQ=DAILY", at("2026-01-01T00:00:00Z"), BERLIN))
        .hasSameHashCodeAs(RRule.parse("FREQ=DAILY", at("2026-01-01T00:00:00Z"), BERLIN))
        .isNotEqualTo(RRule.parse("FREQ=DAILY", at("2026-01-01T00:00:01Z"), BERLIN))
        .hasToString("RRule[FREQ=DAILY from 2026-01-01T00:00:00Z in Europe/Berlin]");
  }

  private static Instant at(String instant) {
    return Instant.parse(instant);
  }
}
