package io.waterclock.topology.scheduler.task;

import io.waterclock.audit.Finding;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A random history: producers write records at home and as strays, tasks continue or crash at any
 * time, brokers compact topics, tasks read topics again. In any order, the topic and the store end
 * with the newest record, and each outcome is at home once.
 */
final class StrayTrace {
  private static final int PARTITIONS = 3;
  private static final List<String> IDS = List.of("a", "b/1", "c", "Z");

  /** The inputs that come first: all but outcomes, which have steps of their own. */
  private static final int BUT_OUTCOMES = 3;

  /** What clients have written of a schedule; empty: it is deleted. */
  private record Word(Instant timestamp, Optional<Said> definition) {
    Optional<String> payload() {
      return definition.map(Said::payload);
    }
  }

  /** A definition. */
  private record Said(String trigger, String payload) {
    static final String NOW = "\"at\":\"now\"";
    static final String FAR = "\"at\":\"2099-01-01T00:00:00Z\"";

    String json() {
      return "{" + trigger + ",\"payload\":\"" + payload + "\"}";
    }

    boolean isNow() {
      return trigger.equals(NOW);
    }

    boolean isInterval() {
      return trigger.startsWith("\"every\"");
    }
  }

  private final SplittableRandom random;
  private final SplittableRandom reporting;
  private final SimulatedCluster cluster = new SimulatedCluster(PARTITIONS);
  private final Map<String, Word> newest = new HashMap<>();
  private final Map<String, List<Said>> said = new HashMap<>();

  /** The schedule of each outcome, by what its run has put out. */
  private final Map<String, String> reported = new HashMap<>();

  private final boolean skewed;
  private final boolean losesState;
  private int produced;

  private StrayTrace(long seed) {
    this.random = new SplittableRandom(seed);
    this.reporting = new SplittableRandom(~seed);
    this.skewed = random.nextInt(4) == 0;
    this.losesState = random.nextInt(4) == 0;
  }

