package io.waterclock.testkit.model;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.testkit.Harnesses;
import io.waterclock.testkit.SchedulerHarness;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Compares what the scheduler wrote with what the rules say, after each step. Throws an {@link
 * AssertionError} that says what is wrong.
 */
final class StepCheck {
  private final SchedulerHarness scheduler;
  private final UnaryOperator<List<Outcome>> tampering;
  private final Map<String, RevisionModel> revisions = new HashMap<>();
  private final Map<String, ScheduleModel> owners = new HashMap<>();

  /** The occurrences that have fired, by schedule, in whichever of its lives. */
  private final Set<String> fired = new HashSet<>();

  private final List<Outcome> expected = new ArrayList<>();
  private final Map<String, Integer> read = new HashMap<>();
  private final int backfillRate;
  private int refused;

  /**
   * @param tampering what is done to the outcomes before they are judged: plants faults
   * @param backfillRate how many fires backfills may emit in a step
   */
  StepCheck(SchedulerHarness scheduler, UnaryOperator<List<Outcome>> tampering, int backfillRate) {
    this.backfillRate = backfillRate;
    this.scheduler = scheduler;
    this.tampering = tampering;
  }

  void began(ScheduleModel life, RevisionModel revision) {
    revisions.put(revision.name, revision);
    owners.put(revision.name, life);
  }

  /** Something that the next outcomes must show; it counts as decided from now on. */
  void expect(ScheduleModel life, List<Outcome> outcomes) {
    for (Outcome outcome : outcomes) {
      expected.add(outcome);
      decided(life, outcome);
    }
  }

  /**
   * @param exact true when nothing but what is expected may show
   */
  void judge(Collection<ScheduleModel> lives, long nowMs, boolean exact) {
    List<Outcome> all = tampering.apply(observed());
    for (Outcome outcome : all) {
      neverEarlyNorTwice(outcome, nowMs);
      if (outcome instanceof Outcome.Extra extra) {
        ScheduleModel life = life(outcome);
        Optional<String> wrong = life.commanded.fired(extra);
        require(wrong.isEmpty(), outcome + ": " + wrong.orElse(""), all);
      }
    }
    List<Outcome> observed =
        all.stream().filter(outcome -> !(outcome instanceof Outcome.Extra)).toList();
    long backfilled =
        all.stream()
            .filter(o -> o instanceof Outcome.Extra e && e.cause() == Cause.BACKFILL)
            .count();
    require(backfilled <= backfillRate, "more than a second's worth of backfills", backfilled);
    if (exact) {
      sameAs(expected, observed);
    } else {
      List<Outcome> rest = new ArrayList<>(observed);
      for (Outcome outcome : expected) {
        require(rest.remove(outcome), "not seen: " + outcome, observed);
      }
      Lawful lawful = new Lawful(observed, nowMs);
      for (Outcome outcome : rest) {
        ScheduleModel life = life(outcome);
        Optional<String> wrong = lawful.judge(life, outcome);
        require(wrong.isEmpty(), outcome + ": " + wrong.orElse(""), observed);
        long orderedMs = outcome instanceof Outcome.Fired fire ? life.orderedMs(fire.at()) : 0;
        decided(life, outcome);
        if (outcome instanceof Outcome.Fired fire) {
          life.runs.fired(
              revision(fire.revision()).schedule,
              fire.at(),
              Math.max(fire.due(), orderedMs),
              nowMs);
        }
      }
    }
    expected.clear();
    lives.forEach(life -> require(life.hasNoGap(), "a gap in what is decided", observed));
  }

