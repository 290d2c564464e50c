package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Stands before all that takes a record in, whether it comes from a topic or has waited in the
 * state: sets those aside that have ended threads, and notes it when another does. For one task.
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
   * Takes a record in, or sets it aside. What waited for a record is taken in within it.
   *
   * @return what {@code work} returns; true when the record was set aside
   */
  boolean run(Inbound inbound, Instant now, BooleanSupplier work) {
    if (isSetAside(inbound, now)) {
      return true;
    }
    Optional<Inbound> outer = current;
    begin(inbound);
    boolean result = guarded(inbound, work);
    outer.ifPresentOrElse(this::begin, this::end);
    return result;
  }

  /** Sets a record aside that is not to be taken in. */
  boolean isSetAside(Inbound inbound, Instant now) {
    Optional<String> verdict = deaths.verdict(inbound);
    verdict.ifPresent(why -> deadLetters.setAside(inbound, why, now));
    return verdict.isPresent();
  }

  /** The innermost record has done it. */
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
