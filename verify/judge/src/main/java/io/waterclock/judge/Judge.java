package io.waterclock.judge;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Judges a history that has ended: what must have fired, decided from the records alone, by
 * arithmetic of its own. Of the product it uses the generated classes of records, as plain data,
 * and nothing else. Pure; takes about a second for 100,000 fires.
 *
 * <pre>
 * records -> History -> Judge -> Verdict
 *               |         |
 *           Sabotage   ScheduleAccount, one for each id, over its Dossier:
 *      (planted faults)   AcceptedDefinitions, RevisionClaims, LawfulReasons,
 *                         Holds, JudgedRuns, Executions
 *                      and of all: RecordPlaces, Routes, FireEffects
 * </pre>
 *
 * <p>It reads definitions and commands as they were written, in JSON. What the schedulers say of a
 * revision, when it took effect and when it ended, must follow from its record and from what was
 * decided; then each occurrence has one owner, and one outcome.
 */
public final class Judge {
  private final Terms terms;
  private final Evidence evidence;
  private final List<Finding> findings = new ArrayList<>();

  private Judge(History history, Terms terms) {
    this.terms = terms;
    this.evidence = new Evidence(Readings.applied(history, terms.patience().readMs()));
  }

  public static Verdict judge(History history, Terms terms) {
    return new Judge(history, terms).judge();
  }

  private Verdict judge() {
    new RecordPlaces(terms, evidence, findings).judge();
    Map<String, ObservedDefinition> definitions = new HashMap<>();
    List<Verdict.Decided> decided = new ArrayList<>();
    int revisions = 0;
    long ownedMs = 0;
    for (String id : evidence.ids()) {
      ScheduleAccount account = new ScheduleAccount(terms, evidence, id, findings);
      account.judge();
      account.revised().forEach(it -> definitions.put(it.name, it.definition));
      decided.addAll(account.decided());
      revisions += account.revised().size();
      ownedMs += account.ownedMs();
    }
    new Routes(terms, evidence, definitions, findings).judge();
    new FireEffects(terms, evidence.history, definitions, findings).judge();
    schemas();
    return new Verdict(findings, evidence.ids().size(), revisions, decided, ownedMs);
  }

  /** A revision decides nothing before the registry has given its schema. */
  private void schemas() {
    for (Entry<Fire> entry : evidence.history.fires()) {
      Fire fire = entry.value().orElseThrow();
      schema(fire.getRevision(), fire.getScheduleId(), entry);
    }
    for (Entry<Missed> entry : evidence.history.missed()) {
      Missed range = entry.value().orElseThrow();
      schema(range.getRevision(), range.getScheduleId(), entry);
    }
  }

  private void schema(String revision, String id, Entry<?> decided) {
    Optional<Integer> needed =
        evidence
            .schedule(revision)
            .flatMap(record -> record.header(Entry.SCHEMA))
            .map(Integer::valueOf);
    if (needed
        .filter(one -> !evidence.history.registry().isGivenBefore(one, decided.visibleMs()))
        .isPresent()) {
      findings.add(
          new Finding(
              Finding.Kind.FOREIGN,
              id,
              decided.visibleMs(),
              revision + " decided before the registry had given schema " + needed.get()));
    }
  }
}
