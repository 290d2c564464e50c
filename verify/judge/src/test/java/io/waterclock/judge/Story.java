package io.waterclock.judge;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * A history of one schedule, {@code a}, written by hand. Times are seconds after noon. Of revisions
 * it says what a scheduler says that heeds a record when it has decided what it decides here.
 */
final class Story {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  /** Of the id, among two. */
  private static final int HOME =
      Utils.toPositive(Utils.murmur2("a".getBytes(StandardCharsets.UTF_8))) % 2;

  private final List<Entry<String>> schedules = new ArrayList<>();
  private final List<Entry<String>> commands = new ArrayList<>();
  private final List<Entry<Outcome>> outcomes = new ArrayList<>();
  private final List<Entry<Fire>> fires = new ArrayList<>();
  private final List<Entry<Missed>> missed = new ArrayList<>();
  private final List<Entry<Alert>> alerts = new ArrayList<>();
  private boolean isDeciding;
  private final List<Entry<Fire>> targets = new ArrayList<>();
  private final List<String> effects = new ArrayList<>();
  private final Map<Integer, RegistryLog.Answer> schemas = new HashMap<>();
  private final List<RegistryLog.Outage> outages = new ArrayList<>();
  private final Set<String> refused = new TreeSet<>();
  private final Set<String> confirmed = new TreeSet<>();
  private int partitions = 1;
  private double until;

  static String at(double seconds) {
    return instant(seconds).toString();
  }

  private static Instant instant(double seconds) {
    return NOON.plusMillis(Math.round(seconds * 1_000));
  }

  private static long ms(double seconds) {
    return instant(seconds).toEpochMilli();
  }

  /** Every so many seconds, from noon on. */
  static String every(int seconds, String more) {
    return "{\"every\":\"%ds\",\"anchor\":\"%s\",\"type\":\"effect\"%s}"
        .formatted(seconds, NOON, more);
  }

  /** The others that a fire stands for. */
  static Collapsed collapsed(int count, double first) {
    return Collapsed.newBuilder().setCount(count).setFirst(instant(first)).build();
  }

  private static <T> Entry<T> entry(
      String topic, int partition, int offset, double at, Optional<T> value) {
    return new Entry<>(topic, partition, offset, "a", value, Map.of(), ms(at), ms(at), ms(at) + 10);
  }

  Story put(double at, String json) {
    schedules.add(entry("s", 0, schedules.size(), at, Optional.of(json)));
    return this;
  }

  /** In Confluent's format. */
  Story put(double at, int schemaId, String json) {
    put(at, json);
    int last = schedules.size() - 1;
    schedules.set(last, schedules.get(last).with(Map.of(Entry.SCHEMA, Integer.toString(schemaId))));
    return this;
  }

  /** A definition, of which a delete finds that it waits. */
  Story refused(int revision) {
    refused.add(schedules.get(revision).place());
    return this;
  }

  /** The registry gives a schema. */
  Story answered(double at, int schemaId) {
    schemas.merge(schemaId, RegistryLog.Answer.at(ms(at)), RegistryLog.Answer::and);
    return this;
  }

  /** The registry gives nothing. */
  Story outage(double from, double to) {
    outages.add(new RegistryLog.Outage(ms(from), ms(to)));
    return this;
  }

  /** Written where its key does not belong, with two partitions. */
  Story stray(double at, String json) {
    partitions = 2;
    schedules.add(entry("s", 1 - HOME, 0, at, Optional.of(json)));
    return this;
  }

  /** Written where its key belongs. */
  Story deleteAtHome(double at) {
    schedules.add(entry("s", HOME, 0, at, Optional.empty()));
    return this;
  }

  /** The scheduler moves the stray home, in words of its own. */
  Story home() {
    return homeBehind(0);
  }

  /** The same by a clock at home that is behind the stray's. */
  Story homeBehind(double seconds) {
    Entry<String> stray = schedules.get(0);
    long behindMs = Math.round(seconds * 1_000);
    schedules.add(
        new Entry<>(
            "s",
            HOME,
            1,
            "a",
            Optional.of("{\"timezone\":\"UTC\"}"),
            Map.of(Entry.STRAY, stray.place(), Entry.STAMPED, Long.toString(stray.timestampMs())),
            stray.timestampMs() - behindMs,
            stray.timestampMs() - behindMs,
            stray.visibleMs() + 100));
    schedules.add(
        new Entry<>(
            "s",
            1 - HOME,
            1,
            "a",
            Optional.empty(),
            Map.of(Entry.MOVED, ""),
            stray.timestampMs(),
            stray.timestampMs(),
            stray.visibleMs() + 100));
    return this;
  }

  Story delete(double at) {
    schedules.add(entry("s", 0, schedules.size(), at, Optional.empty()));
    return this;
  }

  Story command(double at, String json) {
    commands.add(entry("c", 0, commands.size(), at, Optional.of(json)));
    return this;
  }

