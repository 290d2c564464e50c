package io.waterclock.cli.moving;

import io.waterclock.cli.source.EngineFailure;
import io.waterclock.cli.source.LeftBehind;
import io.waterclock.cli.source.MovedSchedule;
import io.waterclock.cli.source.Moving;
import io.waterclock.cli.source.Proof;
import io.waterclock.cli.source.Proof.Difference;
import io.waterclock.cli.source.Proof.Reason;
import io.waterclock.cli.source.SourceEngine;
import io.waterclock.occurrences.core.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of a source, for people.
 *
 * @param complete whether everything was moved, and everything compared is explained
 */
record MovingReport(List<String> lines, boolean complete) {
  private static final int SHOWN = 5;

  /**
   * @param occurrences how many to compare, if any
   * @param loader of the other scheduler's library
   */
  static MovingReport of(
      Moving moving, Optional<Integer> occurrences, Instant now, ClassLoader loader) {
    List<String> lines = new ArrayList<>();
    int moved = moving.schedules().size();
    int left = moving.leftBehind().size();
    int leftOut = moving.schedules().stream().mapToInt(MovedSchedule::leftOut).sum();
    lines.add(
        "%s moved, %d left behind%s."
            .formatted(
                Words.number(moved, "schedule"),
                left,
                leftOut == 0 ? "" : ", %d fields of those moved left out".formatted(leftOut)));
    for (LeftBehind one : moving.leftBehind()) {
      lines.add("left behind: " + one.what());
      lines.add("  " + one.why());
    }
    for (MovedSchedule schedule : moving.schedules()) {
      schedule.notes().forEach(note -> lines.add(schedule.id() + ": " + note));
    }
    boolean proven = true;
    if (occurrences.isPresent()) {
      for (MovedSchedule schedule : moving.schedules()) {
        proven &= prove(schedule, occurrences.get(), now, loader, lines);
      }
    }
    return new MovingReport(lines, left == 0 && proven);
  }

  private static boolean prove(
      MovedSchedule schedule, int count, Instant now, ClassLoader loader, List<String> lines) {
    if (schedule.source().isEmpty()) {
      lines.add("proof: " + schedule.id() + ": there is no library to compare it with.");
      return true;
    }
    SourceEngine engine = schedule.source().get().engine();
    if (!engine.isIn(loader)) {
      lines.add(
          "proof: %s: not compared; name the jar of %s with --jars."
              .formatted(schedule.id(), engine.library()));
      return false;
    }
    try {
      Proof proof = Proof.of(schedule, now, count, loader);
      lines.add(
          proof.agreed() == 0 && proof.differences().isEmpty()
              ? "proof: %s: nothing to compare, as neither side occurs after %s."
                  .formatted(schedule.id(), now)
              : "proof: %s: %d occurrences up to %s are the same, %d differ."
                  .formatted(
                      schedule.id(), proof.agreed(), proof.through(), proof.differences().size()));
      differences(proof, lines);
      return proof.holds();
    } catch (EngineFailure e) {
      lines.add("proof: " + schedule.id() + ": " + e.getMessage());
      return false;
    }
  }

  private static void differences(Proof proof, List<String> lines) {
    Map<Reason, List<Difference>> byReason = new EnumMap<>(Reason.class);
    for (Difference one : proof.differences()) {
      byReason.computeIfAbsent(one.reason(), reason -> new ArrayList<>()).add(one);
    }
    byReason.forEach(
        (reason, all) -> {
          lines.add("  %d: %s".formatted(all.size(), reason.words()));
          all.stream()
              .limit(reason == Reason.UNKNOWN ? all.size() : SHOWN)
              .forEach(
                  one ->
                      lines.add("    " + one.at() + (one.ours() ? " only here" : " only there")));
          if (reason != Reason.UNKNOWN && all.size() > SHOWN) {
            lines.add("    and " + (all.size() - SHOWN) + " more");
          }
        });
  }
}
