package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.MissedRange.Why;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.ResumeFire;
import io.waterclock.decide.model.Resumed;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.policy.CatchUpPolicy;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes Pause and Resume.
 *
 * <p>A pause wins over the occurrences that are undecided when it takes effect. Occurrences during
 * the pause stay undecided until its end, by a Resume, an edit or a delete, and are missed then. So
 * the cost of a pause does not depend on its length.
 *
 * <p>A Resume with FIRE_ONCE fires the last occurrence in the pause. The others are missed as
 * PAUSED, and the fire carries their number. So each is accounted for once.
 */
record Pausing(Timetables tables, Undecided undecided, CommandReplies replies) {
  /**
   * Executes a Pause. Of a Pause and a Resume, the later wins, in any order of reading; in a tie
   * between partitions the Pause wins. So a Pause from before the latest Resume acts until that
   * Resume, and is refused if it has no effect any more.
   *
   * @param written it takes effect then, unless the definition took effect later
   */
  Decision pause(ScheduleState before, PauseCommand command, Written written) {
    if (before.completedAt().isPresent()) {
      return replies.refused(
          before, "pause", "the schedule is complete, nothing is left to pause", "delete it");
    }
    Decision paused = hold(before, command, written);
    Optional<Resumed> later = resumedAfter(before, written);
    return later.isEmpty() || paused.verdict().equals(Optional.of(Verdict.EXECUTED))
        ? paused
        : replies.refused(
            paused.state().orElseThrow(),
            Verdict.CONFLICT,
            "pause",
            "was written at %s, and a resume at %s: the later one wins"
                .formatted(written.at(), later.get().at()),
            Optional.of("the command again"));
  }

  /**
   * Pauses until the latest Resume, if that is later. Changes nothing if another pause follows that
   * Resume, or its fire waits: then nothing from before it is undecided.
   */
  Decision hold(ScheduleState before, PauseCommand command, Written written) {
    Optional<Resumed> later = resumedAfter(before, written);
    if (later.isEmpty()) {
      return holdOn(before, command, written);
    }
    if (before.isHeld() || before.commanded().held().isPresent()) {
      return replies.unchanged(before);
    }
    Decision paused = holdOn(before, command, written);
    ScheduleState held = paused.state().orElseThrow();
    Decision both = paused.followedBy(resume(held, command(later.get()), later.get().at()));
    boolean isFelt =
        !both.missed().isEmpty()
            || both.state().orElseThrow().commanded().held().isPresent()
            || before.current().schedule().getPauseAfterFailures() != null;
    return isFelt ? both : replies.unchanged(before.with(both.state().orElseThrow().current()));
  }

  private static Optional<Resumed> resumedAfter(ScheduleState before, Written written) {
    return before.current().resumed().filter(resumed -> resumed.written().isAfter(written));
  }

  private Decision holdOn(ScheduleState before, PauseCommand command, Written written) {
    Instant since = Instants.later(written.at(), before.current().effectiveAt());
    Optional<Pause> earlier = before.commanded().pause();
    Pause ordered =
        new Pause(
            since,
            written,
            Optional.ofNullable(command.getNote()),
            Optional.ofNullable(command.getAuthor()),
            isAtWork(before, since));
    Pause pause = earlier.map(known -> known.and(ordered, command.getKeep())).orElse(ordered);
    CommandState commanded = before.commanded().paused(pause);
    if (earlier.filter(pause::showsAs).isPresent()) {
      return replies.unchanged(before.with(commanded));
    }
    if (before.isHeld()) {
      return replies.executed(before.with(commanded));
    }
    List<MissedRange> missed = undecided.writeOff(before, since, Why.paused(since));
    Instant decided =
        before.older().isEmpty() ? before.decidedThrough() : before.current().ownsAfter();
    return replies.executed(
        ScheduleState.of(before.id(), before.current(), decided, before.completedAt())
            .with(commanded)
            .with(before.runs())
            .decidedThrough(Instants.later(since, decided)),
        missed);
  }

  /** True when something other than an occurrence to come kept the schedule from its end. */
  private static boolean isAtWork(ScheduleState state, Instant at) {
    return state.commanded().hasFires()
        || state.runs().watches().isOpen(at)
        || !state.runs().areOverBefore(at);
  }

