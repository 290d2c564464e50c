package io.waterclock.judge;

import io.waterclock.schemas.avro.Fire;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the judge knows of the time in which a history was written, and what it allows for.
 *
 * @param health when each partition was decided, by a right clock; never, if not seen
 * @param reading when a task of each partition ran, whatever its clock
 * @param consumers what happened to those that read fires
 * @param patience how long things may take
 * @param untilMs inclusive: what occurred by then must be decided
 * @param endMs when it ended, after a time in which all was well
 * @param aheadMs by how much a trusted clock may differ from the brokers'
 */
public record Terms(
    Health health,
    Health reading,
    Consumers consumers,
    Patience patience,
    long untilMs,
    long endMs,
    long aheadMs) {

  /**
   * What happened to those that read fires.
   *
   * @param routing when a router took on the fires of each partition
   * @param targetGone when routers did not see the target, as the only partition 0
   * @param offsetsForgottenMs each time at which the brokers forgot their offsets
   * @param isTimed whether it is known when targets were written; else their records come at any
   *     time
   * @param isPassed whether workers have passed a fire and have not handled it
   */
  public record Consumers(
      Health routing,
      Health targetGone,
      List<Long> offsetsForgottenMs,
      boolean isTimed,
      Predicate<Entry<Fire>> isPassed) {}

  /**
   * How long things may take.
   *
   * @param readMs within which a task that runs has read a record
   * @param committedMs within which it has read a record and has committed that; a rebalance delays
   *     it
   * @param deliveryMs within which a delete or a pause stops what fires: docs/adr/0003
   */
  public record Patience(long readMs, long committedMs, long deliveryMs) {}
}
