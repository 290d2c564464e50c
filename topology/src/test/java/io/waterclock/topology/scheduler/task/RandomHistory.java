package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.HomePartition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Records of clients, on a grid of ten seconds: occurrences lie on its points, records between 5 s
 * and 9 s after them, and outages end 1.5 s after them. So there are no ties, and a replay is over
 * before the next occurrence is due.
 */
final class RandomHistory {
  static final int PARTITIONS = 3;

  /** An owner may have this many schedules. */
  static final int MOST_OWNED = 2;

  private static final List<String> IDS = List.of("a", "b/1", "c");
  private static final int POINTS = 40;
  private static final String BERLIN = "Europe/Berlin";

  private final SplittableRandom random;
  private final Set<Feature> features;
  private final boolean replays;
  private final List<Input> inputs = new ArrayList<>();
  private final Map<String, List<String>> said = new HashMap<>();
  private int written;

  private RandomHistory(long seed, Set<Feature> features, boolean replays) {
    this.random = new SplittableRandom(seed);
    this.features = features;
    this.replays = replays;
  }

  /**
   * @param replays true if each occurrence fires, whatever the outages
   */
  static History of(long seed, Set<Feature> features, boolean replays) {
    return new RandomHistory(seed, features, replays).history(seed);
  }

  private History history(long seed) {
    int records = 4 + random.nextInt(30);
    for (int i = 0; i < records; i++) {
      Instant at = point(random.nextInt(POINTS)).plusMillis(5_000 + 100L * i + random.nextInt(99));
      write(at);
    }
    inputs.sort(Comparator.comparing(Input::at));
    List<History.Outage> outages = outages();
    RandomRuns runs = new RandomRuns(seed, features, outages);
    return new History(inputs, outages, runs, point(POINTS + 20));
  }

  private List<History.Outage> outages() {
    List<History.Outage> outages = new ArrayList<>();
    int from = random.nextInt(POINTS / 2);
    do {
      int to = from + 1 + random.nextInt(20);
      outages.add(
          new History.Outage(
              point(from).plusMillis(random.nextBoolean() ? 2_000 : 9_950),
              point(to).plusMillis(1_500)));
      from = to + (random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(10));
    } while (random.nextInt(3) > 0 && from < POINTS);
    return outages;
  }

  private static Instant point(int number) {
    return SimulatedCluster.START.plusSeconds(10L * number);
  }

  private void write(Instant at) {
    String id = IDS.get(random.nextInt(IDS.size()));
    int what = random.nextInt(20);
    if (what < 6) {
      define(id, at);
    } else if (what < 8) {
      add(Input.Topic.SCHEDULES, id, Optional.empty(), at);
    } else if (what < 10) {
      timer(at);
    } else if (what < 13 && features.contains(Feature.PAUSES)) {
      command(
          id,
          random.nextBoolean()
              ? "\"pause\":{}"
              : "\"resume\":{" + (random.nextBoolean() ? "\"on_resume\":\"fire_once\"" : "") + "}",
          at);
    } else if (what < 14 && features.contains(Feature.TRIGGERS)) {
      command(id, "\"trigger\":{}", at);
    } else if (what < 16 && features.contains(Feature.SKIPS)) {
      int number = (int) ((at.getEpochSecond() - SimulatedCluster.START.getEpochSecond()) / 10);
      Instant skipped = point(Math.max(0, number - 3 + random.nextInt(15)));
      String verb = random.nextInt(3) == 0 ? "unskip" : "skip";
      command(id, "\"" + verb + "\":{\"occurrence\":\"" + skipped + "\"}", at);
    } else if (what < 17 && features.contains(Feature.CALENDARS)) {
      boolean excludes = random.nextBoolean();
      String json = "{\"dates\":[\"" + (excludes ? "2026-03-04" : "2026-03-05") + "\"]}";
      add(
          Input.Topic.CALENDARS,
          "holidays",
          random.nextInt(4) == 0 ? Optional.empty() : Optional.of(json),
          at);
    } else {
      define(id, at);
    }
  }

