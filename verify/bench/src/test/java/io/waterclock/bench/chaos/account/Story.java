package io.waterclock.bench.chaos.account;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;

/** A history of one schedule, {@code a}, written by hand. Times are seconds after noon. */
final class Story {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private static final Terms TERMS = new Terms(Duration.ofSeconds(2), Duration.ZERO);

  /** Of the id, among two. */
  private static final int HOME =
      Utils.toPositive(Utils.murmur2("a".getBytes(StandardCharsets.UTF_8))) % 2;

  private final List<Entry> schedules = new ArrayList<>();
  private final List<Entry> commands = new ArrayList<>();
  private final List<Entry> outcomes = new ArrayList<>();
  private final List<Entry> fires = new ArrayList<>();
  private final List<Entry> missed = new ArrayList<>();
  private final List<Entry> targets = new ArrayList<>();
  private final List<String> effects = new ArrayList<>();
  private final Map<Integer, RegistryLog.Answer> schemas = new HashMap<>();
  private final List<RegistryLog.Outage> outages = new ArrayList<>();
  private int partitions = 1;
  private double until;

  static String at(double seconds) {
    return NOON.plusMillis(Math.round(seconds * 1_000)).toString();
  }

  private static long ms(double seconds) {
    return NOON.toEpochMilli() + Math.round(seconds * 1_000);
  }

  /** Every so many seconds, from noon on. */
  static String every(int seconds, String more) {
    return "{\"every\":\"%ds\",\"anchor\":\"%s\",\"type\":\"effect\"%s}"
        .formatted(seconds, NOON, more);
  }

  /** A member of a fire that stands for others. */
  static String collapsed(int count, double first) {
    return ",\"collapsed\":{\"count\":%d,\"first\":\"%s\"}".formatted(count, at(first));
  }

  private Entry entry(
      String topic, List<Entry> log, double at, String key, Optional<String> value) {
    return new Entry(topic, 0, log.size(), ms(at), ms(at) + 10, key, value, Map.of());
  }

  Story put(double at, String json) {
    schedules.add(entry("s", schedules, at, "a", Optional.of(json)));
    return this;
  }

  /** In Confluent's format. */
  Story put(double at, int schemaId, String json) {
    schedules.add(
        new Entry(
            "s",
            0,
            schedules.size(),
            ms(at),
            ms(at) + 10,
            "a",
            Optional.of(json),
            Map.of(Entry.SCHEMA, Integer.toString(schemaId))));
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
    Entry home = entry("s", schedules, at, "a", Optional.of(json));
    schedules.add(
        new Entry(
            "s", 1 - HOME, 0, home.timestampMs(), home.receivedMs(), "a", home.value(), Map.of()));
    return this;
  }

  /** Written where its key belongs. */
  Story deleteAtHome(double at) {
    schedules.add(new Entry("s", HOME, 0, ms(at), ms(at) + 10, "a", Optional.empty(), Map.of()));
    return this;
  }

  /** The scheduler moves the stray home, in words of its own. */
  Story home() {
    return homeBehind(0);
  }

  /** The same by a clock at home that is behind the stray's. */
  Story homeBehind(double seconds) {
    Entry stray = schedules.get(0);
    schedules.add(
        new Entry(
            "s",
            HOME,
            1,
            stray.timestampMs() - Math.round(seconds * 1_000),
            stray.receivedMs() + 100,
            "a",
            Optional.of("{\"timezone\":\"UTC\"}"),
            Map.of("waterclock-stray", stray.position())));
    return this;
  }

  Story delete(double at) {
    schedules.add(entry("s", schedules, at, "a", Optional.empty()));
    return this;
  }

  Story command(double at, String json) {
    commands.add(entry("c", commands, at, "a", Optional.of(json)));
    return this;
  }

  Story report(double at, double occurrence) {
    outcomes.add(
        entry(
            "o",
            outcomes,
            at,
            "a",
            Optional.of(
                "{\"fire_key\":\"a|%s\",\"state\":\"succeeded\"}".formatted(at(occurrence)))));
    return this;
  }

  /** Fires on time. */
  Story fire(int revision, double... occurrences) {
    for (double occurrence : occurrences) {
      late(revision, occurrence, occurrence, "");
    }
    return this;
  }

  /**
   * Fires at some time.
   *
   * @param more members of the record
   */
  Story late(int revision, double occurrence, double at, String more) {
    boolean isOld = at - occurrence > 5;
    String cause = isOld || more.contains("collapsed") ? "CATCH_UP" : "SCHEDULED";
    return fireOf(cause, revision, occurrence, at, more);
  }

  Story fireOf(String cause, int revision, double occurrence, double at, String more) {
    fires.add(
        new Entry(
            "f",
            0,
            fires.size(),
            ms(at),
            ms(at) + 20,
            "a|" + at(occurrence),
            Optional.of(
                ("{\"schedule_id\":\"a\",\"revision\":\"s-%d@%d\",\"occurrence\":\"%s\",\"due\":\"%s\","
                        + "\"fired_at\":\"%s\",\"cause\":\"%s\"%s}")
                    .formatted(
                        partitions == 1 ? 0 : HOME,
                        revision,
                        at(occurrence),
                        at(occurrence),
                        at(at),
                        cause,
                        more)),
            more.contains("target")
                ? Map.of("ce_id", id(occurrence), "waterclock-target", "t")
                : Map.of("ce_id", id(occurrence))));
    if (!effects.contains(id(occurrence))) {
      effects.add(id(occurrence));
    }
    return this;
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

  Story miss(int revision, double first, double last, int count, String reason, double at) {
    return miss(revision, first, last, count, reason, at, "");
  }

  Story miss(
      int revision, double first, double last, int count, String reason, double at, String more) {
    missed.add(
        entry(
            "m",
            missed,
            at,
            "a",
            Optional.of(
                ("{\"schedule_id\":\"a\",\"revision\":\"s-0@%d\",\"first\":\"%s\",\"last\":\"%s\","
                        + "\"count\":%d,\"reason\":\"%s\",\"decided_at\":\"%s\"%s}")
                    .formatted(revision, at(first), at(last), count, reason, at(at), more))));
    return this;
  }

  Story routed(double occurrence) {
    targets.add(
        new Entry(
            "t",
            0,
            targets.size(),
            0,
            0,
            "",
            Optional.empty(),
            Map.of("waterclock-fire-key", "a|" + at(occurrence))));
    return this;
  }

  Story until(double seconds) {
    until = seconds;
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
        targets,
        effects,
        new RegistryLog(schemas, outages),
        ms(until));
  }

  List<Finding> findings() {
    return findings(history());
  }

  static List<Finding> findings(History history) {
    return ObservedAccount.judge(history, TERMS, Set.of()).findings();
  }
}