  Story report(double at, double occurrence) {
    Outcome outcome =
        Outcome.newBuilder()
            .setFireKey("a|" + at(occurrence))
            .setState(OutcomeState.SUCCEEDED)
            .build();
    outcomes.add(entry("o", 0, outcomes.size(), at, Optional.of(outcome)));
    return this;
  }

  /** Fires on time. */
  Story fire(int revision, double... occurrences) {
    for (double occurrence : occurrences) {
      late(revision, occurrence, occurrence);
    }
    return this;
  }

  /** Fires at some time. */
  Story late(int revision, double occurrence, double at) {
    return fireOf(at - occurrence > 5 ? Cause.CATCH_UP : Cause.SCHEDULED, revision, occurrence, at);
  }

  /** Fires at some time, and stands for others. */
  Story late(int revision, double occurrence, double at, Collapsed others) {
    fireOf(Cause.CATCH_UP, revision, occurrence, at);
    fires.get(fires.size() - 1).value().orElseThrow().setCollapsed(others);
    return this;
  }

  Story fireOf(Cause cause, int revision, double occurrence, double at) {
    Schedule schedule = schedule(revision);
    Fire fire =
        Fire.newBuilder()
            .setFireId(id(occurrence))
            .setScheduleId("a")
            .setOccurrence(instant(occurrence))
            .setDue(instant(occurrence))
            .setFiredAt(instant(at))
            .setCause(cause)
            .setRevision(place(revision))
            .setWantsOutcome(schedule.getOverlap() != Overlap.ALLOW || schedule.getExpect() != null)
            .setSchedule(schedule)
            .build();
    fires.add(
        new Entry<>(
            "f",
            partitions == 1 ? 0 : HOME,
            fires.size(),
            "a|" + at(occurrence),
            Optional.of(fire),
            Map.of(),
            ms(at),
            ms(at),
            ms(at) + 20));
    if (!effects.contains(id(occurrence))) {
      effects.add(id(occurrence));
    }
    return this;
  }

  /** Fires when it is due, so long after its occurrence. */
  Story jittered(int revision, double occurrence, double by) {
    late(revision, occurrence, occurrence + by);
    fires.get(fires.size() - 1).value().orElseThrow().setDue(instant(occurrence + by));
    return this;
  }

  private String place(int revision) {
    return "s-%d@%d".formatted(partitions == 1 ? 0 : HOME, revision);
  }

