package io.waterclock.audit;

import io.waterclock.audit.Sweep.Outcome;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Occurrences of one id that more than one revision has decided, be they of one life or of several:
 * such fires have the same fire id.
 *
 * <p>Idea: in the order of time, each outcome is compared with the missed ranges that are still
 * open and with the last fire. So it costs a sort and little more, as ranges hardly overlap. Two
 * ranges have an occurrence in common where their triggers meet.
 */
final class Doubles {
  /** How many occurrences are looked at for one that two ranges have in common. */
  private static final int MOST_STEPS = 1_000;

  private final List<Outcome> open = new ArrayList<>();

  private Doubles() {}

  /** Adds a finding to each sweep for occurrences that an earlier one also decided. */
  static void find(List<Sweep> sweeps) {
    if (sweeps.size() > 1) {
      Doubles doubles = new Doubles();
      sweeps.stream()
          .flatMap(Sweep::outcomes)
          .sorted(Comparator.comparing(Outcome::first))
          .toList()
          .forEach(doubles::next);
    }
  }

  private void next(Outcome outcome) {
    open.removeIf(earlier -> earlier.last().isBefore(outcome.first()));
    for (Outcome earlier : open) {
      if (earlier.sweep() != outcome.sweep()) {
        common(earlier, outcome)
            .ifPresent(
                at ->
                    outcome
                        .sweep()
                        .found(
                            Finding.Kind.DOUBLE,
                            at,
                            Instants.earlier(earlier.last(), outcome.last()),
                            "%s, and %s as revision %s"
                                .formatted(
                                    outcome.kind(), earlier.kind(), earlier.sweep().name())));
      }
    }
    open.add(outcome);
  }

  /**
   * The first occurrence that is in both.
   *
   * @param b the one that begins later
   */
  private static Optional<Instant> common(Outcome a, Outcome b) {
    Instant last = Instants.earlier(a.last(), b.last());
    Instant from = b.first();
    for (int step = 0; step < MOST_STEPS; step++) {
      Optional<Instant> ofA = within(a, from, last);
      Optional<Instant> ofB = within(b, from, last);
      if (ofA.isEmpty() || ofB.isEmpty() || ofA.equals(ofB)) {
        return ofA.filter(at -> ofB.isPresent());
      }
      from = Instants.later(ofA.get(), ofB.get());
    }
    return Optional.empty();
  }

  /** The first occurrence in [from, last]. */
  private static Optional<Instant> within(Outcome outcome, Instant from, Instant last) {
    return outcome
        .sweep()
        .ownership()
        .nextAfter(from.minusMillis(1))
        .filter(at -> !at.isAfter(last));
  }
}
