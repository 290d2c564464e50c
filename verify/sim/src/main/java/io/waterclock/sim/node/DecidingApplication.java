package io.waterclock.sim.node;

import io.waterclock.runtime.clients.OtherPartitions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** An application whose tasks decide when their gates are open, while the clock is right. */
abstract class DecidingApplication implements Application {
  final TaskEnvironment environment;
  final NodeClock clock;
  final OtherPartitions others;

  /** The partitions whose gates are open. */
  private final Set<Integer> open = new HashSet<>();

  private final String prefix;

  /** How to learn which partitions of these inputs are read. */
  @FunctionalInterface
  interface Others {
    OtherPartitions of(
        OtherPartitions.Brokers brokers, List<String> topics, int partitions, LongSupplier nanos);
  }

  DecidingApplication(TaskEnvironment environment, NodeClock clock, String prefix, Others others) {
    this.environment = environment;
    this.clock = clock;
    this.prefix = prefix;
    this.others =
        others.of(
            new CommittedOffsets(environment),
            environment.inputsOfClients(),
            environment.settings().channels().partitions(),
            clock::nanos);
  }

  final void isOpen(int partition, boolean nowOpen) {
    if (nowOpen) {
      open.add(partition);
    } else {
      open.remove(partition);
    }
  }

  /** The partitions whose gates are open. */
  final Set<Integer> open() {
    return open;
  }

  @Override
  public final String prefix() {
    return prefix;
  }

  /** Two, as {@code TurnTakingProducer} of the runtime has it. */
  @Override
  public final List<String> producers() {
    return List.of(prefix, prefix + "-second");
  }

  @Override
  public final long wakeMs(long tasksWakeMs) {
    return tasksWakeMs <= 0 || clock.isTrusted()
        ? tasksWakeMs
        : Math.max(tasksWakeMs, clock.trustableMs());
  }
}
