package io.waterclock.decide;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Failing;
import io.waterclock.decide.model.Failures;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.model.Written;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.SafeText;
import java.time.Instant;
import java.util.Optional;

/**
 * Applies workers' reports of outcomes: a report may end a run, pause the schedule, or show that
 * its fires fail. Reading a report again changes nothing. The success of a schedule that neither
 * has failed lately nor has asked for reports changes nothing, and costs no search.
 *
 * <p>Fires are not stored, so the occurrence shows whether a report belongs to a real fire: it lies
 * in this life of the schedule, is decided, and is an occurrence of the owning revision, if the
 * state still has that revision.
 */
record Reports(Timetables tables, Undecided undecided, Pausing pausing, int failingAfter) {
  private static final String AUTHOR = "waterclock";

  /** True while the pause is one that failed fires have caused, and no person another. */
  static boolean isPausedByFailures(ScheduleState state) {
    return state.commanded().pause().flatMap(Pause::author).filter(AUTHOR::equals).isPresent()
        && (state.current().enabled() || state.commanded().resumed());
  }

  /** The decision has the same state object when the report changes nothing. */
  Decision report(ScheduleState before, Event.Reported report, Instant now) {
    Integer most = before.current().schedule().getPauseAfterFailures();
    if (beginsWhatIsOver(before, report, report.effectiveBy(now))) {
      return Decision.of(before, undecided.pending(before));
    }
    Runs runs = before.runs().reported(report, counting(before, report), now);
    if (runs.equals(before.runs())) {
      return Decision.of(before, undecided.pending(before));
    }
    if (before.completedAt().isPresent()) { // an edit may go on
      return announced(before, Decision.of(before.with(runs), Optional.empty()));
    }
    ScheduleState after = undecided.settle(before.with(runs));
    boolean failedMore = runs.failures().count() > before.runs().failures().count();
    if (most != null && failedMore && runs.failures().count() >= most) {
      PauseCommand pause = new PauseCommand(note(runs.failures(), report), AUTHOR, false);
      Instant at = Instants.later(report.effectiveBy(now), last(runs.failures()));
      return pausing.hold(after, pause, new Written(at, report.record()));
    }
    return announced(before, Decision.of(after, undecided.pending(after)));
  }

  /** The decision has the same state object when the fire is no run that waits. */
  Decision waited(ScheduleState before, Event.Waited waited) {
    Runs runs = before.runs().waited(waited);
    if (runs.equals(before.runs())) {
      return Decision.of(before, undecided.pending(before));
    }
    if (before.completedAt().isPresent()) {
      return Decision.of(before.with(runs), Optional.empty());
    }
    ScheduleState after = undecided.settle(before.with(runs));
    return Decision.of(after, undecided.pending(after));
  }

  /** The status says when a schedule begins to fail, goes on failing, and succeeds again. */
  private Decision announced(ScheduleState before, Decision decision) {
    ScheduleState after = decision.state().orElseThrow();
    Optional<Failing> known = before.runs().failures().failing();
    Optional<Failing> failing = after.runs().failures().failing();
    boolean isNews =
        known.isPresent() != failing.isPresent()
            || (!failing.equals(known)
                && failing.filter(it -> it.isNews(Math.max(1, failingAfter))).isPresent());
    return isNews ? decision.withStatus(Optional.of(after.life())) : decision;
  }

  /**
   * Empty for a report that counts neither as a failure nor as a success. Fires of a Once are no
   * row; those of a complete schedule are over. In a pause nothing counts for another one.
   */
  private Optional<Failures.Counting> counting(ScheduleState state, Event.Reported report) {
    boolean pauses = state.current().schedule().getPauseAfterFailures() != null;
    boolean mayFail =
        failingAfter > 0
            && report.outcome() == OutcomeState.FAILED
            && state.completedAt().isEmpty()
            && !(state.current().schedule().getTrigger() instanceof OnceTrigger);
    boolean mayEnd =
        report.outcome() == OutcomeState.SUCCEEDED
            && !state.runs().failures().equals(Failures.NONE);
    return (pauses ? !state.isHeld() : mayFail || mayEnd) && counts(state, report.occurrence())
        ? Optional.of(new Failures.Counting(pauses, failingAfter))
        : Optional.empty();
  }

  /**
   * True for a start from after the time-out of its run, when another occurrence was due: a
   * scheduler that is up has decided that one by then.
   */
  private boolean beginsWhatIsOver(ScheduleState state, Event.Reported report, Instant written) {
    return report.outcome() == OutcomeState.STARTED
        && state
            .runs()
            .latest()
            .filter(run -> run.at().equals(report.occurrence()) && !run.ended())
            .filter(run -> !written.isBefore(run.endsAt()))
            .isPresent()
        && undecided
            .firstOfHead(undecided.settle(state))
            .filter(next -> !next.due().isAfter(written))
            .isPresent();
  }

  /** The reports may be read in any order: the last run that failed was reported after it began. */
  private static Instant last(Failures failures) {
    return failures.failed().get(failures.count() - 1);
  }

  /** Costs one search of the trigger. */
  private boolean counts(ScheduleState state, Instant at) {
    Instant after = state.runs().failures().after().orElse(state.current().ownsAfter());
    return at.isAfter(after)
        && !at.isAfter(state.decidedThrough())
        && (!tables.canCompile(state) || isNamed(undecided.settle(state), at));
  }

  /** False for an instant between the occurrences of the revision that owns it. */
  private boolean isNamed(ScheduleState settled, Instant at) {
    ScheduleState rest = settled;
    while (!rest.headOwns(at)) {
      if (rest.older().isEmpty()) {
        return true; // the state no longer has the owning revision
      }
      rest = rest.withoutHead();
    }
    return tables.of(rest.id(), rest.head()).isOccurrence(at);
  }

  private static String note(Failures failures, Event.Reported report) {
    String error =
        report.error().map(text -> ": " + SafeText.cut(text, Failing.LONGEST_ERROR)).orElse("");
    return failures.count() == 1
        ? "paused after a failed fire, that of " + report.occurrence() + error
        : "paused after %s failed fires in a row, the last reported that of %s%s"
            .formatted(failures.count(), report.occurrence(), error);
  }
}