  private void command(String id, String what, Instant at) {
    add(
        Input.Topic.COMMANDS,
        id,
        Optional.of("{\"command_id\":\"c-" + written + "\"," + what + "}"),
        at);
  }

  private void timer(Instant at) {
    int kind = random.nextInt(features.contains(Feature.TIMERS) ? 3 : 1);
    Instant due = point(random.nextInt(POINTS));
    String trigger =
        switch (kind) {
          case 0 -> "\"at\":\"" + due + "\"";
          case 1 -> "\"in\":\"" + (1 + random.nextInt(120)) + "s\"";
          default -> "\"at\":\"now\"";
        };
    String owner = features.contains(Feature.LIMITS) && random.nextBoolean() ? "own/" : "t/";
    String name = features.contains(Feature.TIMERS) ? owner + random.nextInt(4) : owner + written;
    add(Input.Topic.SCHEDULES, name, Optional.of(definition(name, trigger, "")), at);
  }

  private void define(String id, Instant at) {
    List<String> before = said.computeIfAbsent(id, unknown -> new ArrayList<>());
    if (features.contains(Feature.AGAIN) && !before.isEmpty() && random.nextInt(3) == 0) {
      String again = before.get(random.nextInt(before.size()));
      add(Input.Topic.SCHEDULES, id, Optional.of(again), at);
      return;
    }
    String json = definition(id, trigger(), policies());
    before.add(json);
    add(Input.Topic.SCHEDULES, id, Optional.of(json), at);
  }

  private String definition(String id, String trigger, String more) {
    return "{%s%s,\"payload\":\"p-%d\"}".formatted(trigger, more, written);
  }

  private String trigger() {
    int seconds = 10 * (1 + random.nextInt(4));
    return switch (random.nextInt(4)) {
      case 0 -> "\"cron\":\"*/" + seconds + " * * * * *\",\"timezone\":\"" + BERLIN + "\"";
      case 1 -> "\"cron\":\"* * * * *\"";
      default ->
          "\"every\":\"" + seconds + "s\",\"anchor\":\"" + SimulatedCluster.START + "\"";
    };
  }

  private String policies() {
    StringBuilder policies = new StringBuilder();
    String catchUp = replays ? "replay" : List.of("skip", "collapse", "replay").get(random.nextInt(3));
    policies.append(",\"catch_up\":\"").append(catchUp).append('"');
    if (random.nextBoolean()) {
      policies.append(",\"grace\":\"").append(5 + random.nextInt(60)).append("s\"");
    }
    if (features.contains(Feature.PAUSES) && random.nextInt(6) == 0) {
      policies.append(",\"enabled\":false");
    }
    if (features.contains(Feature.PAUSES) && random.nextInt(4) == 0) {
      policies.append(",\"on_resume\":\"fire_once\"");
    }
    if (features.contains(Feature.OVERLAP) && random.nextInt(2) == 0) {
      policies.append(random.nextBoolean() ? ",\"overlap\":\"skip\"" : ",\"overlap\":\"buffer_one\"");
      policies.append(",\"timeout\":\"").append(25 + 10 * random.nextInt(10)).append("s\"");
    }
    if (features.contains(Feature.FAILURES) && random.nextInt(2) == 0) {
      policies.append(",\"pause_after_failures\":").append(1 + random.nextInt(3));
    }
    if (features.contains(Feature.CALENDARS) && random.nextInt(2) == 0) {
      policies.append(",\"except\":[\"holidays\"]");
    }
    if (features.contains(Feature.COUNTED) && random.nextInt(3) == 0) {
      policies.append(",\"max_occurrences\":").append(1 + random.nextInt(8));
    }
    return policies.toString();
  }

  private void add(Input.Topic topic, String key, Optional<String> json, Instant at) {
    int home = HomePartition.of(key.getBytes(StandardCharsets.UTF_8), PARTITIONS);
    boolean strays = features.contains(Feature.STRAYS) && random.nextBoolean();
    int partition =
        topic == Input.Topic.CALENDARS ? 0 : strays ? random.nextInt(PARTITIONS) : home;
    inputs.add(new Input(topic, partition, key, json, at));
    written++;
  }
}