  /** What must hold whenever a tick is over. */
  void afterTick(Collection<ScheduleModel> lives, long nowMs) {
    for (TestRecord<byte[], byte[]> record : unread(scheduler.topics().watermarks())) {
      Watermark watermark = RecordCodecs.watermark().decode(record.value());
      require(watermark.getRepaired() == 0, "a queue entry was repaired", watermark);
      require(watermark.getFaulted() == 0, "a schedule is faulted", watermark);
      require(watermark.getRejected() <= refused, "refused were " + refused, watermark);
      long through = watermark.getDecidedThrough().toEpochMilli();
      require(through <= nowMs, "decided in the future", watermark);
      // what was read since an older one was written is none of its concern
      boolean isOfNow = watermark.getWrittenAt().toEpochMilli() == nowMs;
      for (ScheduleModel life : lives) {
        require(
            !isOfNow || !life.isBehind(through), life.id() + " is behind the watermark", watermark);
      }
    }
    require(
        Harnesses.store(scheduler, "schedules").size() == lives.size(),
        "definitions stored",
        lives.size());
  }

  /** Progress is kept for schedules out of step only. */
  void leavesNothing(Collection<ScheduleModel> lives, long nowMs) {
    leftOver(lives, nowMs)
        .ifPresent(id -> require(false, "progress is kept for a schedule in step", id));
  }

  /** A schedule in step with progress of its own, if there is any. */
  Optional<String> leftOver(Collection<ScheduleModel> lives, long nowMs) {
    Map<String, ScheduleModel> byId = new HashMap<>();
    lives.forEach(life -> byId.put(life.id(), life));
    for (Bytes key : Harnesses.store(scheduler, "progress").keySet()) {
      String id = new String(key.get(), StandardCharsets.UTF_8).split("\0", 2)[0];
      ScheduleModel life = byId.get(id);
      boolean isOutOfStep =
          id.isEmpty()
              || (life != null
                  && (life.hasOlder()
                      || life.isBehind(nowMs)
                      || life.mayBeAhead()
                      || life.commanded.isAny()
                      || life.runs.isAny()
                      || life.isOverridden()));
      if (!isOutOfStep) {
        return Optional.of(id);
      }
    }
    return Optional.empty();
  }

  private void decided(ScheduleModel life, Outcome outcome) {
    if (outcome instanceof Outcome.Lost lost) {
      revision(lost.revision()).decided.add(lost.at());
      if (lost.reason() == MissedReason.SKIPPED) {
        life.commanded.spent(lost.at());
      }
    } else {
      life.owner(outcome.at()).ifPresent(owner -> owner.decided.add(outcome.at()));
    }
  }

  private void neverEarlyNorTwice(Outcome outcome, long nowMs) {
    if (outcome instanceof Outcome.Fired fire) {
      require(fire.at() <= fire.due(), "due before it occurs", fire);
      require(fire.due() <= fire.firedAt(), "fired before it was due", fire);
      require(fire.firedAt() == nowMs, "fired at another time than now", fire);
      require(fired.add(fire.id() + "|" + fire.at()), "fired twice", fire);
    } else if (outcome instanceof Outcome.Extra extra) {
      require(extra.firedAt() == nowMs, "fired at another time than now", extra);
      require(extra.at() <= nowMs, "fired before it occurs", extra);
    }
  }

  private static void sameAs(List<Outcome> expected, List<Outcome> observed) {
    Map<String, List<String>> left = texts(expected);
    Map<String, List<String>> right = texts(observed);
    if (!left.equals(right)) {
      throw new AssertionError(
          "not seen\n  " + without(left, right) + "\nbut saw\n  " + without(right, left));
    }
  }

  /** Fires of a schedule in their order; what it missed, which needs none, sorted. */
  private static Map<String, List<String>> texts(List<Outcome> outcomes) {
    Map<String, List<String>> texts = new java.util.TreeMap<>();
    for (Outcome outcome : outcomes) {
      String key = outcome.id() + (outcome instanceof Outcome.Fired ? " fires" : " missed");
      texts.computeIfAbsent(key, k -> new ArrayList<>()).add(outcome.toString());
    }
    texts.forEach(
        (key, lines) -> {
          if (key.endsWith(" missed")) {
            lines.sort(null);
          }
        });
    return texts;
  }

  /** Lines of one that are not in the other; everything when only the order differs. */
  private static String without(Map<String, List<String>> texts, Map<String, List<String>> others) {
    List<String> lines = texts.values().stream().flatMap(List::stream).toList();
    List<String> rest = new ArrayList<>(lines);
    others.values().forEach(list -> list.forEach(rest::remove));
    return String.join("\n  ", rest.isEmpty() ? lines : rest);
  }

