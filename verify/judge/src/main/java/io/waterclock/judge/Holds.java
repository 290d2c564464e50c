package io.waterclock.judge;

import static io.waterclock.judge.Dossier.COMMANDS_KEPT;
import static io.waterclock.judge.Dossier.HOUR;
import static io.waterclock.judge.Dossier.at;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The pauses of a schedule by commands, as far as a scheduler may have read them. */
final class Holds {
  /** Within which all that was written is known, at the end of a history. */
  private static final long SETTLED_MS = 60_000;

  private final Dossier dossier;
  private final WayHome way;
  private final long deliveryMs;
  private final List<Hold> all = new ArrayList<>();

  /**
   * A pause by command.
   *
   * @param toMs when a command or a new life may have ended it
   * @param knownMs by when a command has surely ended it; never if none surely has
   * @param isSure whether a scheduler must have read it before retention removed it
   * @param mayLast whether no resume must have been read
   */
  private record Hold(
      Entry<String> pause, long toMs, long knownMs, boolean isSure, boolean mayLast) {
    long fromMs() {
      return pause.visibleMs();
    }

    long pausedMs() {
      return pause.timestampMs();
    }

    /** Whether it is in force at the end. */
    boolean lasts(boolean isPaused) {
      return (isSure && toMs == Long.MAX_VALUE) || (mayLast && isPaused);
    }
  }

  Holds(Dossier dossier) {
    this.dossier = dossier;
    this.way = dossier.way;
    this.deliveryMs = dossier.terms.patience().deliveryMs();
    for (Entry<String> pause : dossier.orders.pauses()) {
      if (!way.mayBeRead(pause, COMMANDS_KEPT)) {
        continue;
      }
      long to = Long.MAX_VALUE;
      long known = Long.MAX_VALUE;
      boolean mayLast = true;
      for (Entry<String> resume : dossier.orders.resumes()) {
        if (!pause.isAfter(resume)) {
          to = Math.min(to, resume.appendedMs());
        }
        if (resume.isAfter(pause)) {
          boolean isRead = isSurelyRead(resume);
          mayLast &= !isRead;
          known = isRead ? Math.min(known, way.knownMs(resume).orElse(known)) : known;
        }
      }
      all.add(new Hold(pause, to, known, isSurelyRead(pause), mayLast));
    }
  }

  private boolean isSurelyRead(Entry<String> command) {
    return way.isSurelyRead(command, COMMANDS_KEPT - HOUR);
  }

  private boolean isPausedAtEnd() {
    return dossier.evidence.isPaused(dossier.id);
  }

  /** Since when the revision is held at the end; never if it is not. */
  long heldSince(Revised it) {
    return it.definition.enabled()
        ? all.stream()
            .filter(hold -> hold.lasts(isPausedAtEnd()))
            .mapToLong(hold -> hold.pausedMs() - 1)
            .min()
            .orElse(Long.MAX_VALUE)
        : Long.MIN_VALUE;
  }

  /** A pause that has not ended holds what was undecided when it came. */
  boolean isHeldSinceBefore(long dueMs) {
    long promptMs = dueMs + Dossier.PROMPT_MS;
    return all.stream()
        .anyMatch(
            hold ->
                hold.lasts(isPausedAtEnd())
                    && (promptMs > hold.fromMs()
                        || !dossier.terms.health().covers(way.home(), dueMs, promptMs)));
  }

  /** Whether anything may have held an occurrence back that was decided at some time. */
  boolean mayHaveHeld() {
    return !all.isEmpty() || dossier.revised.stream().anyMatch(it -> !it.definition.enabled());
  }

  /** Whether a pause may have come before a time. */
  boolean mayHaveHeldBefore(long ms) {
    return all.stream().anyMatch(hold -> hold.fromMs() <= ms);
  }

  /** Whether a pause may have held an occurrence that was missed for its sake. */
  boolean mayHold(DecidedOccurrence missed) {
    long aheadMs = dossier.terms.aheadMs();
    return dossier.revised.stream().anyMatch(it -> !it.definition.enabled())
        || all.stream()
            .anyMatch(
                hold ->
                    hold.pausedMs() <= missed.decidedMs() + aheadMs
                        && missed.nominalMs()
                            <= Math.min(hold.knownMs(), Long.MAX_VALUE - aheadMs) + aheadMs);
  }

  /** What is paused does not fire. */
  void judge() {
    for (Hold hold : all) {
      long beforeMs = hold.pausedMs() - dossier.terms.aheadMs();
      Optional<Revised> inForce =
          dossier.revised.stream()
              .filter(
                  it ->
                      Math.max(it.beganMs, it.record.visibleMs()) < beforeMs
                          && it.endedMs().orElse(Long.MAX_VALUE) > hold.pausedMs()
                          && (it.endedBy.isEmpty() || !it.isDeleted))
              .reduce((a, b) -> b);
      boolean resumedShortlyBefore =
          dossier.orders.resumes().stream()
              .anyMatch(other -> Math.abs(other.timestampMs() - hold.pausedMs()) < deliveryMs);
      if (!hold.isSure() || inForce.isEmpty() || resumedShortlyBefore) {
        continue;
      }
      for (DecidedOccurrence decision : dossier.all()) {
        if (decision.isFired()
            && decision.revision().equals(inForce.get().name)
            && decision.appendedMs() > hold.fromMs() + deliveryMs
            && (!way.isStray(hold.pause()) || way.isKnown(hold.pause(), decision.decidedMs()))
            && decision.appendedMs() < hold.toMs()) {
          dossier.found(
              Finding.Kind.FORBIDDEN,
              decision.nominalMs(),
              "fired at %s, and a command has paused it since %s",
              at(decision.appendedMs()),
              at(hold.fromMs()));
        }
      }
    }
    pausedAtEnd();
  }

  /**
   * Of the pauses and resumes since the last definition the latest is in force, once all are read.
   */
  private void pausedAtEnd() {
    List<Entry<String>> pauses = dossier.orders.pauses();
    List<Entry<String>> both =
        Stream.concat(pauses.stream(), dossier.orders.resumes().stream()).toList();
    Optional<Entry<String>> last =
        both.stream()
            .filter(it -> both.stream().allMatch(other -> other.equals(it) || it.isAfter(other)))
            .findFirst();
    if (last.isEmpty() || dossier.revised.isEmpty() || !dossier.evidence.hasStatus(dossier.id)) {
      return;
    }
    Revised inForce = dossier.revised.get(dossier.revised.size() - 1);
    boolean isSettled =
        inForce.ended.isEmpty()
            && inForce.endedBy.isEmpty()
            && inForce.definition.enabled()
            && !inForce.isOnce()
            && Math.max(inForce.beganMs, inForce.record.timestampMs())
                < last.get().timestampMs() - deliveryMs
            && last.get().appendedMs() < dossier.terms.endMs() - SETTLED_MS
            && both.stream().allMatch(this::isSurelyRead);
    if (isSettled && isPausedAtEnd() != pauses.contains(last.get())) {
      dossier.found(
          Finding.Kind.STATUS,
          last.get().timestampMs(),
          "the last command is a %s, and the status shows the opposite",
          pauses.contains(last.get()) ? "pause" : "resume");
    }
  }
}
