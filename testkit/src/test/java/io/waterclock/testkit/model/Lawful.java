package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Overlap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether an outcome could be right, whatever the scheduler had time for: the rules that hold for
 * one outcome at a time.
 */
final class Lawful {
  private final long nowMs;
  private final List<Outcome> all;
  private final Map<String, Long> lastFired = new HashMap<>();

  /**
   * @param all the outcomes of the step
   */
  Lawful(List<Outcome> all, long nowMs) {
    this.all = all;
    this.nowMs = nowMs;
  }

  /** What is wrong with it. */
  Optional<String> judge(ScheduleModel life, Outcome outcome) {
    Optional<RevisionModel> owner = life.owner(outcome.at());
    if (owner.isEmpty()) {
      return Optional.of("no revision owns it undecided");
    }
    return outcome instanceof Outcome.Fired fire
        ? fired(life, owner.get(), fire)
        : lost(life, owner.get(), (Outcome.Lost) outcome);
  }

  private Optional<String> fired(ScheduleModel life, RevisionModel owner, Outcome.Fired fire) {
    boolean collapses = owner.schedule.getCatchUp() == CatchUp.COLLAPSE;
    boolean byOwner = fire.revision().equals(owner.name);
    if (owner.leftOut(fire.at())) {
      return Optional.of("should be left out");
    }
    Optional<CommandedModel.Held> held =
        life.commanded.held.filter(order -> order.at() == fire.at());
    if (held.isPresent()) {
      life.commanded.held = Optional.empty();
      boolean right = byOwner && fire.group().equals(held.get().group());
      return right ? Optional.empty() : Optional.of("not as the resume has ordered it: " + held);
    }
    if (!byOwner && !(collapses && fire.revision().equals(life.current().name))) {
      return Optional.of("not fired by its owner " + owner.name);
    }
    if (fire.due() != owner.dueMs(fire.at())) {
      return Optional.of("due at another time");
    }
    boolean catchUp = owner.isLate(fire.at(), nowMs) || fire.group().isPresent();
    if (fire.cause() != (catchUp ? Cause.CATCH_UP : Cause.SCHEDULED)) {
      return Optional.of("another cause");
    }
    if (fire.group().isPresent() && (!collapses || fire.group().get().count() < 1)) {
      return Optional.of("stands for others without reason");
    }
    if (owner.schedule.getCatchUp() == CatchUp.SKIP
        && owner.isLate(fire.at(), nowMs)
        && !wasHeldBack(life, owner, fire.at())) {
      return Optional.of("should be left out");
    }
    Long before = lastFired.put(fire.id(), fire.at());
    boolean inOrder = before == null || before < fire.at() || owner.isOnce();
    return inOrder ? overlapping(life, owner, fire) : Optional.of("out of order");
  }

  private boolean wasHeldBack(ScheduleModel life, RevisionModel owner, long at) {
    return owner.schedule.getOverlap() == Overlap.BUFFER_ONE
        && life.runs
            .before(owner.schedule, owner.dueMs(at))
            .filter(run -> nowMs - run.end() <= owner.schedule.getGraceMs())
            .isPresent();
  }

  private Optional<String> overlapping(
      ScheduleModel life, RevisionModel owner, Outcome.Fired fire) {
    Optional<RunsModel.Run> run = life.runs.before(owner.schedule, fire.due());
    if (run.isEmpty()) {
      return Optional.empty();
    }
    if (run.get().end() > nowMs) {
      return Optional.of("fired while the fire of another occurrence ran");
    }
    boolean isMissed =
        owner.schedule.getOverlap() == Overlap.SKIP
            && owner.schedule.getCatchUp() != CatchUp.REPLAY
            && run.get().covers(owner.schedule, fire.due())
            && fire.group().filter(group -> group.first() < run.get().firedAt()).isEmpty();
    return isMissed
        ? Optional.of("came due while the fire of another occurrence ran")
        : Optional.empty();
  }

  private Optional<String> lost(ScheduleModel life, RevisionModel owner, Outcome.Lost lost) {
    if (!lost.revision().equals(owner.name)) {
      return Optional.of("owned by " + owner.name);
    }
    if (owner.dueMs(lost.at()) > nowMs) {
      return Optional.of("not due yet");
    }
    boolean late = owner.isLate(lost.at(), nowMs);
    CatchUp policy = owner.schedule.getCatchUp();
    boolean right =
        switch (lost.reason()) {
          case SKIPPED -> owner.leftOut(lost.at());
          case GRACE -> policy == CatchUp.SKIP && late;
          case OUT_OF_WINDOW -> policy == CatchUp.REPLAY && late;
          case OVERLAP ->
              owner.schedule.getOverlap() != Overlap.ALLOW
                  && life.runs.mayHaveRunAt(owner.schedule, owner.dueMs(lost.at()));
          case COLLAPSED_INTO -> policy == CatchUp.COLLAPSE && isFired(lost);
          default -> false;
        };
    return right ? Optional.empty() : Optional.of("without reason");
  }

  private boolean isFired(Outcome.Lost lost) {
    return all.stream()
        .anyMatch(
            other ->
                other instanceof Outcome.Fired fire
                    && fire.id().equals(lost.id())
                    && Optional.of(fire.at()).equals(lost.into()));
  }
}
