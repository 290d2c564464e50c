package io.waterclock.cli.online;

import io.waterclock.cli.Spans;
import io.waterclock.schemas.avro.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** What watermarks show: whether each partition is looked after, and how well. Pure. */
final class ClusterCheckup {
  /** A watermark is written every five seconds unless configured otherwise. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration BACKLOG = Duration.ofMinutes(1);
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  private final int partitions;
  private final Map<Integer, Pulse> pulses;
  private final Instant now;
  private final String tzdb;

  /**
   * @param partitions of the schedules topic
   * @param now by the clock of this machine
   * @param tzdb the version of the time-zone data on this machine
   */
  ClusterCheckup(int partitions, Map<Integer, Pulse> pulses, Instant now, String tzdb) {
    this.partitions = partitions;
    this.pulses = pulses;
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
    signs.addAll(summary());
    return signs;
  }

  /** What is wrong with one partition. */
  List<Sign> ofPartition(int partition) {
    String about = "partition " + partition;
    Pulse pulse = pulses.get(partition);
    if (pulse == null) {
      return List.of(
          Sign.bad(about, "No scheduler has ever said how far it is decided: is one running?"));
    }
    Watermark watermark = pulse.watermark();
    List<Sign> signs = new ArrayList<>();
    if (isSilent(pulse)) {
      signs.add(
          Sign.bad(
              about,
              "Nobody has said for "
                  + Spans.text(Duration.between(pulse.stampedAt(), now))
                  + " how far it is decided: it has no owner, or its owner hangs. The last one was "
                  + watermark.getInstance()
                  + "."));
    }
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
    Duration ahead = Duration.between(pulse.stampedAt(), watermark.getWrittenAt());
    if (ahead.abs().compareTo(CLOCK_DIFFERENCE) > 0) {
      signs.add(
          Sign.bad(
              about,
              "The clock of its owner, "
                  + watermark.getInstance()
                  + ", is "
                  + Spans.text(ahead.abs())
                  + (ahead.isNegative() ? " behind" : " ahead of")
                  + " the broker's: fires come as much too "
                  + (ahead.isNegative() ? "late." : "early.")));
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

  private List<Sign> summary() {
    List<Pulse> owned = owners();
    TreeSet<String> instances = new TreeSet<>();
    owned.forEach(pulse -> instances.add(pulse.watermark().getInstance()));
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
    return signs;
  }

  private static long sum(List<Pulse> pulses, ToLongFunction<Watermark> number) {
    return pulses.stream().map(Pulse::watermark).mapToLong(number).sum();
  }
}