  /**
   * True for a definition that ends the pause of an earlier {@code enabled = false}, and requests a
   * fire for its occurrences. A Once in the pause fires anyway.
   */
  boolean firesOnceBy(Schedule definition, ScheduleState before) {
    return definition.getEnabled()
        && definition.getOnResume() == OnResume.FIRE_ONCE
        && before.isHeld()
        && before.commanded().pause().isEmpty()
        && !(before.current().schedule().getTrigger() instanceof OnceTrigger);
  }

  /**
   * Executes a Resume. Of a Resume and a Pause or a definition with {@code enabled = false}, the
   * later wins, in any order of reading. So the state remembers the Resume for what is read after
   * it. A Resume that is later than a Pause, but not than the definition, ends only the Pause.
   *
   * @param written it takes effect then, unless the definition took effect later
   */
  Decision resumeBy(ScheduleState before, ResumeCommand command, Written written) {
    Instant at = written.at();
    Optional<Decision> otherPause = otherPause(before, command);
    if (otherPause.isPresent()) {
      return otherPause.get();
    }
    Optional<Pause> pause = before.commanded().pause();
    if (pause.filter(known -> !written.isAfter(known.written())).isPresent()) {
      return replies.refused(
          before,
          Verdict.CONFLICT,
          "resume",
          "was written at %s, and the pause in force at %s: the later one stays in force"
              .formatted(at, pause.get().written().at()),
          Optional.of("the command again"));
    }
    boolean firesOnce = command.getOnResume() == OnResume.FIRE_ONCE;
    ScheduleState remembering =
        isVain(before, at)
            ? before
            : before.with(before.current().resumed(new Resumed(written, firesOnce)));
    Accepted current = before.current();
    if (current.enabled() || at.isAfter(current.declaredAt())) {
      return resume(remembering, command, at);
    }
    if (pause.isPresent()) {
      return replies.executed(remembering.with(before.commanded().resumed(false)));
    }
    if (!before.isHeld()) {
      return replies.unchanged(remembering);
    }
    return replies.refused(
        before,
        Verdict.CONFLICT,
        "resume",
        ("was written at %s, and the definition in force, which says \"enabled\":"
                + " false, at %s: the later one stays in force")
            .formatted(at, current.declaredAt()),
        Optional.of("the command again, or a definition with \"enabled\": true"));
  }

  /** True for a Resume of a schedule that was over, and that no pause held before. */
  private boolean isVain(ScheduleState state, Instant at) {
    return tables.canCompile(state.id(), state.current())
        && (state.isHeld()
            ? tables.isHeldInVain(state)
            : tables.isOver(state.id(), state.current(), at));
  }

  /** The refusal of a Resume that is for another pause. */
  private Optional<Decision> otherPause(ScheduleState before, ResumeCommand command) {
    Optional<String> expected = Optional.ofNullable(command.getExpectedNote());
    Optional<String> note = before.commanded().pause().flatMap(Pause::note);
    return expected.isEmpty() || expected.equals(note)
        ? Optional.empty()
        : Optional.of(
            replies.refused(
                before,
                Verdict.CONFLICT,
                "resume.expected_note",
                "is \"%s\", but %s"
                    .formatted(
                        expected.get(),
                        before.commanded().pause().isEmpty()
                            ? "no command pauses the schedule"
                            : "the pause has the note \"" + note.orElse("") + "\""),
                note));
  }

  /**
   * Applies the remembered Resume to a newly accepted definition with {@code enabled = false} and
   * an earlier timestamp.
   */
  Optional<Decision> overriding(ScheduleState state, ScheduleState before) {
    Accepted current = state.current();
    boolean isNew = !current.revision().equals(before.current().revision());
    if (!isNew || current.enabled() || state.commanded().pause().isPresent()) {
      return Optional.empty();
    }
    return current
        .resumed()
        .filter(resumed -> resumed.at().isAfter(current.declaredAt()))
        .map(resumed -> resume(state, command(resumed), resumed.at()));
  }