  private List<Outcome> observed() {
    List<Outcome> outcomes = new ArrayList<>();
    for (TestRecord<byte[], byte[]> fire : unread(scheduler.topics().fires())) {
      FireKey key = FireKey.parse(new String(fire.key(), StandardCharsets.UTF_8));
      outcomes.add(outcome(key, RecordCodecs.fire().decode(fire.value())));
    }
    for (TestRecord<byte[], byte[]> range : unread(scheduler.topics().missed())) {
      outcomes.addAll(outcomes(RecordCodecs.missed().decode(range.value())));
    }
    return outcomes;
  }

  /** The answers since they were last asked for. */
  List<Answer> answers() {
    return unread(scheduler.topics().answers()).stream()
        .map(answer -> RecordCodecs.answer().decode(answer.value()))
        .toList();
  }

  /** Commands refused since the scheduler was started last. */
  void refused(int commands) {
    refused = commands;
  }

  /** What was written to a topic since it was last asked for. */
  private List<TestRecord<byte[], byte[]>> unread(String topic) {
    List<TestRecord<byte[], byte[]>> all = scheduler.records(topic);
    int from = Optional.ofNullable(read.put(topic, all.size())).orElse(0);
    return all.subList(from, all.size());
  }

  private Outcome outcome(FireKey key, Fire fire) {
    RevisionModel revision = revision(fire.getRevision());
    require(fire.getSchedule().equals(revision.schedule), "another definition", fire);
    require(key.occurrence().equals(fire.getOccurrence()), "another key", fire);
    if (fire.getCause() == Cause.TRIGGERED || fire.getCause() == Cause.BACKFILL) {
      return new Outcome.Extra(
          fire.getScheduleId(),
          fire.getRevision(),
          fire.getOccurrence().toEpochMilli(),
          fire.getFiredAt().toEpochMilli(),
          fire.getCause(),
          key.commandId());
    }
    return new Outcome.Fired(
        fire.getScheduleId(),
        fire.getRevision(),
        fire.getOccurrence().toEpochMilli(),
        fire.getDue().toEpochMilli(),
        fire.getFiredAt().toEpochMilli(),
        fire.getCause(),
        Optional.ofNullable(fire.getCollapsed())
            .map(c -> new Outcome.Group(c.getCount(), c.getFirst().toEpochMilli())));
  }

  private List<Outcome> outcomes(Missed range) {
    RevisionModel revision = revision(range.getRevision());
    boolean skipped = range.getReason() == MissedReason.SKIPPED;
    long first = range.getFirst().toEpochMilli();
    long last = range.getLast().toEpochMilli();
    List<Long> occurrences =
        revision.occurrences.stream()
            .filter(at -> at >= first && at <= last && revision.leftOut(at) == skipped)
            .toList();
    require(occurrences.size() == range.getCount(), "another count than " + occurrences, range);
    require(occurrences.contains(first) && occurrences.contains(last), "no occurrences", range);
    Optional<Long> into = Optional.ofNullable(range.getCollapsedInto()).map(Instant::toEpochMilli);
    return occurrences.stream()
        .<Outcome>map(
            at ->
                new Outcome.Lost(
                    range.getScheduleId(), range.getRevision(), at, range.getReason(), into))
        .toList();
  }

  private RevisionModel revision(String name) {
    RevisionModel revision = revisions.get(name);
    if (revision == null) {
      throw new AssertionError("no such revision: " + name);
    }
    return revision;
  }

  private ScheduleModel life(Outcome outcome) {
    ScheduleModel life = owners.get(outcome.revision());
    if (life == null || !life.id().equals(outcome.id())) {
      throw new AssertionError("not a revision of its schedule: " + outcome);
    }
    return life;
  }

  private static void require(boolean holds, String otherwise, Object detail) {
    if (!holds) {
      throw new AssertionError(otherwise + ": " + detail);
    }
  }
}
