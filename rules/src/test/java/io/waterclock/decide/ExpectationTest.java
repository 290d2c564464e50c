package io.waterclock.decide;

import static io.waterclock.schemas.avro.OutcomeState.DROPPED;
import static io.waterclock.schemas.avro.OutcomeState.FAILED;
import static io.waterclock.schemas.avro.OutcomeState.STARTED;
import static io.waterclock.schemas.avro.OutcomeState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every ten minutes; what is expected of the fires, and does not come true, is an alert. */
final class ExpectationTest {
  private static Life expecting(Expectations.Builder what) {
    return Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setExpect(what.build())).put("09:55");
  }

  private static Expectations.Builder expect() {
    return Expectations.newBuilder();
  }

  private static long minutes(long number) {
    return Duration.ofMinutes(number).toMillis();
  }

  private static Life startingWithin(long minutes) {
    return expecting(expect().setStartedWithinMs(minutes(minutes)));
  }

  private static Life succeedingWithin(long minutes) {
    return expecting(expect().setSucceededWithinMs(minutes(minutes)));
  }

  private static Life succeedingEvery(long minutes) {
    return expecting(expect().setSucceededEveryMs(minutes(minutes)));
  }

  private static Life once(String time, long minutes) {
    return onceExpecting(time, minutes).put("09:55");
  }

  private static Life onceExpecting(String time, long minutes) {
    return Life.of(Life.once(time), CatchUp.COLLAPSE)
        .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(minutes)).build()));
  }

  private static Life limited(Life life) {
    return life.with(d -> d.setLimit("etl")).put("09:55");
  }

  private static Arguments history(String what, Life life, String... alerts) {
    return Arguments.of(what, life, List.of(alerts));
  }

  private static final UnaryOperator<Schedule.Builder> EVERY_15 =
      d -> d.setExpect(expect().setSucceededEveryMs(minutes(15)).build());

  private static final String LATE_10_00 =
      "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by NOT_REPORTED";

  /** A tick without an alert before it is a scheduler that was up then. */
  static Stream<Arguments> histories() {
    return Stream.of(
        history(
            "in time",
            succeedingWithin(5).tick("10:00").report("10:05", "10:00", SUCCEEDED).tick("10:09")),
        history(
            "a fire that waits for its limit, and then starts in time",
            limited(succeedingWithin(5))
                .tick("10:00")
                .tick("10:09")
                .startsByLimit("10:09", "10:00")
                .report("10:13", "10:00", SUCCEEDED)
                .tick("10:13")),
        history(
            "a fire that waited for its limit, and then is late",
            limited(succeedingWithin(5))
                .tick("10:00")
                .startsByLimit("10:03", "10:00")
                .tick("10:07")
                .tick("10:08"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:08 by NOT_REPORTED"),
        history(
            "a later fire that starts before one that waits",
            limited(startingWithin(5))
                .tick("10:00")
                .tick("10:10")
                .startsByLimit("10:11", "10:10")
                .tick("10:16")
                .startsByLimit("10:17", "10:00")
                .report("10:18", "10:10", STARTED)
                .tick("10:19"),
            "OVERDUE STARTED_WITHIN 10:10 at 10:16 by NOT_REPORTED",
            "RECOVERED STARTED_WITHIN 10:10 at 10:18"),
        history(
            "a fire that its limit drops",
            limited(startingWithin(5)).tick("10:00").dropsByLimit("10:04", "10:00").tick("10:09")),
        history(
            "the time between successes begins with the start of the fire",
            limited(succeedingEvery(30))
                .tick("10:00")
                .tick("10:40")
                .startsByLimit("10:50", "10:00")
                .tick("11:19")
                .tick("11:20"),
            "OVERDUE SUCCEEDED_EVERY 10:00 at 11:20 by NOT_REPORTED"),
        history(
            "a single fire that waits for its limit is not complete before",
            limited(onceExpecting("10:00", 5))
                .tick("10:00")
                .review("12:00")
                .startsByLimit("12:00", "10:00")
                .tick("12:05"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 12:05 by NOT_REPORTED"),
        history("too late", succeedingWithin(5).tick("10:00").tick("10:05"), LATE_10_00),
        history(
            "once, until the success of a later occurrence, which ends it once",
            succeedingWithin(5)
                .tick("10:00")
                .report("10:01", "10:00", STARTED)
                .tick("10:05")
                .tick("10:09")
                .tick("10:10")
                .tick("10:16")
                .report("10:18", "10:10", SUCCEEDED)
                .tick("10:18")
                .tick("10:19"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:18"),
        history(
            "the success of an earlier occurrence does not end it",
            succeedingWithin(15)
                .tick("10:00")
                .tick("10:10")
                .tick("10:15")
                .tick("10:25")
                .report("10:26", "10:00", SUCCEEDED)
                .tick("10:29"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:15 by NOT_REPORTED"),
        history(
            "an outage across the deadline, and a report meanwhile",
            succeedingWithin(5)
                .tick("10:00")
                .reportLate("10:04", "11:00", "10:00", SUCCEEDED)
                .tick("11:00")),
        history(
            "an outage across the deadline, and a report that was late",
            succeedingWithin(5)
                .tick("10:00")
                .reportLate("10:07", "11:00", "10:00", SUCCEEDED)
                .tick("11:00"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:07"),
        history(
            "input that is not read yet",
            succeedingWithin(5)
                .tick("10:00")
                .decideReadThrough("10:04", "10:08")
                .report("10:05", "10:00", SUCCEEDED)
                .tick("10:08")),
        history(
            "a fire after its deadline",
            succeedingWithin(5).tick("10:08").report("10:09", "10:00", SUCCEEDED).tick("10:09"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:08 by SCHEDULER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:09"),
        history(
            "catch-up that skips the occurrences of an outage",
            Life.everyTenMinutes(CatchUp.SKIP)
                .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .put("09:55")
                .tick("10:59")),
        history(
            "catch-up that fires one for all of an outage",
            succeedingWithin(5).tick("11:02").report("11:03", "11:00", SUCCEEDED).tick("11:09")),
        history(
            "a replay after an outage",
            Life.everyTenMinutes(CatchUp.REPLAY)
                .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .put("09:55")
                .tick("10:31")
                .report("10:32", "10:00", SUCCEEDED)
                .report("10:32", "10:10", SUCCEEDED)
                .report("10:33", "10:20", SUCCEEDED)
                .report("10:34", "10:30", SUCCEEDED)
                .tick("10:39"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:31 by SCHEDULER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:33"),
        history(
            "a pause before the deadline",
            succeedingWithin(5).tick("10:00").command("10:02", "\"pause\": {}").tick("10:40")),
        history(
            "a pause before the deadline, read after it",
            succeedingWithin(5)
                .tick("10:00")
                .commandLate("10:02", "11:00", "\"pause\": {}")
                .tick("11:00")),
        history(
            "a pause after the deadline, read before that is decided",
            succeedingWithin(5)
                .tick("10:00")
                .commandLate("10:07", "11:00", "\"pause\": {}")
                .tick("11:00"),
            LATE_10_00),
        history(
            "a pause of what is overdue twice: the success of the earlier run does not end it",
            succeedingWithin(5)
                .tick("10:05")
                .tick("10:15")
                .command("10:16", "\"pause\": {}")
                .report("10:17", "10:00", SUCCEEDED)
                .tick("10:17")
                .report("10:18", "10:10", SUCCEEDED)
                .tick("10:18"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:18"),
        history(
            "a pause before the deadline, read after its resume",
            succeedingWithin(5)
                .tick("10:00")
                .commandLate("10:03", "10:04", "\"resume\": {}")
                .commandLate("10:02", "10:04", "\"pause\": {}")
                .tick("10:09")),
        history(
            "a pause that is read after its resume, and after a fire that follows both",
            succeedingWithin(5)
                .command("09:58", "\"resume\": {}")
                .tick("10:00")
                .commandLate("09:57", "10:04", "\"pause\": {}")
                .tick("10:09"),
            LATE_10_00),
        history(
            "a definition that is disabled before the deadline, read after its resume",
            succeedingWithin(5)
                .tick("10:00")
                .commandLate("10:03", "10:04", "\"resume\": {}")
                .editLate("10:02", "10:04", d -> d.setEnabled(false))
                .tick("10:09")),
        history(
            "the fire that a resume orders is expected from then on",
            Life.of(Life.every(60), CatchUp.COLLAPSE)
                .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .put("09:55")
                .tick("10:00")
                .command("10:02", "\"pause\": {}")
                .command("11:41", "\"resume\": {\"on_resume\": \"FIRE_ONCE\"}")
                .tick("11:41")
                .tick("11:45")
                .tick("11:46"),
            "OVERDUE SUCCEEDED_WITHIN 11:00 at 11:46 by NOT_REPORTED"),
        history(
            "the time between successes begins with the fire that a resume orders",
            Life.of(Life.every(60), CatchUp.COLLAPSE)
                .with(d -> d.setExpect(expect().setSucceededEveryMs(minutes(30)).build()))
                .put("09:55")
                .command("10:02", "\"pause\": {}")
                .command("11:41", "\"resume\": {\"on_resume\": \"FIRE_ONCE\"}")
                .tick("11:41")
                .tick("12:10")
                .tick("12:11"),
            "OVERDUE SUCCEEDED_EVERY 11:00 at 12:11 by NOT_REPORTED"),
        history(
            "a single instant in a pause fires at its end",
            once("10:00", 5)
                .command("09:57", "\"pause\": {}")
                .command("10:41", "\"resume\": {}")
                .tick("10:41")
                .tick("10:46"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:46 by NOT_REPORTED"),
        history(
            "a single instant that was over when it was defined",
            onceExpecting("09:00", 5).put("09:55").tick("09:55").tick("09:59").tick("10:00"),
            "OVERDUE SUCCEEDED_WITHIN 09:00 at 10:00 by NOT_REPORTED"),
        history(
            "an occurrence that waits for the end of a run is expected from then on",
            succeedingWithin(5)
                .edit("09:56", d -> d.setOverlap(Overlap.BUFFER_ONE).setTimeoutMs(minutes(30)))
                .tick("10:00")
                .report("10:00", "10:00", STARTED)
                .tick("10:05")
                .tick("10:10")
                .report("10:17", "10:00", SUCCEEDED)
                .tick("10:17")
                .report("10:19", "10:10", SUCCEEDED)
                .tick("10:19"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:17"),
        history(
            "failures that pause a schedule do not silence what is expected",
            succeedingWithin(5)
                .edit("09:56", d -> d.setPauseAfterFailures(1))
                .tick("10:00")
                .report("10:01", "10:00", FAILED)
                .tick("10:05"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER"),
        history(
            "a limit that ends while a fire waits for it",
            limited(succeedingWithin(5))
                .tick("10:00")
                .edit("10:02", d -> d.setLimit(null))
                .tick("10:10")
                .tick("10:15"),
            "OVERDUE SUCCEEDED_WITHIN 10:10 at 10:15 by NOT_REPORTED"),
        history(
            "the last two runs before the end, of which only the first has succeeded",
            succeedingWithin(15)
                .edit("09:56", d -> d.setEndAt(Life.at("10:11")))
                .tick("10:00")
                .tick("10:10")
                .tick("10:15")
                .review("10:16")
                .report("10:17", "10:00", SUCCEEDED)
                .tick("10:17")
                .review("10:18")
                .tick("10:25")
                .review("10:26"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:15 by NOT_REPORTED",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:17",
            "OVERDUE SUCCEEDED_WITHIN 10:10 at 10:25 by NOT_REPORTED"),
        history(
            "another run of what was overdue",
            succeedingWithin(5)
                .tick("10:00")
                .report("10:01", "10:00", FAILED)
                .tick("10:05")
                .report("10:08", "10:00", SUCCEEDED)
                .tick("10:08"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:08"),
        history(
            "weekends: no success is expected where nothing is due",
            Life.of(Life.cron("0 6,18 * * *"), CatchUp.COLLAPSE)
                .with(d -> d.setExpect(expect().setSucceededEveryMs(minutes(60)).build()))
                .put("05:00")
                .tick("06:00")
                .report("06:10", "06:00", SUCCEEDED)
                .tick("18:00")
                .report("18:20", "18:00", SUCCEEDED)
                .tick("23:00")),
        history(
            "a pause and a resume: of new fires alone",
            succeedingWithin(5)
                .tick("10:00")
                .command("10:02", "\"pause\": {}")
                .command("11:41", "\"resume\": {}")
                .tick("11:49")
                .tick("11:50")
                .tick("11:55"),
            "OVERDUE SUCCEEDED_WITHIN 11:50 at 11:55 by NOT_REPORTED"),
        history(
            "the success of what is overdue, in a pause",
            succeedingWithin(5)
                .tick("10:05")
                .command("10:06", "\"pause\": {}")
                .report("10:08", "10:00", SUCCEEDED)
                .tick("10:08"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:08"),
        history(
            "a skipped occurrence",
            succeedingWithin(5)
                .command("09:56", "\"skip\": {\"occurrence\": \"2026-03-04T10:00:00Z\"}")
                .tick("10:00")
                .tick("10:09")),
        history(
            "an edit of something else between fire and deadline",
            succeedingWithin(5)
                .tick("10:00")
                .edit("10:02", d -> d.setDescription("b"))
                .tick("10:05"),
            LATE_10_00),
        history(
            "an edit that shortens the time between fire and deadline: of new fires alone",
            succeedingWithin(9)
                .tick("10:00")
                .edit("10:06", d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .tick("10:09")
                .tick("10:10")
                .tick("10:15"),
            "OVERDUE SUCCEEDED_WITHIN 10:10 at 10:15 by NOT_REPORTED"),
        history(
            "an edit that lengthens the time of what is overdue",
            succeedingWithin(5)
                .tick("10:05")
                .edit("10:06", d -> d.setExpect(expect().setSucceededWithinMs(minutes(8)).build()))
                .tick("10:09"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:06 withdrawn"),
        history(
            "an edit that ends the expectation",
            succeedingWithin(5).tick("10:05").edit("10:06", d -> d.setExpect(null)).tick("10:09"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:06 withdrawn"),
        history(
            "an edit that begins to expect, read before the old definition's fire",
            Life.everyTenMinutes(CatchUp.COLLAPSE)
                .put("09:55")
                .editLate(
                    "10:00:30",
                    "10:00:40",
                    d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .tick("10:00:40")
                .tick("10:09")),
        history(
            "a success of the old definition's fire since an edit that expects others every so"
                + " often",
            Life.everyTenMinutes(CatchUp.REPLAY)
                .put("09:55")
                .tick("10:00")
                .edit("10:01", EVERY_15)
                .report("10:12", "10:00", SUCCEEDED)
                .tick("10:26")
                .report("10:27", "10:10", SUCCEEDED)
                .tick("10:27")),
        history(
            "a success from before that edit, which is read after it",
            Life.everyTenMinutes(CatchUp.REPLAY)
                .put("09:55")
                .tick("10:00")
                .edit("10:02", EVERY_15)
                .reportLate("10:01", "10:03", "10:00", SUCCEEDED)
                .tick("10:10")
                .tick("10:24")
                .tick("10:25"),
            "OVERDUE SUCCEEDED_EVERY 10:10 at 10:25 by NOT_REPORTED"),
        history(
            "a success in a pause after that edit",
            Life.everyTenMinutes(CatchUp.REPLAY)
                .put("09:55")
                .tick("10:00")
                .edit("10:02", EVERY_15)
                .command("10:03", "\"pause\": {}")
                .report("10:04", "10:00", SUCCEEDED)
                .command("10:09", "\"resume\": {}")
                .tick("10:10")
                .tick("10:24")
                .tick("10:25"),
            "OVERDUE SUCCEEDED_EVERY 10:10 at 10:25 by NOT_REPORTED"),
        history("a delete", succeedingWithin(5).tick("10:00").deleteLate("10:02", "10:02")),
        history(
            "a delete of what is overdue",
            succeedingWithin(5).tick("10:05").deleteLate("10:06", "10:06"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:06 withdrawn"),
        history(
            "a report twice, and out of order",
            succeedingWithin(5)
                .tick("10:00")
                .report("10:04", "10:00", SUCCEEDED)
                .reportLate("10:02", "10:04", "10:00", STARTED)
                .report("10:04", "10:00", SUCCEEDED)
                .tick("10:10")
                .report("10:11", "10:10", SUCCEEDED)
                .report("10:14", "10:00", FAILED)
                .tick("10:19")),
        history(
            "a report that a broker got long after its time",
            succeedingWithin(5)
                .tick("10:05")
                .reportLate("10:03", "10:08", "10:00", SUCCEEDED)
                .tick("10:08"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:05"),
        history(
            "the report of an occurrence to come",
            succeedingWithin(5).tick("10:00").report("10:01", "10:50", SUCCEEDED).tick("10:05"),
            LATE_10_00),
        history(
            "a report without an expectation",
            Life.everyTenMinutes(CatchUp.COLLAPSE)
                .put("09:55")
                .tick("10:00")
                .report("10:01", "10:00", FAILED)
                .tick("10:09")),
        history(
            "a run that a worker drops",
            succeedingWithin(5).tick("10:00").report("10:01", "10:00", DROPPED).tick("10:09")),
        history(
            "what commands fire",
            succeedingWithin(5)
                .command("09:56", "\"trigger\": {}")
                .fireManual("09:56", 1)
                .tick("09:59")),
        history(
            "a clock that has jumped over the deadline",
            succeedingWithin(5)
                .tick("10:00")
                .decideReadThrough("10:00", "10:30")
                .report("10:30", "10:00", SUCCEEDED)
                .decideReadThrough("10:00", "10:30")
                .reportLate("10:01", "10:30", "10:00", SUCCEEDED)
                .decideReadThrough("10:05", "10:30")),
        history(
            "a start alone",
            startingWithin(1)
                .tick("10:00")
                .tick("10:01")
                .report("10:02", "10:00", STARTED)
                .tick("10:02")
                .tick("10:09"),
            "OVERDUE STARTED_WITHIN 10:00 at 10:01 by NOT_REPORTED",
            "RECOVERED STARTED_WITHIN 10:00 at 10:02"),
        history(
            "a run that has failed has started",
            startingWithin(1).tick("10:00").report("10:01", "10:00", FAILED).tick("10:09")),
        history(
            "a single fire, overdue, that recovers after it is complete",
            once("10:00", 30)
                .tick("10:00")
                .review("10:10")
                .tick("10:30")
                .review("10:31")
                .report("10:40", "10:00", SUCCEEDED)
                .tick("10:40"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:30 by NOT_REPORTED",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:40"),
        history(
            "a single fire, overdue until it is forgotten",
            once("10:00", 30).tick("10:30").review("10:31").review("11:40"),
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:30 by NOT_REPORTED",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 11:40 withdrawn"),
        history(
            "a move to another scheduler",
            succeedingWithin(5)
                .tick("10:05")
                .move("10:06")
                .tick("10:10")
                .report("10:11", "10:10", SUCCEEDED)
                .tick("10:12"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:11"),
        history(
            "no success for a time, counted from the first fire",
            succeedingEvery(18).tick("10:00").tick("10:10").tick("10:18"),
            "OVERDUE SUCCEEDED_EVERY 10:00 at 10:18 by NOT_REPORTED"),
        history(
            "no success since the last, while it fails",
            succeedingEvery(18)
                .tick("10:00")
                .report("10:01", "10:00", SUCCEEDED)
                .tick("10:10")
                .report("10:11", "10:10", FAILED)
                .tick("10:19")
                .tick("10:20")
                .report("10:21", "10:20", SUCCEEDED)
                .tick("10:22"),
            "OVERDUE SUCCEEDED_EVERY 10:01 at 10:19 by WORKER",
            "RECOVERED SUCCEEDED_EVERY 10:01 at 10:21"),
        history(
            "no success where nothing was due, as on a holiday",
            succeedingEvery(5)
                .tick("10:00")
                .report("10:01", "10:00", SUCCEEDED)
                .tick("10:09")
                .tick("10:10")
                .report("10:14", "10:10", SUCCEEDED)
                .tick("10:19")),
        history(
            "a worker whose clock is behind",
            succeedingEvery(5)
                .tick("10:00")
                .reportLate("09:59:58", "10:00:01", "10:00", SUCCEEDED)
                .tick("10:09")),
        history(
            "successes that are read out of order",
            succeedingEvery(12)
                .tick("10:00")
                .tick("10:10")
                .reportLate("10:20", "10:20:30", "10:10", SUCCEEDED)
                .reportLate("10:09", "10:20:30", "10:00", SUCCEEDED)
                .tick("10:21")),
        history(
            "a pause ends the time, and a fire after it begins another",
            succeedingEvery(12)
                .tick("10:00")
                .command("10:05", "\"pause\": {}")
                .command("11:41", "\"resume\": {}")
                .tick("11:49")
                .tick("11:50")
                .tick("12:02"),
            "OVERDUE SUCCEEDED_EVERY 11:50 at 12:02 by NOT_REPORTED"),
        history(
            "a success in a pause, read after its end",
            succeedingEvery(12)
                .tick("10:00")
                .command("10:05", "\"pause\": {}")
                .command("10:08", "\"resume\": {}")
                .reportLate("10:06", "10:09", "10:00", SUCCEEDED)
                .tick("10:10")
                .tick("10:21")
                .tick("10:22"),
            "OVERDUE SUCCEEDED_EVERY 10:10 at 10:22 by NOT_REPORTED"),
        history(
            "a success after a pause, read before its end",
            succeedingEvery(12)
                .tick("10:00")
                .command("10:05", "\"pause\": {}")
                .report("10:08", "10:00", SUCCEEDED)
                .commandLate("10:07", "10:09", "\"resume\": {}")
                .tick("10:10")
                .tick("10:20"),
            "OVERDUE SUCCEEDED_EVERY 10:08 at 10:20 by NOT_REPORTED"),
        history(
            "a success in a pause that is read after its end and after the success",
            succeedingEvery(12)
                .tick("10:00")
                .command("10:08", "\"resume\": {}")
                .commandLate("10:05", "10:08", "\"pause\": {}")
                .reportLate("10:06", "10:09", "10:00", SUCCEEDED)
                .tick("10:10")
                .tick("10:21")
                .tick("10:22"),
            "OVERDUE SUCCEEDED_EVERY 10:10 at 10:22 by NOT_REPORTED"),
        history(
            "a success that is read before the fire that was due before it, and nothing is due"
                + " after",
            Life.of(Life.every(120), CatchUp.COLLAPSE)
                .with(d -> d.setExpect(expect().setSucceededEveryMs(minutes(70)).build()))
                .put("07:55")
                .tick("08:00")
                .report("08:01", "08:00", SUCCEEDED)
                .reportLate("10:00:01", "10:00:02", "08:00", SUCCEEDED)
                .tick("10:00:02")
                .tick("11:59")),
        history(
            "a success of an earlier life of the id",
            succeedingEvery(15)
                .tick("10:00")
                .deleteLate("10:02", "10:02")
                .put("10:03")
                .report("10:04", "10:00", SUCCEEDED)
                .tick("10:10")
                .report("10:12", "10:00", SUCCEEDED)
                .tick("10:24")
                .tick("10:25"),
            "OVERDUE SUCCEEDED_EVERY 10:10 at 10:25 by NOT_REPORTED"),
        history(
            "an edit between a pause and its resume, read after both",
            succeedingWithin(18)
                .tick("10:00")
                .command("10:05", "\"pause\": {}")
                .command("10:22", "\"resume\": {\"on_resume\": \"FIRE_ONCE\"}")
                .editLate("10:08", "10:23", d -> d.setDescription("later"))
                .tick("10:23")
                .tick("10:39")
                .tick("10:40"),
            "OVERDUE SUCCEEDED_WITHIN 10:20 at 10:40 by NOT_REPORTED"),
        history(
            "two edits of the expectation, the second of which takes the first back",
            Life.everyTenMinutes(CatchUp.COLLAPSE)
                .with(d -> d.setGraceMs(minutes(60)))
                .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .put("09:55")
                .editLate("10:01", "10:12", EVERY_15)
                .editLate(
                    "10:02",
                    "10:12",
                    d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
                .tick("10:12")
                .tick("10:15"),
            "OVERDUE SUCCEEDED_WITHIN 10:10 at 10:15 by NOT_REPORTED"),
        history(
            "a delete that is read late",
            succeedingWithin(5).tick("10:05").deleteLate("10:06", "10:08"),
            LATE_10_00,
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:06 withdrawn"),
        history(
            "the last fire of all, of which a success is still expected",
            Life.of(Life.once("10:00"), CatchUp.COLLAPSE)
                .with(EVERY_15)
                .put("09:55")
                .tick("10:00")
                .review("10:01")
                .tick("10:15"),
            "OVERDUE SUCCEEDED_EVERY 10:00 at 10:15 by NOT_REPORTED"));
  }

  @Test
  void a_resume_fires_when_what_was_written_before_it_is_read() {
    Life paused =
        succeedingWithin(18)
            .tick("10:00")
            .command("10:05", "\"pause\": {}")
            .command("10:12", "\"resume\": {\"on_resume\": \"FIRE_ONCE\"}");
    assertThat(paused.wakesAt()).contains("10:12");
    assertThat(paused.decideReadThrough("10:11:59", "10:13").fires()).hasSize(1);
    assertThat(paused.decideReadThrough("10:12", "10:13").fires()).hasSize(2);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("histories")
  void each_history_has_its_alerts(String what, Life life, List<String> alerts) {
    assertThat(life.alerts()).as(what).isEqualTo(alerts);
  }

  @Test
  void a_deadline_wakes_the_schedule_and_what_is_met_does_not() {
    Life life = succeedingWithin(5).tick("10:00");
    assertThat(life.wakesAt()).contains("10:05");
    assertThat(life.next()).contains("10:10");
    assertThat(life.tick("10:05").wakesAt()).as("nothing more to decide").contains("10:10");
    life.report("10:06", "10:00", SUCCEEDED);
    assertThat(life.wakesAt()).contains("10:06");
    assertThat(life.tick("10:06").wakesAt()).contains("10:10");
  }

  @Test
  void nothing_is_stored_where_nothing_is_open() {
    Life without = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    assertThat(without.state().isPlain()).isTrue();
    assertThat(without.last().fires()).noneMatch(fire -> fire.wantsOutcome());
    Life with = succeedingWithin(5).tick("10:00");
    assertThat(with.last().fires()).allMatch(fire -> fire.wantsOutcome());
    assertThat(with.state().isPlain()).isFalse();
    assertThat(with.report("10:01", "10:00", SUCCEEDED).state().isPlain()).isTrue();
  }

  @Test
  void a_hundred_open_runs_are_watched_and_the_success_of_a_later_one_ends_all() {
    Life life =
        Life.of(Life.every(1), CatchUp.COLLAPSE)
            .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(300)).build()))
            .put("00:00");
    for (int minute = 1; minute <= 290; minute++) {
      life.tick("%02d:%02d".formatted(minute / 60, minute % 60));
    }
    assertThat(life.state().runs().watches().all().get(0).open()).hasSizeBetween(50, 100);
    life.report("04:51", "04:50", SUCCEEDED);
    assertThat(life.state().runs().isEmpty()).isTrue();
  }

  @Test
  void a_worker_that_works_off_a_thousand_fires_recovers_once() {
    Life life =
        Life.of(Life.every(1), CatchUp.COLLAPSE)
            .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(5)).build()))
            .put("00:00");
    String done = "00:00";
    for (int minute = 1; minute <= 1_100; minute++) {
      String now = Life.time(Life.DAY.plus(Duration.ofMinutes(minute)));
      life.tick(now);
      for (int run = 0; run < 11 && minute > 1_000 && done.compareTo(now) < 0; run++) {
        done = Life.time(Life.at(done).plus(Duration.ofMinutes(1)));
        life.report(now, done, SUCCEEDED);
      }
      life.tick(now);
    }
    assertThat(life.alerts())
        .hasSize(2)
        .last(InstanceOfAssertFactories.STRING)
        .startsWith("RECOVERED SUCCEEDED_WITHIN 00:01");
    Instant recovered = Life.at(life.alerts().get(1).replaceFirst(".* at ", ""));
    assertThat(recovered).isAfter(Life.at("18:10"));
  }

  @Test
  void a_single_fire_is_complete_when_its_deadlines_are_over() {
    Life life = once("10:00", 30).tick("10:00").review("10:10");
    assertThat(life.state().completedAt()).isEmpty();
    assertThat(life.tick("10:30").review("10:31").state().completedAt()).isPresent();
  }

  static List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= 200; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  private record Reported(Instant at, Instant occurrence) {}

  /**
   * Successes at random, read late at random, and ticks at random: the alerts are those that follow
   * from the facts, second by second.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void alerts_follow_from_the_facts_whenever_these_are_read(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long within = 1 + random.nextInt(25);
    Life life = succeedingWithin(within);
    List<Instant> fires = new ArrayList<>();
    List<Reported> facts = new ArrayList<>();
    Instant begin = Life.at("10:00");
    int minutes = 300;
    for (int minute = 0; minute < minutes; minute++) {
      Instant now = begin.plus(Duration.ofMinutes(minute));
      life.tick(Life.time(now));
      if (minute % 10 == 0) {
        fires.add(now);
      }
      if (random.nextInt(100) < 12) {
        Instant of = fires.get(random.nextInt(fires.size()));
        Instant at = now.plusSeconds(30);
        facts.add(new Reported(at, of));
        life.report(Life.time(at), Life.time(of), SUCCEEDED);
      }
    }
    Instant end = begin.plus(Duration.ofMinutes(minutes));
    life.tick(Life.time(end));
    assertThat(life.alerts().stream().map(ExpectationTest::withoutFault).toList())
        .as("seed %s, within %s min", seed, within)
        .isEqualTo(expected(fires, facts, Duration.ofMinutes(within), end));
  }

  private static String withoutFault(String alert) {
    return alert.replaceFirst(" by .*", "").replaceFirst("_WITHIN \\S+ at", "_WITHIN at");
  }

  /** By the definition: at an instant, what is late that has not come true by then. */
  private static List<String> expected(
      List<Instant> fires, List<Reported> facts, Duration within, Instant end) {
    TreeSet<Instant> instants = new TreeSet<>();
    fires.forEach(fire -> instants.add(fire.plus(within)));
    facts.forEach(fact -> instants.add(fact.at()));
    List<String> alerts = new ArrayList<>();
    boolean isOverdue = false;
    for (Instant at : instants.headSet(end, true)) {
      boolean isLate =
          fires.stream()
              .filter(fire -> !fire.plus(within).isAfter(at))
              .anyMatch(
                  fire ->
                      facts.stream()
                          .noneMatch(
                              fact -> !fact.at().isAfter(at) && !fact.occurrence().isBefore(fire)));
      if (isLate != isOverdue) {
        alerts.add((isLate ? "OVERDUE" : "RECOVERED") + " SUCCEEDED_WITHIN at " + Life.time(at));
        isOverdue = isLate;
      }
    }
    return alerts;
  }

  /** Fires every ten minutes: by the definition, from one success to the next. */
  @ParameterizedTest
  @MethodSource("seeds")
  void a_success_is_expected_in_every_such_time(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long within = 11 + random.nextInt(40);
    Life life = succeedingEvery(within);
    Instant since = Life.at("10:00");
    List<String> expected = new ArrayList<>();
    Instant begin = Life.at("10:00");
    for (int minute = 0; minute < 300; minute++) {
      Instant now = begin.plus(Duration.ofMinutes(minute));
      life.tick(Life.time(now));
      if (random.nextInt(100) < 4) {
        Instant at = now.plusSeconds(30);
        Instant deadline = since.plus(Duration.ofMinutes(within));
        if (at.isAfter(deadline)) {
          expected.add("OVERDUE SUCCEEDED_EVERY at " + Life.time(deadline));
          expected.add("RECOVERED SUCCEEDED_EVERY at " + Life.time(at));
        }
        since = at;
        Instant latest = begin.plus(Duration.ofMinutes(minute / 10 * 10));
        life.report(Life.time(at), Life.time(latest), SUCCEEDED);
      }
    }
    Instant end = begin.plus(Duration.ofMinutes(300));
    life.tick(Life.time(end));
    Instant last = since.plus(Duration.ofMinutes(within));
    if (!last.isAfter(end)) {
      expected.add("OVERDUE SUCCEEDED_EVERY at " + Life.time(last));
    }
    assertThat(
            life.alerts().stream()
                .map(alert -> alert.replaceFirst(" by .*", ""))
                .map(alert -> alert.replaceFirst("_EVERY \\S+ at", "_EVERY at"))
                .toList())
        .as("seed %s, every %s min", seed, within)
        .isEqualTo(expected);
  }
}