  private Schedule schedule(int revision) {
    String json =
        partitions == 1
            ? schedules.get(revision).value().orElseThrow()
            : schedules.get(0).value().orElseThrow();
    return RecordCodecs.schedule().decode(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String id(double occurrence) {
    return "id of " + at(occurrence);
  }

  /** The fire of an occurrence had no effect. */
  Story neglected(double occurrence) {
    effects.remove(id(occurrence));
    return this;
  }

  /** The fire of an occurrence had another effect. */
  Story repeated(double occurrence) {
    effects.add(id(occurrence));
    return this;
  }

  Story miss(int revision, double first, double last, int count, MissedReason why, double at) {
    Missed range =
        Missed.newBuilder()
            .setScheduleId("a")
            .setRevision(place(revision))
            .setFirst(instant(first))
            .setLast(instant(last))
            .setCount(count)
            .setReason(why)
            .setDecidedAt(instant(at))
            .build();
    missed.add(entry("m", 0, missed.size(), at, Optional.of(range)));
    return this;
  }

  /** Missed for the sake of a fire. */
  Story collapse(int revision, double first, double last, int count, double into, double at) {
    miss(revision, first, last, count, MissedReason.COLLAPSED_INTO, at);
    missed.get(missed.size() - 1).value().orElseThrow().setCollapsedInto(instant(into));
    return this;
  }

  Story routed(double occurrence) {
    String key = "a|" + at(occurrence);
    Entry<Fire> of =
        fires.stream().filter(fire -> fire.key().equals(key)).findFirst().orElseThrow();
    targets.add(
        new Entry<>(
            "t",
            0,
            targets.size(),
            key,
            of.value(),
            Map.of("waterclock-fire-key", key),
            of.timestampMs(),
            of.appendedMs(),
            of.visibleMs() + 10));
    return this;
  }

  /** The brokers have confirmed a record. */
  Story confirmed(String place) {
    confirmed.add(place);
    return this;
  }

  Story until(double seconds) {
    until = seconds;
    return this;
  }

  /** The latest occurrence of a revision that is decided. */
  private Optional<Instant> lastDecided(String revision) {
    return Stream.concat(
            fires.stream()
                .map(entry -> entry.value().orElseThrow())
                .filter(
                    fire ->
                        fire.getRevision().equals(revision)
                            && !fire.getFireId().isEmpty()
                            && DecidedOccurrence.isOfTheTrigger(fire))
                .map(Fire::getOccurrence),
            missed.stream()
                .map(entry -> entry.value().orElseThrow())
                .filter(range -> range.getRevision().equals(revision))
                .map(Missed::getLast))
        .max(Instant::compareTo);
  }

  private static Instant later(Instant one, Optional<Instant> other) {
    return other.filter(one::isBefore).orElse(one);
  }

  /** What a scheduler says of each definition. */
  private List<Entry<Revision>> revisions() {
    List<Entry<Revision>> all = new ArrayList<>();
    Optional<Revision> current = Optional.empty();
    for (Entry<String> record : schedules) {
      boolean isHome = record.partition() == (partitions == 1 ? 0 : HOME);
      if (!isHome || refused.contains(record.place())) {
        continue;
      }
      Instant at =
          later(
              Instant.ofEpochMilli(record.timestampMs()),
              current.flatMap(before -> lastDecided(before.getRevision())));
      current.ifPresent(
          before -> {
            RevisionEnd how = record.value().isEmpty() ? RevisionEnd.DELETED : RevisionEnd.REPLACED;
            Revision end =
                Revision.newBuilder(before)
                    .setAcceptedAt(at)
                    .setEndedAt(at)
                    .setEndedBy(how)
                    .build();
            all.add(entry("r", 0, all.size(), 0, Optional.of(end)).at(record.visibleMs(), 0));
          });
      current = record.value().map(json -> began(record, at, lastDecided(record.place())));
      current.ifPresent(
          begin ->
              all.add(entry("r", 0, all.size(), 0, Optional.of(begin)).at(record.visibleMs(), 0)));
    }
    return all;
  }

  private Revision began(Entry<String> record, Instant at, Optional<Instant> lastDecided) {
    Schedule schedule = schedule((int) record.offset());
    ObservedDefinition definition = ObservedDefinition.parse(written(record));
    Optional<Instant> resolved =
        definition.trigger() instanceof Trigger.Once once
            ? Optional.of(Instant.ofEpochMilli(once.atMs()))
            : Optional.of(NOON);
    boolean isPast = definition.trigger().isOnce() && !resolved.get().isAfter(at);
    Instant ownsAfter = isPast && lastDecided.isPresent() ? resolved.get().minusMillis(1) : at;
    long last = ownsAfter.toEpochMilli();
    for (long n = definition.maxOccurrences().orElse(0); n > 0; n--) {
      last = definition.trigger().next(last).orElseThrow();
    }
    return Revision.newBuilder()
        .setScheduleId("a")
        .setRevision(record.place())
        .setSchedule(schedule)
        .setOwnsAfter(ownsAfter)
        .setEffectiveAt(at)
        .setAcceptedAt(at)
        .setResolvedAt(resolved.get())
        .setBoundedBy(
            definition.maxOccurrences().isPresent() ? Instant.ofEpochMilli(last + 1) : null)
        .setTzdb("2026a")
        .build();
  }

  private String written(Entry<String> record) {
    return (partitions == 1 ? record : schedules.get(0)).value().orElseThrow();
  }

  /** A scheduler with a right clock decides all the time. */
  Story deciding() {
    isDeciding = true;
    return this;
  }

  /** An alert is written at a time: a fire is overdue since another, or has recovered then. */
  Story alerted(double at, AlertKind kind, double occurrence, double expectedBy, double since) {
    return alerted(Expectation.SUCCEEDED_WITHIN, at, kind, occurrence, expectedBy, since);
  }

  Story alerted(
      Expectation expectation,
      double at,
      AlertKind kind,
      double occurrence,
      double expectedBy,
      double since) {
    Alert alert =
        Alert.newBuilder()
            .setScheduleId("a")
            .setKind(kind)
            .setExpectation(expectation)
            .setAt(instant(since))
            .setDecidedAt(instant(at))
            .setOccurrence(instant(occurrence))
            .setExpectedBy(instant(expectedBy))
            .setFault(Fault.NOT_REPORTED)
            .setRevision(schedules.get(0).place())
            .setText("a")
            .build();
    alerts.add(entry("a", 0, alerts.size(), at, Optional.of(alert)));
    return this;
  }

  History history() {
    return new History(
        partitions,
        schedules,
        commands,
        outcomes,
        fires,
        missed,
        alerts,
        revisions(),
        List.of(),
        targets,
        List.of(),
        List.of(),
        Optional.of(effects),
        new RegistryLog(schemas, outages),
        confirmed);
  }

  List<Finding> findings() {
    return findings(history());
  }

  /** What is written is read within two seconds. */
  List<Finding> findings(History history) {
    Health always = new Health();
    always.decided(Set.of(0, 1), Long.MIN_VALUE / 2);
    return Judge.judge(
            history,
            new Terms(
                isDeciding ? always : new Health(),
                always,
                new Terms.Consumers(always, new Health(), List.of(), false, fire -> false),
                new Terms.Patience(2_000, 2_000, 2_000),
                ms(until),
                ms(until + 600),
                0))
        .findings();
  }
}
