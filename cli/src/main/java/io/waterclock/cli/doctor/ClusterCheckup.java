package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.LivePartition;
import io.waterclock.cli.live.LiveState;
import io.waterclock.cli.live.NewestWatermark;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.schemas.avro.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
  private static final String THIS_MACHINE = "this machine";

  /** A watermark is written every five seconds unless configured otherwise. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration BACKLOG = Duration.ofMinutes(1);
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  /** So long may pass from when an instance answers until all have. */
  private static final Duration ANSWERING = Duration.ofSeconds(5);

  /** Of the latest watermarks of partitions that all went silent at once. */
  private static final Duration AT_ONCE = Duration.ofSeconds(15);

  private final int partitions;
  private final Map<Integer, NewestWatermark> watermarks;
  private final LiveState live;
  private final Duration ahead;
  private final Instant now;
  private final String tzdb;

  /**
   * @param partitions of the schedules topic
   * @param live what the instances say that answered
   * @param now by the clock of this machine
   * @param tzdb the version of the time-zone data on this machine
   */
  ClusterCheckup(
      int partitions,
      Map<Integer, NewestWatermark> watermarks,
      LiveState live,
      Instant now,
      String tzdb) {
    this.partitions = partitions;
    this.watermarks = watermarks;
    this.live = live;
    this.ahead = ahead(watermarks, live, now);
    this.now = now.minus(ahead);
    this.tzdb = tzdb;
  }

  /**
   * How far this machine's clock is ahead of the broker's, as far as instances show it that have
   * just told the time: by how much their own clocks differ from the broker's, their watermarks
   * tell.
   */
  private static Duration ahead(
      Map<Integer, NewestWatermark> watermarks, LiveState live, Instant now) {
    return live.partitions().stream()
        .flatMap(told -> brokersTime(told, watermarks).stream())
        .map(brokers -> Duration.between(brokers, now))
        .min(Comparator.naturalOrder())
        .filter(difference -> difference.compareTo(ANSWERING) > 0)
        .orElse(Duration.ZERO);
  }

  /** When an instance answered; empty where nothing compares its clock with the broker's. */
  private static Optional<Instant> brokersTime(
      LivePartition told, Map<Integer, NewestWatermark> watermarks) {
    return Optional.ofNullable(watermarks.get(told.number()))
        .filter(latest -> latest.watermark().getInstance().equals(told.owner().name()))
        .map(latest -> told.watermark().getWrittenAt().minus(latest.ownerAhead()));
  }

  List<Symptom> symptoms() {
    List<Symptom> symptoms = new ArrayList<>();
    ownClock().ifPresent(symptoms::add);
    Optional<Symptom> allSilent = allSilent();
    allSilent.ifPresent(symptoms::add);
    for (int partition = 0; partition < partitions; partition++) {
      symptoms.addAll(
          ofPartition(partition, allSilent.isPresent() ? Optional.empty() : silence(partition)));
    }
    symptoms.addAll(timeZoneData());
    symptoms.addAll(instances());
    symptoms.addAll(summary());
    return symptoms;
  }

  /** Whether a partition is looked after, as far as is known. */
  boolean isOwned(int partition) {
    NewestWatermark latest = watermarks.get(partition);
    return !live.of(partition).isEmpty() || (latest != null && !isSilent(latest));
  }

  /** What is wrong with one partition. */
  List<Symptom> ofPartition(int partition) {
    return ofPartition(partition, silence(partition));
  }

  private List<Symptom> ofPartition(int partition, Optional<Symptom> silence) {
    String about = about(partition);
    NewestWatermark latest = watermarks.get(partition);
    List<LivePartition> owners = live.of(partition);
    List<Symptom> symptoms = new ArrayList<>(ofOwners(about, owners));
    if (latest == null) {
      if (owners.isEmpty()) {
        symptoms.add(
            Symptom.bad(
                about, "No scheduler has ever said how far it is decided: is one running?"));
      }
      return symptoms;
    }
    silence.ifPresent(symptoms::add);
    symptoms.addAll(ofClock(about, latest));
    symptoms.addAll(ofWork(about, live.watermark(partition).orElse(latest.watermark())));
    return symptoms;
  }

  private static List<Symptom> ofOwners(String about, List<LivePartition> owners) {
    List<Symptom> symptoms = new ArrayList<>();
    for (LivePartition live : owners) {
      if (!live.gateOpen()) {
        symptoms.add(
            Symptom.bad(
                about,
                live.owner()
                    + " has not read its input to the end yet, and fires nothing before it has."));
      }
    }
    if (owners.size() > 1) {
      String names =
          owners.stream().map(live -> live.owner().toString()).collect(Collectors.joining(", "));
      symptoms.add(Symptom.bad(about, "Several instances say that they have it: " + names + "."));
    }
    return symptoms;
  }

  private static String about(int partition) {
    return "partition " + partition;
  }

  private Optional<Symptom> silence(int partition) {
    return Optional.ofNullable(watermarks.get(partition))
        .filter(this::isSilent)
        .map(latest -> Symptom.bad(about(partition), silence(latest, live.of(partition))));
  }

  private String silence(NewestWatermark latest, List<LivePartition> owners) {
    String span = DurationText.text(Duration.between(latest.stampedAt(), now));
    return owners.isEmpty()
        ? "Nobody has said for "
            + span
            + " how far it is decided: it has no owner, "
            + (areSilentAtOnce()
                ? "its owner hangs, or this machine's clock is ahead."
                : "or its owner hangs.")
            + " The last one was "
            + latest.watermark().getInstance()
            + "."
        : owners.get(0).owner()
            + " has it, but nobody has said for "
            + span
            + " how far it is decided: it decides nothing, or cannot commit. Its /ready says why.";
  }

  private static List<Symptom> ofClock(String about, NewestWatermark latest) {
    Duration ahead = latest.ownerAhead();
    if (ahead.abs().compareTo(CLOCK_DIFFERENCE) <= 0) {
      return List.of();
    }
    return List.of(
        Symptom.bad(
            about,
            "The clock of its owner, "
                + latest.watermark().getInstance()
                + ", is "
                + DurationText.text(ahead.abs())
                + (ahead.isNegative() ? " behind" : " ahead of")
                + " the broker's: fires come as much too "
                + (ahead.isNegative() ? "late." : "early.")));
  }

  private static List<Symptom> ofWork(String about, Watermark watermark) {
    List<Symptom> symptoms = new ArrayList<>();
    Duration behind = Duration.between(watermark.getDecidedThrough(), watermark.getWrittenAt());
    if (behind.compareTo(BACKLOG) > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              "It is decided up to "
                  + watermark.getDecidedThrough()
                  + ", "
                  + DurationText.text(behind)
                  + " behind; "
                  + (watermark.getCatchingUp() > 0
                      ? watermark.getCatchingUp() + " schedules catch up."
                      : "what waits for the end of a run holds that back.")));
    }
    if (watermark.getFaulted() > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              watermark.getFaulted()
                  + " schedules cannot be decided; waterclock list --state FAULTED shows why."));
    }
    if (watermark.getRepaired() > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              "The watchdog has repaired "
                  + watermark.getRepaired()
                  + " queue entries: a defect of Waterclock, please report it."));
    }
    return symptoms;
  }

  private boolean isSilent(NewestWatermark latest) {
    return Duration.between(latest.stampedAt(), now).compareTo(SILENCE) > 0;
  }

  /** True when the silence of all partitions may be but the difference of clocks. */
  private boolean areSilentAtOnce() {
    List<Instant> stamps =
        watermarks.values().stream().map(NewestWatermark::stampedAt).sorted().toList();
    return stamps.size() >= partitions
        && live.partitions().isEmpty()
        && watermarks.values().stream().allMatch(this::isSilent)
        && Duration.between(stamps.get(0), stamps.get(stamps.size() - 1)).compareTo(AT_ONCE) <= 0;
  }

  /** Instances seldom go silent at once. */
  private Optional<Symptom> allSilent() {
    TreeSet<String> instances = new TreeSet<>();
    watermarks.values().forEach(latest -> instances.add(latest.watermark().getInstance()));
    if (instances.size() < 2 || !areSilentAtOnce()) {
      return Optional.empty();
    }
    Instant newest =
        watermarks.values().stream()
            .map(NewestWatermark::stampedAt)
            .max(Instant::compareTo)
            .orElseThrow();
    return Optional.of(
        Symptom.bad(
            THIS_MACHINE,
            "Its clock is about "
                + DurationText.text(Duration.between(newest, now))
                + " ahead of the broker's, or all instances ("
                + String.join(", ", instances)
                + ") went silent at once: nobody has said since how far any partition is"
                + " decided."));
  }

  /** Whether the clock of this machine is another one than the broker's. */
  Optional<Symptom> ownClock() {
    if (!ahead.isZero()) {
      return Optional.of(
          Symptom.bad(
              THIS_MACHINE,
              "Its clock is about "
                  + DurationText.text(ahead)
                  + " ahead of the broker's; what commands here tell of now is as much off."));
    }
    return watermarks.values().stream()
        .map(NewestWatermark::stampedAt)
        .max(Instant::compareTo)
        .map(newest -> Duration.between(now, newest))
        .filter(ahead -> ahead.compareTo(CLOCK_DIFFERENCE) > 0)
        .map(
            ahead ->
                Symptom.bad(
                    THIS_MACHINE,
                    "Its clock is "
                        + DurationText.text(ahead)
                        + " behind the broker's; the ages told here are as much too small."));
  }

  private List<Symptom> timeZoneData() {
    TreeSet<String> versions = new TreeSet<>();
    owners().forEach(latest -> versions.add(latest.watermark().getTzdb()));
    if (versions.size() > 1) {
      return List.of(
          Symptom.bad(
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
        Symptom.bad(
            "time zones",
            "The scheduler uses time-zone data "
                + versions.first()
                + ", this machine "
                + tzdb
                + ": what it previews may differ."));
  }

  private List<NewestWatermark> owners() {
    return watermarks.values().stream().filter(latest -> !isSilent(latest)).toList();
  }

  /** Who answers queries, of those that look after a partition. */
  private List<Symptom> instances() {
    List<Symptom> symptoms = new ArrayList<>();
    if (!live.answering().isEmpty()) {
      symptoms.add(
          Symptom.good(
              "instances",
              live.answering().stream().map(Instance::toString).collect(Collectors.joining(", "))
                  + (live.answering().size() == 1 ? " answers." : " answer.")));
    }
    Map<Integer, NewestWatermark> owned = new TreeMap<>();
    owners().forEach(latest -> owned.put(latest.watermark().getPartition(), latest));
    Instance.named(owned).stream()
        .filter(instance -> !live.answering().contains(instance))
        .forEach(
            instance ->
                symptoms.add(
                    Symptom.good(
                        "instances",
                        instance
                            + " does not answer: what is told of its partitions is from the"
                            + " topics.")));
    return symptoms;
  }

  private List<Symptom> summary() {
    List<Watermark> owned =
        owners().stream()
            .map(NewestWatermark::watermark)
            .map(told -> live.watermark(told.getPartition()).orElse(told))
            .toList();
    TreeSet<String> instances = new TreeSet<>();
    owned.forEach(watermark -> instances.add(watermark.getInstance()));
    List<Symptom> symptoms = new ArrayList<>();
    symptoms.add(
        Symptom.good(
            "partitions",
            owned.size()
                + " of "
                + partitions
                + " are looked after"
                + (instances.isEmpty() ? "." : ", by " + String.join(", ", instances) + ".")));
    if (!owned.isEmpty()) {
      symptoms.add(
          Symptom.good(
              "schedules",
              sum(owned, Watermark::getLive)
                  + " wait for their next occurrence, "
                  + sum(owned, Watermark::getCatchingUp)
                  + " catch up."));
      symptoms.add(
          Symptom.good(
              "outcomes",
              sum(owned, Watermark::getFired)
                  + " fired, "
                  + sum(owned, Watermark::getMissed)
                  + " missed and "
                  + sum(owned, Watermark::getRejected)
                  + " definitions rejected since the owners took over."));
    }
    if (!live.partitions().isEmpty()) {
      symptoms.add(
          Symptom.good(
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
    return symptoms;
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
