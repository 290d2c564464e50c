package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.LivePartition;
import io.waterclock.cli.live.LiveState;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.context.Reading;
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

/** Finds problems in watermarks and the answers of instances: owners, clocks, backlog. Pure. */
final class ClusterCheckup {
  private static final String THIS_MACHINE = "this machine";

  /** A watermark is written every five seconds unless configured otherwise. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration BACKLOG = Duration.ofMinutes(1);
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  /** The longest time from the first answer of an instance to the last. */
  private static final Duration ANSWERING = Duration.ofSeconds(5);

  /** Newest watermarks at most this far apart mean that all partitions stopped at once. */
  private static final Duration AT_ONCE = Duration.ofSeconds(15);

  private final int partitions;
  private final Map<Integer, NewestWatermark> watermarks;
  private final LiveState live;
  private final Duration ahead;
  private final Instant now;
  private final String tzdb;

  /**
   * @param partitions of the schedules topic
   * @param live the state of the instances that answered
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
   * How far the clock of this machine is ahead of the broker's. Each answer of an instance contains
   * the time of its clock; its watermarks show the difference of that clock from the broker's.
   */
  private static Duration ahead(
      Map<Integer, NewestWatermark> watermarks, LiveState live, Instant now) {
    return live.partitions().stream()
        .flatMap(partition -> brokersTime(partition, watermarks).stream())
        .map(brokers -> Duration.between(brokers, now))
        .min(Comparator.naturalOrder())
        .filter(difference -> difference.compareTo(ANSWERING) > 0)
        .orElse(Duration.ZERO);
  }

  /** When an instance answered; empty if no watermark compares its clock with the broker's. */
  private static Optional<Instant> brokersTime(
      LivePartition partition, Map<Integer, NewestWatermark> watermarks) {
    return Optional.ofNullable(watermarks.get(partition.number()))
        .filter(latest -> latest.watermark().getInstance().equals(partition.owner().name()))
        .map(latest -> partition.watermark().getWrittenAt().minus(latest.ownerAhead()));
  }

  List<Symptom> symptoms() {
    List<Symptom> symptoms = new ArrayList<>();
    ownClock().ifPresent(symptoms::add);
    Optional<Symptom> allSilent = allSilent();
    allSilent.ifPresent(symptoms::add);
    for (int partition = 0; partition < partitions; partition++) {
      symptoms.addAll(
          ofPartition(partition, allSilent.isPresent() ? Optional.empty() : silence(partition)));
      Optional.ofNullable(watermarks.get(partition))
          .map(
              latest ->
                  live.watermark(latest.watermark().getPartition()).orElse(latest.watermark()))
          .ifPresent(latest -> symptoms.addAll(ofSchedules(about(latest.getPartition()), latest)));
    }
    symptoms.addAll(timeZoneData());
    symptoms.addAll(instances());
    symptoms.addAll(summary());
    return symptoms;
  }

