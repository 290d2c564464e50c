package io.waterclock.sim.judge;

import io.waterclock.schemas.Topics;
import io.waterclock.sim.broker.Broker;
import io.waterclock.sim.spec.Spec;
import io.waterclock.sim.worker.HandledLog;
import java.util.List;
import java.util.Map;

/**
 * What the judge knows of a world that has ended.
 *
 * @param specs the definitions by their numbers
 * @param health when each partition was decided, by a right clock
 * @param reading when a task of each partition ran, whatever its clock
 * @param endMs when it ended, after a time in which all was well
 * @param aheadMs by how much a trusted clock may have been ahead of the brokers
 */
public record Facts(
    Broker broker,
    Topics topics,
    int partitions,
    Map<Integer, Spec> specs,
    Health health,
    Health reading,
    Consumers consumers,
    long endMs,
    long aheadMs) {

  /**
   * What happened to those that read fires.
   *
   * @param routing when a router took on the fires of each partition
   * @param targetGone when routers did not see the target, as the only partition 0
   * @param offsetsForgottenMs each time at which the brokers forgot their offsets
   * @param handled what workers have done
   */
  public record Consumers(
      Health routing, Health targetGone, List<Long> offsetsForgottenMs, HandledLog handled) {}
}
