package io.waterclock.cli.online;

import io.waterclock.cli.Spans;
import io.waterclock.schemas.avro.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What watermarks and instances show: whether each partition is looked after, and how well. Pure.
 */
final class ClusterCheckup {
  /** A watermark is written every five seconds unless configured otherwise. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration BACKLOG = Duration.ofMinutes(1);
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  private final int partitions;
  private final Map<Integer, Pulse> pulses;
  private final Live live;
  private final Instant now;
  private final String tzdb;

  /**
   * @param partitions of the schedules topic
   * @param live what the instances say that answered
   * @param now by the clock of this machine
   * @param tzdb the version of the time-zone data on this machine
   */
  ClusterCheckup(int partitions, Map<Integer, Pulse> pulses, Live live, Instant now, String tzdb) {
    this.partitions = partitions;
    this.pulses = pulses;
    this.live = live;
    this.now = now;
    this.tzdb = tzdb;
  }

  List<Sign> signs() {
    List<Sign> signs = new ArrayList<>();
    ownClock().ifPresent(signs::add);
    for (int partition = 0; partition < partitions; partition++) {
      signs.addAll(ofPartition(partition));
    }
    signs.addAll(timeZoneData());
    signs.addAll(instances());
    signs.addAll(summary());
    return signs;
  }

  /** Whether a partition is looked after, as far as is known. */
  boolean isOwned(int partition) {
    Pulse pulse = pulses.get(partition);
    return !live.of(partition).isEmpty() || (pulse != null && !isSilent(pulse));
  }

  /** What is wrong with one partition. */
  List<Sign> ofPartition(int partition) {
    String about = "partition " + partition;
    Pulse pulse = pulses.get(partition);
    List<LivePartition> owners = live.of(partition);
    List<Sign> signs = new ArrayList<>(ofOwners(about, owners));
    if (pulse == null) {
      if (owners.isEmpty()) {
        signs.add(
            Sign.bad(about, "No scheduler has ever said how far it is decided: is one running?"));
      }
      return signs;
    }
    if (isSilent(pulse)) {
      signs.add(Sign.bad(about, silence(pulse, owners)));
    }
    signs.addAll(ofClock(about, pulse));
    signs.addAll(ofWork(about, live.watermark(partition).orElse(pulse.watermark())));
    return signs;
  }

  private static List<Sign> ofOwners(String about, List<LivePartition> owners) {
    List<Sign> signs = new ArrayList<>();
    for (LivePartition live : owners) {
      if (!live.gateOpen()) {
        signs.add(
            Sign.bad(
                about,
                live.owner()
                    + " has not read its input to the end yet, and fires nothing before it has."));
      }
    }
    if (owners.size() > 1) {
      String names =
          owners.stream().map(live -> live.owner().toString()).collect(Collectors.joining(", "));
      signs.add(Sign.bad(about, "Several instances say that they have it: " + names + "."));
    }
    return signs;
  }

  private String silence(Pulse pulse, List<LivePartition> owners) {
    String span = Spans.text(Duration.between(pulse.stampedAt(), now));
    return owners.isEmpty()
        ? "Nobody has said for "
            + span
            + " how far it is decided: it has no owner, or its owner hangs. The last one was "
            + pulse.watermark().getInstance()
            + "."
        : owners.get(0).owner()
            + " has it, but nobody has said for "
            + span
            + " how far it is decided: it decides nothing, or cannot commit. Its /ready says why.";
  }

  private static List<Sign> ofClock(String about, Pulse pulse) {
    Duration ahead = Duration.between(pulse.stampedAt(), pulse.watermark().getWrittenAt());
    if (ahead.abs().compareTo(CLOCK_DIFFERENCE) <= 0) {
      return List.of();
    }
    return List.of(
        Sign.bad(
            about,
            "The clock of its owner, "
                + pulse.watermark().getInstance()
                + ", is "
                + Spans.text(ahead.abs())
                + (ahead.isNegative() ? " behind" : " ahead of")
                + " the broker's: fires come as much too "
                + (ahead.isNegative() ? "late." : "early.")));
  }

  private static List<Sign> ofWork(String about, Watermark watermark) {
    List<Sign> signs = new ArrayList<>();
    Duration behind = Duration.between(watermark.getDecidedThrough(), watermark.getWrittenAt());
    if (behind.compareTo(BACKLOG) > 0) {
      signs.add(
          Sign.bad(
              about,
              "It is decided up to "
                  + watermark.getDecidedThrough()
                  + ", "
                  + Spans.text(behind)
                  + " behind; "
                  + (watermark.getCatchingUp() > 0
                      ? watermark.getCatchingUp() + " schedules catch up."
                      : "what waits for the end of a run holds that back.")));
    }
    if (watermark.getFaulted() > 0) {
      signs.add(
          Sign.bad(
              about,
              watermark.getFaulted()
                  + " schedules cannot be decided; waterclock list --state FAULTED shows why."));
    }
    if (watermark.getRepaired() > 0) {
      signs.add(
          Sign.bad(
              about,
              "The watchdog has repaired "
                  + watermark.getRepaired()
                  + " queue entries: a defect of Waterclock, please report it."));
    }
    return signs;
  }

