package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Guards the admission of each record, from a topic or from the held records: sets records aside
 * that have ended threads before, and counts it when another record ends a thread. For one task.
 */
final class RecordGuard {
  private final RecordDeaths deaths;
  private final int task;
  private final DeadLetterSender deadLetters;
  private Optional<Inbound> current = Optional.empty();

  /**
   * @param task the number of the task's partition
   */
  RecordGuard(RecordDeaths deaths, int task, DeadLetterSender deadLetters) {
    this.deaths = deaths;
    this.task = task;
    this.deadLetters = deadLetters;
  }

  /**
   * Runs the admission of a record. Calls may nest: a definition admits the commands that wait for
   * it.
   *
   * @return what {@code work} returns
   */
  boolean run(Inbound inbound, BooleanSupplier work) {
    Optional<Inbound> outer = current;
    begin(inbound);
    boolean result = guarded(inbound, work);
    outer.ifPresentOrElse(this::begin, this::end);
    return result;
  }

  /** What sets a record aside; empty when its deaths do not forbid its admission. */
  Optional<Effect> setAside(Inbound inbound, Instant now) {
    return deaths.verdict(inbound).map(why -> deadLetters.setAside(inbound, why, now));
  }

  /** Blames the innermost record for a failure. */
  private boolean guarded(Inbound inbound, BooleanSupplier work) {
    try {
      return work.getAsBoolean();
    } catch (RuntimeException | Error e) {
      if (current.filter(inbound::equals).isPresent()) {
        deaths.died(task, inbound, e);
      }
      throw e;
    }
  }

  private void begin(Inbound inbound) {
    current = Optional.of(inbound);
    deaths.begun(task, inbound);
  }

  private void end() {
    current = Optional.empty();
    deaths.ended(task);
  }
}
