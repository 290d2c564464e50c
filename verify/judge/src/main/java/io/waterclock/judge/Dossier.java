package io.waterclock.judge;

import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What is known of one schedule, and what is wrong with it. */
final class Dossier {
  /** How late a fire may be while a scheduler decides. */
  static final long PROMPT_MS = 5_000;

  static final long HOUR = 3_600_000;
  static final long COMMANDS_KEPT = 7 * 24 * HOUR;

  final Terms terms;
  final Evidence evidence;
  final String id;
  final WayHome way;
  final GivenCommands orders;
  final List<Finding> findings;

  /** The definitions that were accepted, in the order in which they took effect. */
  final List<Revised> revised = new ArrayList<>();

  /** By their occurrences. */
  final TreeMap<Long, List<DecidedOccurrence>> decisions = new TreeMap<>();

  Dossier(Terms terms, Evidence evidence, String id, List<Finding> findings) {
    this.terms = terms;
    this.evidence = evidence;
    this.id = id;
    this.findings = findings;
    this.way = new WayHome(terms, evidence.home(id));
    this.orders = GivenCommands.of(evidence.commands(id));
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency of the module
  void found(Finding.Kind kind, long atMs, String format, Object... arguments) {
    findings.add(new Finding(kind, id, atMs, format.formatted(arguments)));
  }

  static Instant at(long ms) {
    return Instant.ofEpochMilli(ms);
  }

  void add(DecidedOccurrence decision) {
    decisions.computeIfAbsent(decision.nominalMs(), any -> new ArrayList<>()).add(decision);
  }

  /** All of them, by their occurrences. */
  List<DecidedOccurrence> all() {
    return decisions.values().stream().flatMap(List::stream).toList();
  }

  Optional<Revised> revised(String name) {
    return revised.stream().filter(it -> it.name.equals(name)).findFirst();
  }

  boolean isAccepted(String place) {
    return evidence.revisions(id).stream()
        .anyMatch(written -> written.value().orElseThrow().getRevision().equals(place));
  }

  /** The occurrences of a missed range, but for those that a range of their own leaves out. */
  List<Long> occurrences(Missed range, Revised of) {
    List<Long> within = of.in(range.getFirst().toEpochMilli() - 1, range.getLast().toEpochMilli());
    return range.getReason() == MissedReason.SKIPPED
        ? within
        : within.stream().filter(ms -> !isInSkippedRange(ms)).toList();
  }

  private boolean isInSkippedRange(long ms) {
    return evidence.missed(id).stream()
        .map(entry -> entry.value().orElseThrow())
        .anyMatch(
            range ->
                range.getReason() == MissedReason.SKIPPED
                    && ms >= range.getFirst().toEpochMilli()
                    && ms <= range.getLast().toEpochMilli());
  }

  /** Whether a schedule was at home when a record was written. */
  boolean isKnownAt(long ms) {
    return inForce(ms).filter(it -> it.beganMs <= ms).isPresent();
  }

  /** The definition in force at an instant by what the records say. */
  Optional<Revised> inForce(long ms) {
    return revised.stream()
        .filter(it -> it.record.stampedMs() <= ms)
        .reduce((one, later) -> later)
        .filter(it -> !it.isDeleted || it.endedBy.orElseThrow().timestampMs() > ms);
  }
}