  private boolean isSilent(Pulse pulse) {
    return Duration.between(pulse.stampedAt(), now).compareTo(SILENCE) > 0;
  }

  private Optional<Sign> ownClock() {
    return pulses.values().stream()
        .map(Pulse::stampedAt)
        .max(Instant::compareTo)
        .map(newest -> Duration.between(now, newest))
        .filter(ahead -> ahead.compareTo(CLOCK_DIFFERENCE) > 0)
        .map(
            ahead ->
                Sign.bad(
                    "this machine",
                    "Its clock is "
                        + Spans.text(ahead)
                        + " behind the broker's; the ages told here are as much too small."));
  }

  private List<Sign> timeZoneData() {
    TreeSet<String> versions = new TreeSet<>();
    owners().forEach(pulse -> versions.add(pulse.watermark().getTzdb()));
    if (versions.size() > 1) {
      return List.of(
          Sign.bad(
              "time zones",
              "Instances use different time-zone data, "
                  + String.join(" and ", versions)
                  + ": a schedule may occur at another time when its partition moves. Run the same"
                  + " Java everywhere."));
    }
    if (versions.isEmpty() || versions.contains(tzdb)) {
      return List.of();
    }
    return List.of(
        Sign.bad(
            "time zones",
            "The scheduler uses time-zone data "
                + versions.first()
                + ", this machine "
                + tzdb
                + ": what it previews may differ."));
  }

  private List<Pulse> owners() {
    return pulses.values().stream().filter(pulse -> !isSilent(pulse)).toList();
  }

  /** Who answers queries, of those that look after a partition. */
  private List<Sign> instances() {
    List<Sign> signs = new ArrayList<>();
    if (!live.answering().isEmpty()) {
      signs.add(
          Sign.good(
              "instances",
              live.answering().stream().map(Instance::toString).collect(Collectors.joining(", "))
                  + (live.answering().size() == 1 ? " answers." : " answer.")));
    }
    Map<Integer, Pulse> owned = new TreeMap<>();
    owners().forEach(pulse -> owned.put(pulse.watermark().getPartition(), pulse));
    Instance.named(owned).stream()
        .filter(instance -> !live.answering().contains(instance))
        .forEach(
            instance ->
                signs.add(
                    Sign.good(
                        "instances",
                        instance
                            + " does not answer: what is told of its partitions is from the"
                            + " topics.")));
    return signs;
  }

  private List<Sign> summary() {
    List<Watermark> owned =
        owners().stream()
            .map(Pulse::watermark)
            .map(told -> live.watermark(told.getPartition()).orElse(told))
            .toList();
    TreeSet<String> instances = new TreeSet<>();
    owned.forEach(watermark -> instances.add(watermark.getInstance()));
    List<Sign> signs = new ArrayList<>();
    signs.add(
        Sign.good(
            "partitions",
            owned.size()
                + " of "
                + partitions
                + " are looked after"
                + (instances.isEmpty() ? "." : ", by " + String.join(", ", instances) + ".")));
    if (!owned.isEmpty()) {
      signs.add(
          Sign.good(
              "schedules",
              sum(owned, Watermark::getLive)
                  + " wait for their next occurrence, "
                  + sum(owned, Watermark::getCatchingUp)
                  + " catch up."));
      signs.add(
          Sign.good(
              "outcomes",
              sum(owned, Watermark::getFired)
                  + " fired, "
                  + sum(owned, Watermark::getMissed)
                  + " missed and "
                  + sum(owned, Watermark::getRejected)
                  + " definitions rejected since the owners took over."));
    }
    if (!live.partitions().isEmpty()) {
      signs.add(
          Sign.good(
              "backlog",
              backlog("live")
                  + " due in step, "
                  + backlog("manual")
                  + " ordered by commands, "
                  + backlog("catch_up")
                  + " behind after an outage, "
                  + backlog("backfill")
                  + " with backfills."));
    }
    return signs;
  }

  private long backlog(String lane) {
    return live.partitions().stream()
        .mapToLong(partition -> partition.backlog().getOrDefault(lane, 0L))
        .sum();
  }

  private static long sum(List<Watermark> watermarks, ToLongFunction<Watermark> number) {
    return watermarks.stream().mapToLong(number).sum();
  }
}