  /** Whether a partition has an owner, by the answers and watermarks. */
  boolean isOwned(int partition) {
    NewestWatermark latest = watermarks.get(partition);
    return !live.of(partition).isEmpty() || (latest != null && !isSilent(latest));
  }

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
                about, "It has no watermark, so no scheduler has ever owned it: is one running?"));
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
                "%s %s; until then it fires nothing."
                    .formatted(live.owner(), Reading.unready(live.waitsFor()))));
      }
    }
    if (owners.size() > 1) {
      String names =
          owners.stream().map(live -> live.owner().toString()).collect(Collectors.joining(", "));
      symptoms.add(Symptom.bad(about, "Several instances claim to own it: " + names + "."));
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
        ? "Its watermark is %s old: it has no owner, %s Its last owner was %s."
            .formatted(
                span,
                areSilentAtOnce()
                    ? "its owner hangs, or this machine's clock is ahead."
                    : "or its owner hangs.",
                latest.watermark().getInstance())
        : ("%s owns it, but its watermark is %s old: the owner decides nothing, or cannot"
                + " commit. Its /ready gives the reason.")
            .formatted(owners.get(0).owner(), span);
  }

  private static List<Symptom> ofClock(String about, NewestWatermark latest) {
    Duration ahead = latest.ownerAhead();
    if (ahead.abs().compareTo(CLOCK_DIFFERENCE) <= 0) {
      return List.of();
    }
    return List.of(
        Symptom.bad(
            about,
            "The clock of its owner, %s, is %s%s the broker's: fires are as much too %s"
                .formatted(
                    latest.watermark().getInstance(),
                    DurationText.text(ahead.abs()),
                    ahead.isNegative() ? " behind" : " ahead of",
                    ahead.isNegative() ? "late." : "early.")));
  }

  private static List<Symptom> ofWork(String about, Watermark watermark) {
    List<Symptom> symptoms = new ArrayList<>();
    Optional<String> reads =
        Optional.ofNullable(watermark.getReadThrough())
            .map(through -> Reading.through(through, watermark.getWrittenAt()))
            .flatMap(Reading::problem);
    reads.ifPresent(problem -> symptoms.add(Symptom.bad(about, "It " + problem + ".")));
    Duration behind = Duration.between(watermark.getDecidedThrough(), watermark.getWrittenAt());
    if (behind.compareTo(BACKLOG) > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              "It is decided up to %s, %s behind: %s"
                  .formatted(
                      watermark.getDecidedThrough(),
                      DurationText.text(behind),
                      reason(watermark, reads.isPresent()))));
    }
    if (watermark.getRepaired() > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              "The watchdog has repaired "
                  + watermark.getRepaired()
                  + " queue entries: this is a defect of Waterclock, please report it."));
    }
    return symptoms;
  }

  /** Not about the partition, so nothing that keeps another schedule of it from firing. */
  private static List<Symptom> ofSchedules(String about, Watermark watermark) {
    List<Symptom> symptoms = new ArrayList<>();
    if (watermark.getFaulted() > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              watermark.getFaulted()
                  + " schedules are faulted; waterclock list --state FAULTED shows why."));
    }
    if (watermark.getFailing() > 0) {
      symptoms.add(
          Symptom.bad(
              about,
              "The fires of "
                  + Words.number(watermark.getFailing(), "schedule")
                  + " fail, time after time; waterclock list --state FAILING shows"
                  + " why."));
    }
    return symptoms;
  }

  private static String reason(Watermark watermark, boolean isReading) {
    if (watermark.getCatchingUp() > 0) {
      return watermark.getCatchingUp() + " schedules catch up.";
    }
    return isReading
        ? "it waits for unread input."
        : "schedules that wait for the end of a run hold it back, or more is due than its thread"
            + " decides; waterclock_backlog says which.";
  }

  private boolean isSilent(NewestWatermark latest) {
    return Duration.between(latest.stampedAt(), now).compareTo(SILENCE) > 0;
  }

  /** Whether a difference of clocks alone may explain that all watermarks are old. */
  private boolean areSilentAtOnce() {
    List<Instant> stamps =
        watermarks.values().stream().map(NewestWatermark::stampedAt).sorted().toList();
    return stamps.size() >= partitions
        && live.partitions().isEmpty()
        && watermarks.values().stream().allMatch(this::isSilent)
        && Duration.between(stamps.get(0), stamps.get(stamps.size() - 1)).compareTo(AT_ONCE) <= 0;
  }

  /** Several instances seldom stop at once: the clock of this machine is the likelier cause. */
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
            ("Its clock is about %s ahead of the broker's, or all instances (%s)"
                    + " stopped at once: no partition has a newer watermark.")
                .formatted(
                    DurationText.text(Duration.between(newest, now)),
                    String.join(", ", instances))));
  }

  /** Present if the clock of this machine differs from the broker's. */
  Optional<Symptom> ownClock() {
    if (!ahead.isZero()) {
      return Optional.of(
          Symptom.bad(
              THIS_MACHINE,
              ("Its clock is about %s ahead of the broker's; the times that commands on"
                      + " this machine show are as much wrong.")
                  .formatted(DurationText.text(ahead))));
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
                        + " behind the broker's; the ages shown here are as much too small."));
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
                  + " Java version everywhere."));
    }
    if (versions.isEmpty() || versions.contains(tzdb)) {
      return List.of();
    }
    return List.of(
        Symptom.bad(
            "time zones",
            ("The scheduler uses time-zone data %s, this machine %s: occurrences that"
                    + " this machine computes may differ.")
                .formatted(versions.first(), tzdb)));
  }

  private List<NewestWatermark> owners() {
    return watermarks.values().stream().filter(latest -> !isSilent(latest)).toList();
  }

  /** Which owners of partitions answer queries. */
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
                            + " does not answer: the findings about its partitions come from the"
                            + " topics.")));
    return symptoms;
  }

  private List<Symptom> summary() {
    List<Watermark> owned =
        owners().stream()
            .map(NewestWatermark::watermark)
            .map(latest -> live.watermark(latest.getPartition()).orElse(latest))
            .toList();
    TreeSet<String> instances = new TreeSet<>();
    owned.forEach(watermark -> instances.add(watermark.getInstance()));
    List<Symptom> symptoms = new ArrayList<>();
    symptoms.add(
        Symptom.good(
            "partitions",
            "%s of %s have an owner%s"
                .formatted(
                    owned.size(),
                    partitions,
                    instances.isEmpty() ? "." : ": " + String.join(", ", instances) + ".")));
    if (!owned.isEmpty()) {
      symptoms.add(
          Symptom.good(
              "schedules",
              "%s are due within minutes, %s catch up."
                  .formatted(
                      sum(owned, Watermark::getLive), sum(owned, Watermark::getCatchingUp))));
      symptoms.add(
          Symptom.good(
              "fires",
              "%s fired, %s missed and %s definitions rejected since the owners took over."
                  .formatted(
                      sum(owned, Watermark::getFired),
                      sum(owned, Watermark::getMissed),
                      sum(owned, Watermark::getRejected))));
    }
    if (!live.partitions().isEmpty()) {
      symptoms.add(
          Symptom.good(
              "backlog",
              "%s due, %s triggered by commands, %s in catch-up, %s in backfills."
                  .formatted(
                      backlog("live"),
                      backlog("manual"),
                      backlog("catch_up"),
                      backlog("backfill"))));
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
