package io.waterclock.cli.live;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.schemas.avro.WalkProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Has every instance walk through its schedules, and waits until it has. A partition that moves
 * meanwhile is walked by its new owner; one that nobody has, or whose owner does not answer, is
 * given up after half a minute.
 */
public final class WatchdogRequest {
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Duration BETWEEN_LOOKS_AT_TOPICS = Duration.ofSeconds(5);
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(3);
  private static final Duration OWNERLESS = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final Duration timeout;
  private final Terminal terminal;
  private final Instances instances = new Instances();
  private final int partitions;
  private final Map<Integer, Asked> asked = new HashMap<>();
  private final Map<Integer, LivePartition> walked = new TreeMap<>();

  /**
   * A walk that was asked for.
   *
   * @param since the first pass that began then or later is meant, by the owner's clock
   */
  private record Asked(Instance owner, Instant since) {
    boolean isDone(LivePartition partition) {
      WalkProgress walk = partition.watermark().getWalk();
      return partition.owner().equals(owner)
          && walk != null
          && walk.getEndedAt() != null
          && !walk.getStartedAt().isBefore(since);
    }
  }

  /**
   * @throws Failure if Kafka is away
   */
  public WatchdogRequest(Cluster cluster, Duration timeout, Terminal terminal) {
    this.cluster = cluster;
    this.timeout = timeout;
    this.terminal = terminal;
    this.partitions = cluster.partitions(cluster.topics().schedules()).size();
  }

  /** Walks; what it has found, by partition and in all. */
  public List<Symptom> symptoms() {
    long start = System.nanoTime();
    long ownedAt = start;
    long readAt = start;
    long toldAt = start;
    List<Instance> known = Instance.named(NewestWatermark.all(cluster, partitions));
    while (walked.size() < partitions) {
      LiveState live = instances.live(known);
      ask(live);
      take(live);
      long now = System.nanoTime();
      if (isAnyUnderWay(live)) {
        ownedAt = now;
      }
      if (now - ownedAt > OWNERLESS.toNanos() || now - start > timeout.toNanos()) {
        break;
      }
      if (now - toldAt > BETWEEN_REPORTS.toNanos()) {
        toldAt = now;
        tell(live);
      }
      if (now - readAt > BETWEEN_LOOKS_AT_TOPICS.toNanos()) {
        readAt = now;
        known = Instance.named(NewestWatermark.all(cluster, partitions));
      }
      if (walked.size() < partitions) {
        pause();
      }
    }
    return findings();
  }

  /** Asks those that have a partition of which they were not asked yet. */
  private void ask(LiveState live) {
    Set<Instance> owners = new HashSet<>();
    for (LivePartition partition : live.partitions()) {
      boolean isAsked =
          Optional.ofNullable(asked.get(partition.number()))
              .map(Asked::owner)
              .filter(partition.owner()::equals)
              .isPresent();
      if (!isAsked && !walked.containsKey(partition.number())) {
        owners.add(partition.owner());
      }
    }
    for (Instance owner : owners) {
      instances
          .walk(owner)
          .ifPresent(
              since -> since.forEach((number, at) -> asked.put(number, new Asked(owner, at))));
    }
  }

  private void take(LiveState live) {
    for (LivePartition partition : live.partitions()) {
      Asked walk = asked.get(partition.number());
      if (walk != null && walk.isDone(partition)) {
        walked.putIfAbsent(partition.number(), partition);
      }
    }
  }

  private boolean isAnyUnderWay(LiveState live) {
    return live.partitions().stream()
        .anyMatch(partition -> !walked.containsKey(partition.number()));
  }

  private void tell(LiveState live) {
    long schedules =
        live.partitions().stream()
            .map(partition -> walked.getOrDefault(partition.number(), partition))
            .filter(partition -> asked.containsKey(partition.number()))
            .mapToLong(WatchdogRequest::seen)
            .sum();
    terminal
        .err()
        .println(
            String.format(
                Locale.ROOT,
                "waterclock: walked %d of %d partitions, %,d schedules",
                walked.size(),
                partitions,
                schedules));
    terminal.flush();
  }

  private static long seen(LivePartition partition) {
    WalkProgress walk = partition.watermark().getWalk();
    return walk == null ? 0 : walk.getWalked();
  }

  private List<Symptom> findings() {
    List<Symptom> symptoms = new ArrayList<>();
    long seen = 0;
    long repaired = 0;
    long faulted = 0;
    for (int number = 0; number < partitions; number++) {
      LivePartition partition = walked.get(number);
      if (partition == null) {
        symptoms.add(Symptom.bad("partition " + number, unwalked(number)));
        continue;
      }
      WalkProgress walk = partition.watermark().getWalk();
      symptoms.add(
          found(
              "partition " + number,
              "Walked",
              walk.getWalked(),
              walk.getRepaired(),
              walk.getFaulted()));
      seen += walk.getWalked();
      repaired += walk.getRepaired();
      faulted += walk.getFaulted();
    }
    String all = walked.size() + " of " + partitions + " partitions walked";
    symptoms.add(found("walk", all, seen, repaired, faulted));
    return symptoms;
  }

  private String unwalked(int number) {
    return asked.containsKey(number)
        ? "It was not walked to its end in time by " + asked.get(number).owner() + "."
        : "It was not walked: no instance that answers has it.";
  }

  private static Symptom found(String about, String what, long seen, long repaired, long faulted) {
    return new Symptom(
        repaired > 0 || faulted > 0,
        about,
        what
            + ": "
            + seen
            + " schedules seen, "
            + repaired
            + " queue entries repaired, "
            + faulted
            + " faulted schedules tried again.",
        Map.of("walked", seen, "repaired", repaired, "faulted", faulted));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("Interrupted.", e);
    }
  }
}
