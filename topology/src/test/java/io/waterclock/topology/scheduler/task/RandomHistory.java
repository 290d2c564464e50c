package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.HomePartition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Records of clients, on a grid of ten seconds: occurrences lie on its points, records between 4 s
 * and 9 s after them, and outages end 1.5 s after them. So there are no ties, and a replay is over
 * before the next occurrence is due.
 */
final class RandomHistory {
  static final int PARTITIONS = 3;

  /** An owner may have this many schedules. */
  static final int MOST_OWNED = 2;

  private static final List<String> IDS = List.of("a", "b/1", "c");
  private static final Set<Feature> SPECIAL =
      EnumSet.of(
          Feature.PAUSES,
          Feature.TRIGGERS,
          Feature.SKIPS,
          Feature.CALENDARS,
          Feature.LIMITS,
          Feature.TIMERS,
          Feature.BACKFILLS);

  /** With these, records of a schedule come from several partitions or topics. */
  private static final Set<Feature> SEVERAL_PLACES =
      EnumSet.of(
          Feature.STRAYS,
          Feature.STRAY_COMMANDS,
          Feature.STRAY_REPORTS,
          Feature.PAUSES,
          Feature.TRIGGERS,
          Feature.SKIPS,
          Feature.BACKFILLS,
          Feature.CALENDARS);

  private static final String CALENDAR = "holidays";
  private static final int POINTS = 40;
  private static final int LARGE = 70_000;
  private static final String BERLIN = "Europe/Berlin";