  /**
   * @return how many occurrences have fired or were missed, as the account proves
   * @throws AssertionError that names the seed
   */
  static long run(long seed) {
    StrayTrace trace = new StrayTrace(seed);
    try {
      trace.play();
      return trace.accounted();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e, e);
    }
  }

  private void play() {
    int steps = 20 + random.nextInt(150);
    for (int i = 0; i < steps; i++) {
      step();
      stepOfOutcomes();
      account();
    }
    cluster.drain();
    cluster.advance(Duration.ofMinutes(3));
    cluster.drain();
    check();
    cluster.tasks().forEach(SimulatedTask::readAgain);
    cluster.drain();
    cluster.advance(Duration.ofMinutes(3));
    cluster.drain();
    check();
    nothingLivesAgain();
  }

  /** All is deleted, that is forgotten, and everything is read once more. */
  private void nothingLivesAgain() {
    for (String id : IDS) {
      int home = cluster.home(id.getBytes(StandardCharsets.US_ASCII));
      Instant now = Instant.ofEpochMilli(cluster.nowMs());
      cluster.produce(cluster.topics().schedules(), home, id, Optional.empty(), now, "end-" + id);
    }
    cluster.drain();
    for (int i = 0; i < 3; i++) {
      cluster.advance(Duration.ofDays(4));
      cluster.drain();
    }
    int fires = cluster.fires().size();
    int missed = cluster.committed().missed().size();
    cluster.tasks().forEach(SimulatedTask::readAgain);
    cluster.drain();
    cluster.advance(Duration.ofMinutes(3));
    cluster.drain();
    require(cluster.fires().size() == fires, "what was gone and forgotten fires");
    require(cluster.committed().missed().size() == missed, "what was gone and forgotten is missed");
    for (String id : IDS) {
      require(cluster.taskOf(id).definition(id).isEmpty(), id + " lives again");
    }
  }

  private void step() {
    SimulatedTask task = cluster.tasks().get(random.nextInt(PARTITIONS));
    int what = random.nextInt(100);
    if (what < 25) {
      produce();
    } else if (what < 65) {
      task.read(task.inputs().get(random.nextInt(BUT_OUTCOMES)));
    } else if (what < 75) {
      task.tick();
    } else if (what < 87) {
      task.commit();
    } else if (what < 90) {
      task.crash();
    } else if (what < 93) {
      cluster.advance(Duration.ofSeconds(random.nextInt(120)));
    } else if (what < 96) {
      compact();
    } else if (what < 97) {
      cluster.tasks().forEach(SimulatedTask::readAgain);
    } else if (what < 98 && losesState) {
      cluster.tasks().forEach(SimulatedTask::loseState);
    }
  }

  private void stepOfOutcomes() {
    int what = reporting.nextInt(10);
    if (what == 0) {
      report();
    } else if (what < 4) {
      cluster.tasks().get(reporting.nextInt(PARTITIONS)).read(cluster.topics().outcomes());
    }
  }

  /** A worker reports an outcome that no schedule asked for. */
  private void report() {
    String id = IDS.get(reporting.nextInt(IDS.size()));
    String output = "o-" + reported.size();
    reported.put(output, id);
    String json =
        "{\"fire_key\":\""
            + FireKey.of(ScheduleId.parse(id), SimulatedCluster.START).text()
            + "\",\"state\":\"succeeded\",\"output\":\""
            + output
            + "\"}";
    cluster.produce(
        cluster.topics().outcomes(),
        reporting.nextInt(PARTITIONS),
        id,
        Optional.of(json),
        Instant.ofEpochMilli(cluster.nowMs()),
        output);
  }

  /** Compacts only records that were read: the scheduler requires a compaction lag of a week. */
  private void compact() {
    if (losesState) {
      return; // compaction may have removed one record of a pair, which the checks cannot see
    }
    for (int i = 0; i < PARTITIONS; i++) {
      for (String topic : cluster.tasks().get(i).inputs().subList(0, BUT_OUTCOMES)) {
        cluster.log(topic, i).compact(cluster.tasks().get(i).committedPosition(topic));
      }
    }
  }

  private void produce() {
    cluster.advance(Duration.ofMillis(1));
    String id = IDS.get(random.nextInt(IDS.size()));
    Instant timestamp =
        Instant.ofEpochMilli(cluster.nowMs() + (skewed ? random.nextInt(-60_000, 60_000) : 0));
    Word word = word(id, timestamp);
    newest.merge(id, word, (a, b) -> a.timestamp().isAfter(b.timestamp()) ? a : b);
    Optional<String> json = word.definition().map(Said::json);
    boolean isAtHome = random.nextInt(2) == 0;
    int partition =
        isAtHome
            ? cluster.home(id.getBytes(StandardCharsets.US_ASCII))
            : random.nextInt(PARTITIONS);
    cluster.produce(cluster.topics().schedules(), partition, id, json, timestamp, "r-" + produced);
  }

  private Word word(String id, Instant timestamp) {
    int what = random.nextInt(12);
    List<Said> before = said.computeIfAbsent(id, unknown -> new ArrayList<>());
    if (what < 3) {
      return new Word(timestamp, Optional.empty());
    }
    if (what < 5 && !before.isEmpty()) {
      return new Word(timestamp, Optional.of(before.get(random.nextInt(before.size()))));
    }
    String trigger =
        what == 9
            ? Said.NOW
            : what > 9
                ? "\"every\":\"" + (3 + random.nextInt(40)) + "s\",\"catch_up\":\"replay\""
                : Said.FAR;
    Said definition = new Said(trigger, "p-" + produced++);
    if (!definition.isNow()) {
      before.add(definition);
    }
    return new Word(timestamp, Optional.of(definition));
  }

  /** What was decided of each occurrence is said once, after every step. */
  private void account() {
    for (String id : IDS) {
      List<Finding> findings = cluster.committed().findings(id);
      require(losesState || findings.isEmpty(), "the account of " + id + ": " + findings);
    }
  }

  private void check() {
    account();
    for (String id : IDS) {
      int home = cluster.home(id.getBytes(StandardCharsets.US_ASCII));
      Optional<String> stored = cluster.taskOf(id).definition(id).map(StrayTrace::payload);
      Optional<String> inTopic = last(cluster, id).map(StrayTrace::payload);
      require(stored.equals(inTopic), id + " is " + stored + ", but the topic says " + inTopic);
      for (int i = 0; i < PARTITIONS; i++) {
        boolean isLeft =
            cluster.log(cluster.topics().schedules(), i).last(id).stream()
                .anyMatch(entry -> entry.value.isPresent());
        require(i == home || !isLeft, id + " is left in partition " + i);
      }
      Word word = newest.get(id);
      if (word != null && !skewed) {
        boolean mayBeGone = word.definition().filter(Said::isNow).isPresent() && stored.isEmpty();
        require(mayBeGone || stored.equals(word.payload()), id + " is " + stored + ", not " + word);
      }
    }
    reported.forEach(this::checkReport);
    Set<String> fired = new HashSet<>();
    List<Fire> doubles = cluster.fires().stream().filter(fire -> !fired.add(once(fire))).toList();
    require(losesState || doubles.isEmpty(), "fired twice: " + doubles);
    require(
        cluster.answers().stream().map(Answer::getCorrelationId).distinct().count() <= produced + 1,
        "answers without a request");
  }

  /** Wherever it was written, it is in the partition of its key; once, as far as that is known. */
  private void checkReport(String output, String id) {
    int home = cluster.home(id.getBytes(StandardCharsets.US_ASCII));
    long found =
        cluster.log(cluster.topics().outcomes(), home).committed().stream()
            .map(entry -> new String(entry.value.orElseThrow(), StandardCharsets.US_ASCII))
            .filter(json -> json.contains('"' + output + '"'))
            .count();
    require(
        losesState ? found > 0 : found == 1,
        "the outcome " + output + " of " + id + " is at home " + found + " times");
  }

  private long accounted() {
    return IDS.stream()
        .flatMap(id -> cluster.committed().accounts(id).stream())
        .mapToLong(account -> account.occurrences().value())
        .sum();
  }

  /**
   * A definition that fires once has a payload of its own; but it may also stand for what an
   * interval before it has missed.
   */
  private String once(Fire fire) {
    return said.getOrDefault(fire.getScheduleId(), List.of()).stream().anyMatch(Said::isInterval)
        ? fire.getFireId()
        : payload(fire.getSchedule());
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** What compaction leaves of a schedule in its partition. */
  static Optional<Schedule> last(SimulatedCluster cluster, String id) {
    int home = cluster.home(id.getBytes(StandardCharsets.US_ASCII));
    return cluster
        .log(cluster.topics().schedules(), home)
        .last(id)
        .flatMap(entry -> entry.value)
        .map(
            value ->
                WireFormat.detect(value).equals(Optional.of(WireFormat.JSON))
                    ? ScheduleJson.read(value, ZoneId.of("UTC")).schedule()
                    : RecordCodecs.schedule().decode(value));
  }

  static String payload(Schedule schedule) {
    ByteBuffer payload = schedule.getPayload();
    return payload == null
        ? ""
        : StandardCharsets.UTF_8.decode(payload.duplicate()).toString().replace("\"", "").strip();
  }
}
