package io.waterclock.judge;

import static io.waterclock.judge.Dossier.COMMANDS_KEPT;
import static io.waterclock.judge.Dossier.HOUR;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether each command to fire was executed once. */
final class Executions {
  private final Dossier dossier;

  Executions(Dossier dossier) {
    this.dossier = dossier;
  }

  void judge() {
    triggers();
    backfills();
  }

  private List<Entry<Fire>> fires(Cause cause) {
    return dossier.evidence.fires(dossier.id).stream()
        .filter(entry -> entry.value().orElseThrow().getCause() == cause)
        .toList();
  }

  private void triggers() {
    Map<String, Integer> counts = new TreeMap<>();
    for (Entry<Fire> fire : fires(Cause.TRIGGERED)) {
      counts.merge(fire.key().substring(fire.key().lastIndexOf('|') + 1), 1, Integer::sum);
    }
    for (GivenCommands.Manual command : dossier.orders.triggers()) {
      int count = counts.getOrDefault(command.commandId(), 0);
      if (count > 1 || (count == 0 && mustBeExecuted(command.by()))) {
        dossier.found(
            Finding.Kind.COMMAND,
            command.by().timestampMs(),
            "the command %s fired %s times",
            command.commandId(),
            count);
      }
    }
  }

  /**
   * Whether a command must have been executed: its schedule was there, and either stayed or had a
   * tick before it was deleted. A delete removes what a command has ordered.
   */
  private boolean mustBeExecuted(Entry<String> command) {
    Optional<Revised> inForce = dossier.inForce(command.timestampMs());
    if (inForce.isEmpty()
        || !dossier.isKnownAt(command.timestampMs())
        || inForce.get().ended.filter(end -> inForce.get().endedBy.isEmpty()).isPresent()
        || !dossier.way.isSurelyRead(command, COMMANDS_KEPT - HOUR)) {
      return false;
    }
    Optional<Entry<String>> delete =
        dossier.revised.stream()
            .filter(it -> it.life == inForce.get().life && it.isDeleted)
            .flatMap(it -> it.endedBy.stream())
            .findFirst();
    long readMs = dossier.way.knownMs(command).orElse(Long.MAX_VALUE / 2) + dossier.terms.aheadMs();
    return delete.isEmpty()
        || dossier.all().stream()
            .filter(LawfulReasons::isOfATick)
            .anyMatch(
                decision ->
                    decision.decidedMs() > readMs
                        && decision.decidedMs() < delete.get().timestampMs());
  }

  /** Every fire of a backfill belongs to one, and no backfill fires an occurrence twice. */
  private void backfills() {
    Map<Long, Integer> counts = new TreeMap<>();
    for (Entry<Fire> entry : fires(Cause.BACKFILL)) {
      Fire fire = entry.value().orElseThrow();
      long nominalMs = fire.getOccurrence().toEpochMilli();
      counts.merge(nominalMs, 1, Integer::sum);
      if (dossier.revised(fire.getRevision()).isEmpty()) {
        dossier.found(Finding.Kind.FOREIGN, nominalMs, "a backfill of no revision");
      }
    }
    for (GivenCommands.Backfill backfill : dossier.orders.backfills()) {
      dossier
          .inForce(backfill.by().timestampMs())
          .filter(it -> !it.definition.isExcluded())
          .map(it -> leftIn(it, backfill))
          .orElse(List.of())
          .forEach(
              ms -> {
                if (counts.merge(ms, -1, Integer::sum) < 0
                    && mustBeExecuted(backfill.by())
                    && wasDecidedBefore(ms, backfill.by())) {
                  dossier.found(Finding.Kind.COMMAND, ms, "not backfilled");
                }
              });
    }
    counts.forEach(
        (ms, count) -> {
          if (count > 0) {
            dossier.found(Finding.Kind.DOUBLED, ms, "backfilled %s times too often", count);
          }
        });
  }

  /** The occurrences of its range that the definition's own list does not leave out. */
  private static List<Long> leftIn(Revised it, GivenCommands.Backfill backfill) {
    return it.in(backfill.fromMs() - 1, backfill.toMs() - 1).stream()
        .filter(ms -> !it.definition.skips().contains(ms))
        .toList();
  }

  /** A backfill is clipped to what is decided when the scheduler reads it. */
  private boolean wasDecidedBefore(long nominalMs, Entry<String> command) {
    return dossier.decisions.getOrDefault(nominalMs, List.of()).stream()
        .anyMatch(
            decision -> decision.decidedMs() + dossier.terms.aheadMs() < command.timestampMs());
  }
}
