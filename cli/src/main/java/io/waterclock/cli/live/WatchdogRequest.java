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
 * Asks every instance for a watchdog pass over all its schedules, and waits until the passes end.
 * If a partition moves meanwhile, its new owner is asked. The request gives up when no partition
 * without a result has had an owner that answers for half a minute.
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
  private final Map<Integer, Pass> asked = new HashMap<>();
  private final Map<Integer, LivePartition> checked = new TreeMap<>();

  /**
   * A pass that an instance was asked for.
   *
   * @param since by the owner's clock: the first pass that began then or later is the answer
   */
  private record Pass(Instance owner, Instant since) {
    boolean isDone(LivePartition partition) {
      WalkProgress progress = partition.watermark().getWalk();
      return partition.owner().equals(owner)
          && progress != null
          && progress.getEndedAt() != null
          && !progress.getStartedAt().isBefore(since);
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

  /** Waits for the passes; the results by partition, then their sum. */
  public List<Symptom> symptoms() {
    long start = System.nanoTime();
    long ownedAt = start;
    long readAt = start;
    long printedAt = start;
    List<Instance> known = Instance.named(cluster.watermarks(partitions));
    while (checked.size() < partitions) {
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
      if (now - printedAt > BETWEEN_REPORTS.toNanos()) {
        printedAt = now;
        printProgress(live);
      }
      if (now - readAt > BETWEEN_LOOKS_AT_TOPICS.toNanos()) {
        readAt = now;
        known = Instance.named(cluster.watermarks(partitions));
      }
      if (checked.size() < partitions) {
        pause();
      }
    }
    return findings();
  }

  /** Asks each owner of a partition for which it was not asked before. */
  private void ask(LiveState live) {
    Set<Instance> owners = new HashSet<>();
    for (LivePartition partition : live.partitions()) {
      boolean isAsked =
          Optional.ofNullable(asked.get(partition.number()))
              .map(Pass::owner)
              .filter(partition.owner()::equals)
              .isPresent();
      if (!isAsked && !checked.containsKey(partition.number())) {
        owners.add(partition.owner());
      }
    }
    for (Instance owner : owners) {
      instances
          .startPass(owner)
          .ifPresent(
              since -> since.forEach((number, at) -> asked.put(number, new Pass(owner, at))));
    }
  }

  private void take(LiveState live) {
    for (LivePartition partition : live.partitions()) {
      Pass pass = asked.get(partition.number());
      if (pass != null && pass.isDone(partition)) {
        checked.putIfAbsent(partition.number(), partition);
      }
    }
  }

  private boolean isAnyUnderWay(LiveState live) {
    return live.partitions().stream()
        .anyMatch(partition -> !checked.containsKey(partition.number()));
  }

  private void printProgress(LiveState live) {
    long schedules =
        live.partitions().stream()
            .map(partition -> checked.getOrDefault(partition.number(), partition))
            .filter(partition -> asked.containsKey(partition.number()))
            .mapToLong(WatchdogRequest::schedules)
            .sum();
    terminal.note(
        String.format(
            Locale.ROOT,
            "checked %d of %d partitions, %,d schedules",
            checked.size(),
            partitions,
            schedules));
    terminal.flush();
  }

  private static long schedules(LivePartition partition) {
    WalkProgress progress = partition.watermark().getWalk();
    return progress == null ? 0 : progress.getWalked();
  }

  private List<Symptom> findings() {
    List<Symptom> symptoms = new ArrayList<>();
    long schedules = 0;
    long repaired = 0;
    long faulted = 0;
    for (int number = 0; number < partitions; number++) {
      LivePartition partition = checked.get(number);
      if (partition == null) {
        symptoms.add(Symptom.bad("partition " + number, unchecked(number)));
        continue;
      }
      WalkProgress pass = partition.watermark().getWalk();
      symptoms.add(
          found(
              "partition " + number,
              "The watchdog pass ended",
              pass.getWalked(),
              pass.getRepaired(),
              pass.getFaulted()));
      schedules += pass.getWalked();
      repaired += pass.getRepaired();
      faulted += pass.getFaulted();
    }
    String all = checked.size() + " of " + partitions + " partitions";
    symptoms.add(found("watchdog", all, schedules, repaired, faulted));
    return symptoms;
  }

  private String unchecked(int number) {
    return asked.containsKey(number)
        ? "The watchdog pass of " + asked.get(number).owner() + " did not end in time."
        : "There was no watchdog pass: no instance that answers owns the partition.";
  }

  private static Symptom found(
      String about, String what, long schedules, long repaired, long faulted) {
    return new Symptom(
        repaired > 0 || faulted > 0,
        false,
        about,
        ("%s: %s schedules checked, %s queue entries repaired, %s faulted schedules"
                + " tried again.")
            .formatted(what, schedules, repaired, faulted),
        Map.of("checked", schedules, "repaired", repaired, "faulted", faulted));
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
