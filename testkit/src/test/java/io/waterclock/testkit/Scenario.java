package io.waterclock.testkit;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.text.Problems;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A schedule named {@code a} on one day, written in times of that day. The result is written as
 * lines of text, so that a test reads like the row of the table it stands for.
 */
final class Scenario implements AutoCloseable {
  private static final String ID = "a";
  private static final Instant DAY = Instant.parse("2026-03-04T00:00:00Z");
  private static final Duration TICK = Duration.ofSeconds(5);
  private static final String FIRST = "first";

  private final SchedulerHarness scheduler = Harnesses.ticking(at("09:54"), TICK);
  private Schedule definition;

  private Scenario(Schedule definition) {
    this.definition = definition;
  }

  /** Every 10 minutes from 00:00. */
  static Scenario everyTenMinutes(CatchUp policy) {
    return new Scenario(named(FIRST).setTrigger(every(10)).setCatchUp(policy).build());
  }

  static Scenario once(CatchUp policy, String instant) {
    return new Scenario(named(FIRST).setTrigger(onceAt(instant)).setCatchUp(policy).build());
  }

  static EveryTrigger every(long minutes) {
    return EveryTrigger.newBuilder().setN(minutes).setUnit(Unit.MINUTE).setAnchor(DAY).build();
  }

  static OnceTrigger onceAt(String instant) {
    return OnceTrigger.newBuilder().setAt(at(instant)).build();
  }

  static CronTrigger cron(String expression) {
    return CronTrigger.newBuilder().setExpression(expression).build();
  }

  static RRuleTrigger rrule(String rule, String anchor) {
    return RRuleTrigger.newBuilder().setRule(rule).setAnchor(at(anchor)).build();
  }

  static Instant at(String time) {
    return DAY.plus(Duration.between(LocalTime.MIDNIGHT, LocalTime.parse(time)));
  }

  /** Changes what will be put next. */
  Scenario with(UnaryOperator<Schedule.Builder> change) {
    definition = change.apply(Schedule.newBuilder(definition)).build();
    return this;
  }

  /** Puts the definition as it stands. */
  Scenario put(String time) {
    until(time);
    scheduler.put(ID, definition);
    return this;
  }

  /** The definition as it stands, written so long ago. */
  Scenario putAsOf(Instant timestamp) {
    scheduler.put(ID, definition, timestamp);
    return this;
  }

  /** Puts a changed definition, to be known as {@code name} from then on. */
  Scenario edit(String time, String name, UnaryOperator<Schedule.Builder> change) {
    return with(builder -> change.apply(builder.setDescription(name))).put(time);
  }

  /** A command by its action, as {@code "pause": {}}; its id is the time at which it is given. */
  Scenario command(String time, String action) {
    until(time);
    scheduler.command(ID, commanded(time, action));
    return this;
  }