  /**
   * Applies a Pause that held nothing of the definition before to a newly accepted one that was
   * written no later than the Pause.
   */
  Optional<Decision> holding(ScheduleState state, ScheduleState before, Written definition) {
    return before
        .commanded()
        .pause()
        .filter(pause -> state.commanded().pause().isEmpty())
        .filter(pause -> !definition.isAfter(pause.written()))
        .map(pause -> holdOn(state, command(pause), pause.written()));
  }

  private static PauseCommand command(Pause pause) {
    return new PauseCommand(pause.note().orElse(null), pause.author().orElse(null), false);
  }

  private static ResumeCommand command(Resumed resumed) {
    OnResume onResume = resumed.firesOnce() ? OnResume.FIRE_ONCE : OnResume.NOTHING;
    return ResumeCommand.newBuilder().setOnResume(onResume).build();
  }

  /**
   * @param at when it takes effect, unless the pause or the definition took effect later
   */
  Decision resume(ScheduleState before, ResumeCommand command, Instant at) {
    if (!before.isHeld()) {
      return replies.unchanged(before);
    }
    Instant until = Instants.later(at, before.current().effectiveAt());
    Optional<Pause> pause = before.commanded().pause();
    if (pause.isPresent()) {
      until = Instants.later(until, pause.get().since());
    }
    ScheduleState resumed =
        before
            .faulted(Optional.empty())
            .with(before.commanded().resumed(!before.current().enabled()))
            .with(before.current().with(before.current().past().heldUntil(at)))
            .with(
                before
                    .runs()
                    .resumed(before.current(), Instants.earlier(before.decidedThrough(), until)));
    if (command.getOnResume() == OnResume.FIRE_ONCE) {
      Optional<Decision> firing = fireOnce(before, resumed, until);
      if (firing.isPresent()) {
        return firing.get();
      }
    }
    boolean firesLate = CatchUpPolicy.of(before.current().schedule()).firesMissed();
    if (firesLate && undecided.isHeldOnce(before, until)) {
      return replies.executed(resumed);
    }
    return replies.executed(
        resumed.decidedThrough(Instants.later(until, before.decidedThrough())),
        undecided.writeOff(before, until, Why.paused(before.heldSince())));
  }

  /** Empty when no occurrence in the pause can fire, or there are too many to search. */
  private Optional<Decision> fireOnce(ScheduleState before, ScheduleState resumed, Instant until) {
    Accepted current = before.current();
    Timetable table = tables.of(before.id(), current);
    Optional<Instant> first = table.nextAfter(before.decidedThrough()).map(Occurrence::at);
    Optional<Instant> last = table.lastOwned(until);
    if (first.isEmpty() || last.isEmpty() || last.get().isBefore(first.get())) {
      return Optional.empty();
    }
    Undecided.Cut cut = undecided.cut(before.commanded(), current, table, first.get(), last.get());
    Optional<Instant> fired = cut.isWhole() ? cut.lastToFire() : Optional.empty();
    if (fired.isEmpty()) {
      return Optional.empty();
    }
    List<MissedRange> missed = new ArrayList<>();
    Instant decided = before.decidedThrough();
    if (fired.get().isAfter(first.get())) {
      decided = table.previous(fired.get()).orElseThrow();
      undecided.stretches(before.commanded(), current, table, first.get(), decided).stream()
          .map(stretch -> stretch.missed(current.revision(), Why.paused(before.heldSince())))
          .forEach(missed::add);
    }
    ResumeFire held = new ResumeFire(fired.get(), until, others(missed));
    ScheduleState after = resumed.decidedThrough(decided);
    return Optional.of(
        replies.executed(after.with(after.commanded().holding(Optional.of(held))), missed));
  }

  private static Optional<FirePlan.CollapsedRange> others(List<MissedRange> missed) {
    List<MissedRange> held =
        missed.stream().filter(range -> range.reason() == MissedReason.PAUSED).toList();
    return held.stream()
        .findFirst()
        .map(
            first ->
                new FirePlan.CollapsedRange(
                    held.stream().mapToLong(MissedRange::count).sum(),
                    held.stream().allMatch(MissedRange::exact),
                    first.first()));
  }
}