  private final SplittableRandom random;
  private final Set<Feature> features;
  private final boolean replays;
  private final Set<String> defined = new HashSet<>();
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
    if (features.contains(Feature.CALENDARS)) {
      add(
          Input.Topic.CALENDARS,
          CALENDAR,
          Optional.of("{}"),
          SimulatedCluster.START.plusMillis(500));
    }
    int records = 4 + random.nextInt(30);
    int[] points = random.ints(records, 0, POINTS).sorted().toArray();
    Instant at = SimulatedCluster.START;
    for (int i = 0; i < records; i++) {
      boolean ties = i > 0 && features.contains(Feature.TIES) && random.nextBoolean();
      at = ties ? at : point(points[i]).plusMillis(5_000 + 100L * i + random.nextInt(99));
      write(at);
    }
    inputs.sort(Comparator.comparing(Input::at));
    List<History.Outage> outages = outages();
    RandomRuns runs = new RandomRuns(seed, features, outages);
    return new History(inputs, outages, runs, point(POINTS + 20).plusSeconds(8));
  }

  /** After a stall, half a second is not enough to do all that was ordered in it. */
  private List<History.Outage> outages() {
    List<History.Outage> outages = new ArrayList<>();
    boolean isSoon = false;
    int from = random.nextInt(POINTS / 2);
    do {
      int to = from + 1 + random.nextInt(20);
      outages.add(
          new History.Outage(
              point(from).plusMillis(random.nextBoolean() && !isSoon ? 2_000 : 9_950),
              point(to).plusMillis(1_500),
              mayLag() && random.nextBoolean()
                  ? History.Outage.Kind.BEHIND
                  : features.contains(Feature.STALLS) && random.nextBoolean()
                      ? History.Outage.Kind.STALLED
                      : History.Outage.Kind.DOWN));
      from = to + (random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(10));
      isSoon = from == to && outages.get(outages.size() - 1).kind() == History.Outage.Kind.STALLED;
    } while (random.nextInt(3) > 0 && from < POINTS);
    return outages;
  }

  /** Records from several places act in the order in which a scheduler that is up reads them. */
  private boolean mayLag() {
    return features.contains(Feature.LAG) && Collections.disjoint(features, SEVERAL_PLACES);
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
      delete(id, at);
    } else if (what < 10) {
      timer(at);
    } else {
      special(id, at);
    }
  }

  private void special(String id, Instant at) {
    List<Feature> all = features.stream().filter(SPECIAL::contains).toList();
    if (all.isEmpty()) {
      define(id, at);
      return;
    }
    switch (all.get(random.nextInt(all.size()))) {
      case PAUSES -> command(id, random.nextBoolean() ? "\"pause\":{}" : resume(), at);
      case TRIGGERS -> command(id, "\"trigger\":{}", at);
      case BACKFILLS -> command(id, backfill(at), at);
      case SKIPS -> command(id, skip(at), at);
      case CALENDARS -> calendar(at.plusSeconds(9));
      default -> timer(at);
    }
  }

  private String resume() {
    return "\"resume\":{" + (random.nextBoolean() ? "\"on_resume\":\"fire_once\"" : "") + "}";
  }

  private String backfill(Instant at) {
    int from = Math.max(0, number(at) - random.nextInt(15));
    return "\"backfill\":{\"from\":\"%s\",\"to\":\"%s\"}"
        .formatted(point(from), point(from + 1 + random.nextInt(20)));
  }

  private static int number(Instant at) {
    return (int) (at.getEpochSecond() - SimulatedCluster.START.getEpochSecond()) / 10;
  }

  private String skip(Instant at) {
    int number = number(at);
    boolean mayWait = features.contains(Feature.OVERLAP); // for a run, when it is skipped
    int after = mayWait ? random.nextInt(12) + 1 : random.nextInt(15) - 3;
    Instant skipped = point(Math.max(0, number + after));
    String verb = random.nextInt(3) == 0 ? "unskip" : "skip";
    return "\"" + verb + "\":{\"occurrence\":\"" + skipped + "\"}";
  }

  /**
   * Later than the definitions of its point by more than {@code except} allows to definitions that
   * are older than their calendar, which a scheduler that is up has refused.
   */
  private void calendar(Instant at) {
    String date = random.nextBoolean() ? "2026-03-04" : "2026-03-05";
    Optional<String> json = Optional.of("{\"dates\":[\"" + date + "\"]}");
    add(Input.Topic.CALENDARS, CALENDAR, random.nextInt(4) == 0 ? Optional.empty() : json, at);
  }

  private void delete(String id, Instant at) {
    add(Input.Topic.SCHEDULES, id, Optional.empty(), at);
    defined.remove(id);
  }

  private void command(String id, String what, Instant at) {
    if (!defined.contains(id) && !features.contains(Feature.UNKNOWN)) {
      define(id, at);
      return;
    }
    add(
        Input.Topic.COMMANDS,
        id,
        Optional.of("{\"command_id\":\"c-" + written + "\"," + what + "}"),
        at);
  }

  private void timer(Instant at) {
    int kind = random.nextInt(features.contains(Feature.TIMERS) ? 3 : 1);
    String trigger =
        switch (kind) {
          case 0 -> "\"at\":\"" + point(random.nextInt(POINTS)) + "\"";
          case 1 -> "\"in\":\"" + (1 + random.nextInt(120)) + "s\"";
          default -> "\"at\":\"now\"";
        };
    String owner = features.contains(Feature.LIMITS) && random.nextInt(3) > 0 ? "own/" : "t/";
    boolean again = features.contains(Feature.TIMERS);
    String id = owner + (again ? random.nextInt(4) : written);
    say(id, definition(trigger, again ? ",\"catch_up\":\"replay\"" : ""), at);
  }

  private void define(String id, Instant at) {
    say(id, definition(trigger(), policies()), at);
  }

  /** Says it, or what was said before. */
  private void say(String id, String json, Instant at) {
    List<String> before = said.computeIfAbsent(id, unknown -> new ArrayList<>());
    boolean again = features.contains(Feature.AGAIN) && !before.isEmpty() && random.nextInt(3) == 0;
    String definition = again ? before.get(random.nextInt(before.size())) : json;
    before.add(definition);
    defined.add(id);
    add(Input.Topic.SCHEDULES, id, Optional.of(definition), at);
  }

  private String definition(String trigger, String more) {
    boolean isLarge = features.contains(Feature.LARGE) && random.nextInt(4) == 0;
    return "{%s%s,\"payload\":\"p-%d%s\"}"
        .formatted(trigger, more, written, isLarge ? " ".repeat(LARGE) : "");
  }

  private String trigger() {
    int seconds = 10 * (1 + random.nextInt(4));
    return switch (random.nextInt(4)) {
      case 0 -> "\"cron\":\"*/" + seconds + " * * * * *\",\"timezone\":\"" + BERLIN + "\"";
      case 1 -> "\"cron\":\"* * * * *\"";
      default -> "\"every\":\"" + seconds + "s\",\"anchor\":\"" + SimulatedCluster.START + "\"";
    };
  }

  private String policies() {
    StringBuilder policies = new StringBuilder();
    String catchUp =
        replays ? "replay" : List.of("skip", "collapse", "replay").get(random.nextInt(3));
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
      policies.append(
          random.nextBoolean() ? ",\"overlap\":\"skip\"" : ",\"overlap\":\"buffer_one\"");
      policies.append(",\"timeout\":\"").append(25 + 10 * random.nextInt(10)).append("s\"");
    }
    if (features.contains(Feature.FAILURES) && random.nextInt(2) == 0) {
      policies.append(",\"pause_after_failures\":").append(1 + random.nextInt(3));
    }
    if (features.contains(Feature.CALENDARS) && random.nextInt(2) == 0) {
      policies.append(",\"except\":[\"" + CALENDAR + "\"]");
    }
    if (features.contains(Feature.COUNTED) && random.nextInt(3) == 0) {
      policies.append(",\"max_occurrences\":").append(1 + random.nextInt(8));
    }
    return policies.toString();
  }

  private void add(Input.Topic topic, String key, Optional<String> json, Instant at) {
    int home = HomePartition.of(key.getBytes(StandardCharsets.UTF_8), PARTITIONS);
    Feature stray = topic == Input.Topic.COMMANDS ? Feature.STRAY_COMMANDS : Feature.STRAYS;
    boolean strays = features.contains(stray) && random.nextBoolean();
    int partition = topic == Input.Topic.CALENDARS ? 0 : strays ? random.nextInt(PARTITIONS) : home;
    inputs.add(new Input(topic, partition, key, json, at));
    written++;
  }
}