  /** A command that is read now, by a clock that says another time; its id is that time. */
  Scenario commandAsOf(String time, String action) {
    byte[] value = RecordCodecs.command().encode(commanded(time, action), WireFormat.AVRO);
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.CORRELATION_ID, time.getBytes(StandardCharsets.UTF_8));
    scheduler.command(ID, value, at(time), headers);
    return this;
  }

  /**
   * What a worker reports, and the tick after it, as {@code "succeeded"}, of the fire of an
   * occurrence.
   */
  Scenario report(String time, String occurrence, String state) {
    until(time);
    FireKey fire = FireKey.of(ScheduleId.parse(ID), at(occurrence));
    scheduler.report(ID, "{\"fire_key\":\"" + fire + "\",\"state\":\"" + state + "\"}");
    scheduler.step(Duration.ZERO);
    return this;
  }

  static Command commanded(String id, String action) {
    String json = "{\"command_id\": \"" + id + "\", " + action + "}";
    return RecordCodecs.command().decode(json.getBytes(StandardCharsets.UTF_8));
  }

  /** The answer to the command of a time: its verdict, and what was wrong. */
  String answer(String time) {
    Answer answer = answered(time);
    return answer.getProblems().isEmpty()
        ? answer.getVerdict().toString()
        : answer.getVerdict() + " " + Problems.text(answer.getProblems());
  }

  Scenario delete(String time) {
    until(time);
    scheduler.delete(ID);
    return this;
  }

  Scenario stop(String time) {
    until(time);
    scheduler.stop();
    return this;
  }

  Scenario start(String time) {
    until(time);
    scheduler.start();
    return this;
  }

  Scenario until(String time) {
    scheduler.advanceTo(at(time));
    return this;
  }

  Scenario advance(Duration duration) {
    scheduler.advance(duration);
    return this;
  }

  /** For example "10:40 CATCH_UP at 10:45 {3 from 10:10} by second". */
  List<String> fires() {
    return scheduler.fires().stream().map(Scenario::line).toList();
  }

  /** For example "10:10..10:30 COLLAPSED_INTO 10:40 (3) of second". */
  List<String> missed() {
    Map<String, String> names = new HashMap<>();
    for (Revision revision : scheduler.revisions()) {
      names.put(revision.getRevision(), revision.getSchedule().getDescription());
    }
    return scheduler.missed().stream()
        .map(missed -> line(missed, names.getOrDefault(missed.getRevision(), "?")))
        .toList();
  }

  /** As above; ranges between which nothing fired are shown as one, as live ones are single. */
  List<String> missedInAll() {
    List<Missed> joined = new ArrayList<>();
    for (Missed next : scheduler.missed()) {
      int end = joined.size() - 1;
      if (end >= 0 && follows(joined.get(end), next)) {
        Missed before = joined.get(end);
        joined.set(
            end,
            Missed.newBuilder(before)
                .setLast(next.getLast())
                .setCount(before.getCount() + next.getCount())
                .build());
      } else {
        joined.add(next);
      }
    }
    return joined.stream().map(missed -> line(missed, FIRST)).toList();
  }

  private boolean follows(Missed before, Missed next) {
    return before.getReason() == next.getReason()
        && before.getRevision().equals(next.getRevision())
        && scheduler.fires().stream()
            .map(Fire::getOccurrence)
            .noneMatch(at -> at.isAfter(before.getLast()) && at.isBefore(next.getFirst()));
  }

  /** What it waits for: asked by putting the definition again, which changes nothing. */
  Optional<String> next() {
    scheduler.ask(ID, encoded(), "question");
    List<Answer> answers = scheduler.answers();
    return Optional.ofNullable(answers.get(answers.size() - 1).getNext()).map(Scenario::time);
  }

  Optional<State> status() {
    return scheduler.status(ID).map(io.waterclock.schemas.avro.ScheduleStatus::getState);
  }

  SchedulerHarness scheduler() {
    return scheduler;
  }

  @Override
  public void close() {
    scheduler.close();
  }

  private byte[] encoded() {
    return io.waterclock.schemas.RecordCodecs.schedule()
        .encode(definition, io.waterclock.schemas.WireFormat.AVRO);
  }

  private static Schedule.Builder named(String name) {
    return Schedule.newBuilder().setDescription(name);
  }

  private static String line(Fire fire) {
    StringBuilder line = new StringBuilder();
    line.append(time(fire.getOccurrence())).append(' ').append(fire.getCause());
    if (!fire.getFiredAt().equals(fire.getDue())
        || !fire.getFiredAt().equals(fire.getOccurrence())) {
      line.append(" at ").append(time(fire.getFiredAt()));
    }
    if (fire.getCollapsed() != null) {
      line.append(" {")
          .append(fire.getCollapsed().getCount())
          .append(" from ")
          .append(time(fire.getCollapsed().getFirst()))
          .append('}');
    }
    return line + by(" by ", String.valueOf(fire.getSchedule().getDescription()));
  }

  private static String line(Missed missed, String name) {
    StringBuilder line = new StringBuilder();
    line.append(time(missed.getFirst()));
    if (!missed.getFirst().equals(missed.getLast())) {
      line.append("..").append(time(missed.getLast()));
    }
    line.append(' ').append(missed.getReason());
    if (missed.getCollapsedInto() != null) {
      line.append(' ').append(time(missed.getCollapsedInto()));
    }
    if (missed.getCount() != 1) {
      line.append(" (").append(missed.getCount()).append(')');
    }
    return line + by(" of ", name);
  }

  private static String by(String word, String name) {
    return name.equals(FIRST) ? "" : word + name;
  }

  /** The next occurrence, from the answer to a command sent at a time. */
  String next(String time) {
    return time(answered(time).getNext());
  }

  Answer answered(String time) {
    return scheduler.answers().stream()
        .filter(candidate -> candidate.getCorrelationId().equals(time))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static String time(Instant instant) {
    return LocalTime.MIDNIGHT
        .plus(ChronoUnit.MILLIS.between(DAY, instant), ChronoUnit.MILLIS)
        .toString();
  }

  /** Sends bytes under the schedule's key. */
  void send(String value) {
    scheduler.send(
        ID, value.getBytes(StandardCharsets.UTF_8), scheduler.now(), new RecordHeaders());
  }
}
