package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Overlap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A tick that has time for everything due of one schedule: the rules, one occurrence at a time. */
final class TickModel {
  private final ScheduleModel life;
  private final long nowMs;
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<Lot> carried = new ArrayList<>();

  /** An occurrence of a revision. */
  private record Lot(RevisionModel revision, long at) {}

  TickModel(ScheduleModel life, long nowMs) {
    this.life = life;
    this.nowMs = nowMs;
  }

  List<Outcome> run() {
    for (Optional<RevisionModel> head = life.head(); head.isPresent(); head = life.head()) {
      List<Long> due = due(head.get());
      boolean isDue = !due.isEmpty() && !life.waits(head.get(), due.get(0), nowMs);
      if (!carried.isEmpty() && !(isDue && joins(head.get(), due.get(0)))) {
        fireCarried();
      } else if (isDue) {
        decide(head.get(), due);
      } else {
        return outcomes;
      }
    }
    fireCarried();
    return outcomes;
  }

  private List<Long> due(RevisionModel r) {
    return r.undecidedThrough(nowMs).stream().filter(at -> r.dueMs(at) <= nowMs).toList();
  }

  /** What older revisions have missed goes into the next fire that collapses. */
  private boolean joins(RevisionModel r, long at) {
    boolean firesAlone =
        life.isReplayed(r, at)
            || life.isOrdered(at)
            || (r.schedule.getOverlap() == Overlap.BUFFER_ONE && overlapped(r, at).isPresent());
    if (firesAlone) {
      return false;
    }
    return switch (r.schedule.getCatchUp()) {
      case COLLAPSE -> true;
      case SKIP -> r.isLate(at, nowMs);
      case REPLAY -> false;
    };
  }

  private void decide(RevisionModel r, List<Long> due) {
    long at = due.get(0);
    Optional<RunsModel.Run> run = overlapped(r, at);
    boolean firesInAnyCase = life.isReplayed(r, at) || life.isOrdered(at);
    if (r.leftOut(at)) {
      lose(r, at, MissedReason.SKIPPED);
    } else if (run.isPresent() && r.schedule.getOverlap() != Overlap.BUFFER_ONE) {
      lose(r, at, MissedReason.OVERLAP);
    } else if (run.isPresent()) {
      fireAlone(r, at);
      loseOverlapping(run.get());
    } else if (firesInAnyCase || (carried.isEmpty() && !r.isLate(at, nowMs))) {
      fireAlone(r, at);
    } else {
      catchUp(r, due);
    }
  }

  /** The run for whose sake it is missed or was held back, if that ended not too long ago. */
  private Optional<RunsModel.Run> overlapped(RevisionModel r, long at) {
    return life.runs
        .before(r.schedule, r.dueMs(at))
        .filter(run -> isSubject(r, at, run))
        .filter(
            run ->
                r.schedule.getOverlap() != Overlap.BUFFER_ONE
                    || isWithinReplay(r, at)
                    || nowMs - run.end() <= r.schedule.getGraceMs());
  }

  private boolean isWithinReplay(RevisionModel r, long at) {
    Long window = r.schedule.getCatchUpWindowMs();
    return r.schedule.getCatchUp() == CatchUp.REPLAY
        && (window == null || nowMs - r.dueMs(at) <= window);
  }

  private boolean isSubject(RevisionModel r, long at, RunsModel.Run run) {
    long due = r.dueMs(at);
    return run.covers(r.schedule, due)
        && run.knownAt(r.schedule, due) <= nowMs
        && !life.isOrdered(at);
  }

  /** All but the one that was held back. */
  private void loseOverlapping(RunsModel.Run run) {
    while (true) {
      Optional<RevisionModel> head = life.head();
      if (head.isEmpty() || head.get().schedule.getOverlap() == Overlap.ALLOW) {
        return;
      }
      RevisionModel r = head.get();
      List<Long> rest = due(r);
      if (rest.isEmpty() || !isSubject(r, rest.get(0), run)) {
        return;
      }
      lose(r, rest.get(0), MissedReason.OVERLAP);
    }
  }

  private void catchUp(RevisionModel r, List<Long> due) {
    switch (r.schedule.getCatchUp()) {
      case SKIP ->
          due.stream()
              .filter(at -> r.isLate(at, nowMs))
              .forEach(at -> lose(r, at, MissedReason.GRACE));
      case REPLAY -> beginReplay(r, due);
      case COLLAPSE -> {
        boolean some = false;
        for (long at : due) {
          if (r.leftOut(at)) {
            lose(r, at, MissedReason.SKIPPED);
          } else {
            some = true;
            carried.add(new Lot(r, at));
            r.decided.add(at);
          }
        }
        if (r == life.current() && some) {
          fireCarried();
        }
      }
    }
  }

  private void beginReplay(RevisionModel r, List<Long> due) {
    long late = due.stream().filter(at -> r.isLate(at, nowMs) && !r.leftOut(at)).count();
    for (long at : due) {
      Long window = r.schedule.getCatchUpWindowMs();
      boolean tooOld = window != null && nowMs - r.dueMs(at) > window;
      boolean tooMany = late > r.schedule.getMaxReplay();
      if (!r.isLate(at, nowMs) || !(tooOld || tooMany)) {
        break;
      }
      late -= r.leftOut(at) ? 0 : 1;
      lose(r, at, MissedReason.OUT_OF_WINDOW);
    }
    r.replayThrough = due.get(due.size() - 1);
  }

  private void fireAlone(RevisionModel r, long at) {
    long dueMs = Math.max(r.dueMs(at), life.orderedMs(at));
    Optional<Outcome.Group> group = life.takeOrdered(at);
    Cause cause = group.isPresent() || r.isLate(at, nowMs) ? Cause.CATCH_UP : Cause.SCHEDULED;
    fire(r, r, at, dueMs, cause, group);
  }

  /** One fire of the newest revision for all that is carried, its last occurrence. */
  private void fireCarried() {
    if (carried.isEmpty()) {
      return;
    }
    Lot last = carried.remove(carried.size() - 1);
    for (Lot lot : carried) {
      outcomes.add(
          life.lost(lot.revision(), lot.at(), MissedReason.COLLAPSED_INTO, Optional.of(last.at())));
    }
    Optional<Outcome.Group> group =
        carried.stream().findFirst().map(first -> new Outcome.Group(carried.size(), first.at()));
    boolean isLate = last.revision().isLate(last.at(), nowMs);
    Cause cause = group.isPresent() || isLate ? Cause.CATCH_UP : Cause.SCHEDULED;
    fire(
        life.current(), last.revision(), last.at(), last.revision().dueMs(last.at()), cause, group);
    carried.clear();
  }

  private void fire(
      RevisionModel by,
      RevisionModel owner,
      long at,
      long dueMs,
      Cause cause,
      Optional<Outcome.Group> group) {
    owner.decided.add(at);
    life.runs.fired(by.schedule, at, dueMs, nowMs);
    outcomes.add(new Outcome.Fired(life.id(), by.name, at, owner.dueMs(at), nowMs, cause, group));
  }

  private void lose(RevisionModel r, long at, MissedReason reason) {
    outcomes.add(life.lost(r, at, reason, Optional.empty()));
    r.decided.add(at);
  }
}
