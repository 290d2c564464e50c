package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What is known of the runs of a schedule's fires. Instants are epoch milliseconds. */
final class RunsModel {
  /** What a worker says of the fire of an occurrence. */
  record Report(long at, OutcomeState state, Optional<Long> startedAt) {}

  /**
   * @param due when it would have begun if all fires had been in time
   * @param end what is due before it came due while the fire ran
   */
  record Run(long at, long due, long firedAt, long timeout, long end, boolean isOver) {
    /**
     * True for what would have come due while it ran if all fires had been in time or, without a
     * replay, while it ran.
     */
    boolean covers(Schedule owner, long other) {
      boolean inTime = other < due + (end - firedAt);
      boolean replays = owner.getCatchUp() == CatchUp.REPLAY;
      return other < end && (inTime || (other >= firedAt && !replays));
    }

    /** When it is known whether that holds. */
    long knownAt(Schedule owner, long other) {
      if (owner.getOverlap() == Overlap.BUFFER_ONE || other < firedAt) {
        return end;
      }
      return owner.getCatchUp() == CatchUp.REPLAY ? Math.min(end, other - due + firedAt) : other;
    }
  }

  Optional<Run> run = Optional.empty();
  private final List<Long> fires = new ArrayList<>();
  private final List<Run> ofStep = new ArrayList<>();
  private final TreeSet<Long> failed = new TreeSet<>();
  private long forgivenThrough = Long.MIN_VALUE;
  private boolean isNoted;
  private boolean isUnsure;

  /**
   * A fire by this definition; what says nothing of its time-out does not occur in the traces.
   *
   * @param dueMs when it was due or, if later, was ordered
   */
  void fired(Schedule by, long at, long dueMs, long nowMs) {
    fires.add(at);
    long afterRun = run.map(r -> r.due() + r.end() - r.firedAt()).orElse(dueMs);
    long due = Math.min(nowMs, Math.max(dueMs, afterRun));
    Long timeout = by.getTimeoutMs();
    run =
        by.getOverlap() == Overlap.ALLOW || timeout == null
            ? Optional.empty()
            : Optional.of(new Run(at, due, nowMs, timeout, nowMs + timeout, false));
    noteEnd();
  }

  /** The run before whose end something is due, where the definition minds. */
  Optional<Run> before(Schedule owner, long due) {
    return owner.getOverlap() == Overlap.ALLOW
        ? Optional.empty()
        : run.filter(latest -> due < latest.end());
  }

  void reported(Report report, long writtenMs, long nowMs) {
    if (run.isEmpty() || run.get().isOver() || run.get().at() != report.at()) {
      return;
    }
    Run r = run.get();
    boolean started = report.state() == OutcomeState.STARTED;
    long said = started ? report.startedAt().orElse(writtenMs) : writtenMs;
    long sane = Math.max(r.firedAt(), Math.min(said, nowMs));
    long end = started ? Math.max(r.end(), sane + r.timeout()) : Math.min(r.end(), sane);
    run = Optional.of(new Run(r.at(), r.due(), r.firedAt(), r.timeout(), end, !started));
    noteEnd();
  }

  /**
   * Takes note of what failed and what did not.
   *
   * @return true when one more has failed, and so many in a row
   */
  boolean fails(Report report, int most) {
    if (report.at() <= forgivenThrough) {
      return false;
    }
    if (report.state() == OutcomeState.SUCCEEDED) {
      forgive(report.at());
      return false;
    }
    boolean more = report.state() == OutcomeState.FAILED && failed.add(report.at());
    return more && failed.size() >= most;
  }

  /** The latest occurrence that has failed. */
  long lastFailed() {
    return failed.last();
  }

  /** A definition is the first that asks for failures, of what it owns after an instant. */
  void countAfter(long ms) {
    forgivenThrough = ms;
  }

  /** A definition that asks for failures replaces another: what counts must be stored now. */
  void note() {
    isNoted = true;
  }

  /** The reference does not know whether the watchdog has forgotten all failures. */
  void mayBeForgotten() {
    isUnsure = true;
  }

  /** True when the reference does not know which failures count. */
  boolean isUnsure() {
    return isUnsure;
  }

  /** The occurrences that fired, in their order. */
  List<Long> fires() {
    return fires;
  }

  void beginStep() {
    ofStep.clear();
    noteEnd();
  }

  private void noteEnd() {
    run.ifPresent(ofStep::add);
  }

  /** True when a fire may have run at some time of the step when something due then came due. */
  boolean mayHaveRunAt(Schedule owner, long due) {
    return ofStep.stream().anyMatch(r -> r.covers(owner, due));
  }

  /** Nothing up to an instant, inclusive, counts any more. */
  void forgive(long throughMs) {
    forgivenThrough = Math.max(forgivenThrough, throughMs);
    failed.headSet(forgivenThrough, true).clear();
    note();
  }

  void forgetFailures() {
    failed.clear();
    forgivenThrough = Long.MIN_VALUE;
    isNoted = false;
    isUnsure = false;
  }

  /** True when a progress record may be kept for nothing else. */
  boolean isAny() {
    return run.isPresent() || isNoted || !failed.isEmpty();
  }
}
