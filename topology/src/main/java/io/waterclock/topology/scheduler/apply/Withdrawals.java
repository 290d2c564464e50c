package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Verdict;
import java.util.Optional;

/** What a change of a schedule means for its fires that wait for a limit. */
final class Withdrawals {
  /**
   * A note for the limiter.
   *
   * @param limit whose fires are concerned
   */
  record Withdrawal(LimitName limit, WaitingNote note) {}

  private Withdrawals() {}

  /** Empty if nothing that waits is concerned. A schedule that is complete lets its fires start. */
  static Optional<Withdrawal> of(ScheduleState before, Decision decision) {
    String name = before.current().schedule().getLimit();
    if (name == null) {
      return Optional.empty();
    }
    LimitName limit = new LimitName(name);
    if (decision.state().isEmpty()) {
      return decision.verdict().filter(Verdict.DELETED::equals).isPresent()
          ? Optional.of(new Withdrawal(limit, new WaitingNote.Withdrawn(MissedReason.DELETED)))
          : Optional.empty();
    }
    ScheduleState after = decision.state().get();
    if (after.isHeld() && !before.isHeld()) {
      return Optional.of(
          new Withdrawal(
              limit,
              new WaitingNote.Withdrawn(MissedReason.PAUSED, Optional.of(after.heldSince()))));
    }
    String next = after.current().schedule().getLimit();
    return name.equals(next)
        ? Optional.empty()
        : Optional.of(
            new Withdrawal(
                limit, new WaitingNote.Moved(Optional.ofNullable(next).map(LimitName::new))));
  }
}
