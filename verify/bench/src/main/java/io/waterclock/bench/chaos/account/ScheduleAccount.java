package io.waterclock.bench.chaos.account;

import io.waterclock.bench.chaos.account.Emitted.Fired;
import io.waterclock.bench.chaos.account.Emitted.MissedRange;
import io.waterclock.bench.chaos.account.Finding.Kind;
import io.waterclock.bench.chaos.account.ObservedDefinition.CatchUp;
import io.waterclock.bench.chaos.account.ObservedDefinition.Overlap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The account of one schedule.
 *
 * <p>A revision owns the occurrences between two cuts. A cut lies between the timestamp of the
 * record that makes it and the moment at which the scheduler heeded the record at the latest; the
 * outcomes narrow it further, as a decided occurrence of the old revision lies before the cut, and
 * one that is not decided behind it. Whatever lies between the latest first cut and the earliest
 * last one must be decided, and so must everything between two decided occurrences.
 */
final class ScheduleAccount {
  /**
   * The possible places of a cut: the old revision owns what occurs up to it.
   *
   * @param loMs inclusive
   * @param hiMs inclusive
   */
  private record Cut(long loMs, long hiMs) {}

  private final Facts facts;
  private final long untilMs;
  private final long readingMs;
  private final long skewMs;
  private final Reasons reasons;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, TreeMap<Long, Emitted>> decided = new HashMap<>();
  private final TreeMap<Long, Emitted> all = new TreeMap<>();
  private final List<Decided> tally = new ArrayList<>();

  ScheduleAccount(Facts facts, Terms terms, long untilMs) {
    this.facts = facts;
    this.untilMs = untilMs;
    this.readingMs = terms.reading().toMillis();
    this.skewMs = terms.skew().toMillis();
    this.reasons = new Reasons(facts, terms);
  }

  ScheduleAccount judge() {
    Map<String, ObservedDefinition> definitions = new HashMap<>();
    facts
        .revisions()
        .forEach(
            one ->
                one.definition().ifPresent(definition -> definitions.put(one.name(), definition)));
    facts.fires().stream().filter(Fired::isScheduled).forEach(fire -> take(fire, definitions));
    facts.missed().forEach(range -> take(range, definitions));
    judgeOrder();
    judgeRevisions();
    judgePauses();
    judgeSkips(definitions);
    judgeRuns(definitions);
    judgeTriggers();
    judgeBackfills(definitions);
    return this;
  }

  List<Finding> findings() {
    return findings;
  }

  /** Every outcome that the scheduler wrote, also of an occurrence that has two. */
  List<Decided> decided() {
    return tally;
  }

  private void take(Fired fire, Map<String, ObservedDefinition> definitions) {
    ObservedDefinition definition = definitions.get(fire.revision());
    tally.add(tallied(fire.occurrenceMs(), Optional.ofNullable(definition), true));
    if (definition == null) {
      find(Kind.FOREIGN, fire.revision(), fire.occurrenceMs(), "fired by an unknown revision");
      return;
    }
    String owner = owner(fire);
    record(fire, owner, fire.occurrenceMs());
    reasons
        .problem(fire, Optional.ofNullable(definitions.get(owner)).orElseThrow())
        .ifPresent(findings::add);
    fire.collapsed().ifPresent(others -> judgeCollapsed(fire, others, definitions));
  }

  /**
   * The revision whose occurrence fired. What was missed under COLLAPSE when an edit came fires as
   * the newest revision, whatever that one's own policy is and whether it names the occurrence.
   */
  private String owner(Fired fire) {
    long atMs = fire.occurrenceMs();
    String owner = fire.revision();
    if (!fire.cause().equals("CATCH_UP")) {
      return owner;
    }
    for (Revision change : facts.revisions()) {
      Optional<ObservedDefinition> definition = change.definition();
      boolean mayOwn =
          change.fromMs() - skewMs < atMs
              && definition.filter(its -> its.trigger().names(atMs)).isPresent();
      if (change.name().equals(fire.revision())) {
        return mayOwn ? fire.revision() : owner;
      }
      if (mayOwn && definition.filter(its -> its.catchUp() == CatchUp.COLLAPSE).isPresent()) {
        owner = change.name();
      } else if (definition.isEmpty() || (mayOwn && change.fromMs() + skewMs < atMs)) {
        owner = fire.revision();
      }
    }
    return fire.revision();
  }

  private void judgeCollapsed(
      Fired fire, Emitted.Collapsed others, Map<String, ObservedDefinition> definitions) {
    List<MissedRange> ranges = facts.collapsedInto(fire.occurrenceMs());
    long missedFor =
        ranges.stream()
            .mapToLong(
                range ->
                    Optional.ofNullable(definitions.get(range.revision()))
                        .map(definition -> occurrences(range, definition).size())
                        .orElse(0))
            .sum();
    if (!others.counts(missedFor)) {
      find(
          Kind.UNLAWFUL,
          fire.revision(),
          fire.occurrenceMs(),
          "stands for " + others.count() + " others, but " + missedFor + " were missed for it");
    }
    if (ranges.stream().mapToLong(MissedRange::firstMs).min().orElse(others.firstMs())
        != others.firstMs()) {
      find(
          Kind.UNLAWFUL,
          fire.revision(),
          fire.occurrenceMs(),
          "stands for others from " + others.firstMs() + " on, which was not missed first");
    }
  }

  private void take(MissedRange range, Map<String, ObservedDefinition> definitions) {
    ObservedDefinition definition = definitions.get(range.revision());
    if (definition == null) {
      find(Kind.FOREIGN, range.revision(), range.firstMs(), "missed by an unknown revision");
      return;
    }
    List<Long> occurrences = occurrences(range, definition);
    occurrences.forEach(one -> tally.add(tallied(one, Optional.of(definition), false)));
    if (!definition.trigger().names(range.firstMs())
        || !definition.trigger().names(range.lastMs())) {
      find(Kind.FOREIGN, range.revision(), range.firstMs(), "a range off the grid");
    }
    if (range.count().isPresent() && range.count().getAsLong() != occurrences.size()) {
      find(
          Kind.UNLAWFUL,
          range.revision(),
          range.firstMs(),
          "a range of " + occurrences.size() + " that says " + range.count().getAsLong());
    }
    occurrences.forEach(one -> record(range, range.revision(), one));
    reasons
        .problem(range, definition, occurrences)
        .ifPresent(problem -> find(Kind.UNLAWFUL, range.revision(), range.firstMs(), problem));
  }

  private Decided tallied(
      long occurrenceMs, Optional<ObservedDefinition> definition, boolean hasFired) {
    long jitterMs = definition.map(ObservedDefinition::jitterMs).orElse(0L);
    return new Decided(facts.id(), occurrenceMs, occurrenceMs + jitterMs, hasFired);
  }

  /** Those of a range that no range of its own leaves out. */
  private List<Long> occurrences(MissedRange range, ObservedDefinition definition) {
    List<Long> within = definition.trigger().between(range.firstMs() - 1, range.lastMs());
    if (range.reason().equals("SKIPPED")) {
      return within;
    }
    Set<Long> skipped = new TreeSet<>();
    for (MissedRange other : facts.missed()) {
      if (other.reason().equals("SKIPPED")
          && other.lastMs() >= range.firstMs()
          && other.firstMs() <= range.lastMs()) {
        skipped.addAll(definition.trigger().between(other.firstMs() - 1, other.lastMs()));
      }
    }
    return within.stream().filter(one -> !skipped.contains(one)).toList();
  }

  private void record(Emitted emitted, String owner, long occurrenceMs) {
    Emitted before = all.putIfAbsent(occurrenceMs, emitted);
    if (before != null) {
      find(
          Kind.DOUBLED,
          emitted.revision(),
          occurrenceMs,
          "at " + before.entry().position() + " and at " + emitted.entry().position());
    }
    decided.computeIfAbsent(owner, name -> new TreeMap<>()).put(occurrenceMs, emitted);
  }

  private void judgeOrder() {
    Map<Integer, Fired> latest = new HashMap<>(); // by partition: more may be added meanwhile
    for (Fired fire : facts.fires()) {
      if (!fire.isScheduled()) {
        continue;
      }
      Fired before = latest.put(fire.entry().partition(), fire);
      if (before != null && before.occurrenceMs() > fire.occurrenceMs()) {
        find(
            Kind.DISORDERED,
            fire.revision(),
            fire.occurrenceMs(),
            "fired behind that of " + before.occurrenceMs());
      }
    }
  }

  private void judgeRevisions() {
    long lastDecidedMs = Long.MIN_VALUE / 2;
    Optional<Cut> handover = Optional.empty();
    for (int k = 0; k < facts.revisions().size(); k++) {
      Revision revision = facts.revisions().get(k);
      if (revision.definition().isEmpty()) {
        handover = Optional.empty();
        continue;
      }
      long boundMs = lastDecidedMs;
      Cut start =
          handover.orElseGet(
              () ->
                  new Cut(
                      Math.max(revision.fromMs() - skewMs, boundMs),
                      Math.max(revision.fromMs(), boundMs)));
      int after = k + 1;
      Optional<Revision> next =
          after < facts.revisions().size()
              ? Optional.of(facts.revisions().get(after))
              : Optional.empty();
      Cut end =
          next.map(
                  change -> new Cut(change.fromMs() - skewMs, readByMs(after) + readingMs + skewMs))
              .orElseGet(() -> new Cut(untilMs, Long.MAX_VALUE / 2));
      if (mayBeRefused(k)) {
        continue;
      }
      handover = Optional.of(judgeRevision(revision, start, end, boundMs));
      TreeMap<Long, Emitted> its = decided.getOrDefault(revision.name(), new TreeMap<>());
      if (!its.isEmpty()) {
        lastDecidedMs = Math.max(lastDecidedMs, its.lastKey());
      }
    }
  }

  /** When a change was read, or one behind it that did not wait for a schema, as a delete does. */
  private long readByMs(int k) {
    return facts.revisions().subList(k, facts.revisions().size()).stream()
        .mapToLong(Revision::readMs)
        .min()
        .orElseThrow();
  }

  /** Whether a revision and those behind it waited for a schema until a delete refused them. */
  private boolean mayBeRefused(int k) {
    Revision revision = facts.revisions().get(k);
    for (Revision change : facts.revisions().subList(k, facts.revisions().size())) {
      if (change.definition().isEmpty()) {
        return revision.waited() && change.fromMs() <= revision.readMs() + readingMs + skewMs;
      }
      if (decided.containsKey(change.name())) {
        return false;
      }
    }
    return false;
  }

  /**
   * @param decidedMs the last occurrence that earlier revisions have decided
   * @return where the cut to the next revision can be
   */
  private Cut judgeRevision(Revision revision, Cut start, Cut end, long decidedMs) {
    ObservedDefinition definition = revision.definition().orElseThrow();
    TreeMap<Long, Emitted> its = decided.getOrDefault(revision.name(), new TreeMap<>());
    // the start may have more than one place, but was before the first decided occurrence
    long countedAfterMs = its.isEmpty() ? start.loMs() : Math.min(start.hiMs(), its.firstKey() - 1);
    Trigger trigger = bounded(definition, countedAfterMs);
    // a single instant that was over when its record was written fires at once
    long beginMs =
        definition.trigger() instanceof Trigger.Once
            ? Math.min(start.loMs(), decidedMs)
            : start.loMs();
    for (Map.Entry<Long, Emitted> one : its.entrySet()) {
      long at = one.getKey();
      if (!definition.trigger().names(at)) {
        find(Kind.FOREIGN, revision.name(), at, "off the grid");
      } else if (at <= beginMs) {
        find(Kind.FOREIGN, revision.name(), at, "before the revision, " + start);
      } else if (at > end.hiMs()) {
        find(Kind.FOREIGN, revision.name(), at, "after the revision, " + end);
      } else if (!trigger.names(at)) {
        find(Kind.FOREIGN, revision.name(), at, "after its max_occurrences");
      }
    }
    long afterMs = its.isEmpty() ? start.hiMs() : Math.min(start.hiMs(), its.firstKey() - 1);
    long toMs = Math.min(untilMs, its.isEmpty() ? end.loMs() : Math.max(end.loMs(), its.lastKey()));
    for (long at : trigger.between(afterMs, toMs)) {
      if (!its.containsKey(at)) {
        find(Kind.LOST, revision.name(), at, "neither fired nor missed");
      }
    }
    long loMs = Math.max(end.loMs(), its.isEmpty() ? start.loMs() : its.lastKey());
    OptionalLong undecided = its.isEmpty() ? OptionalLong.empty() : trigger.next(loMs);
    long hiMs =
        undecided.isPresent() ? Math.min(end.hiMs(), undecided.getAsLong() - 1) : end.hiMs();
    return new Cut(loMs, Math.max(loMs, hiMs));
  }

  /** With the end that {@code max_occurrences} sets, counted after an instant. */
  private static Trigger bounded(ObservedDefinition definition, long afterMs) {
    if (definition.maxOccurrences().isEmpty()) {
      return definition.trigger();
    }
    long lastMs = afterMs;
    for (int n = 0; n < definition.maxOccurrences().getAsInt(); n++) {
      OptionalLong next = definition.trigger().next(lastMs);
      if (next.isEmpty()) {
        return definition.trigger();
      }
      lastMs = next.getAsLong();
    }
    return new Trigger.Bounded(definition.trigger(), Long.MIN_VALUE / 2, lastMs + 1);
  }

  private void judgePauses() {
    for (CommandsGiven.Pause pause : facts.commands().pauses()) {
      if (!isKnownAt(pause.from())) {
        continue;
      }
      long afterMs = pause.from().readMs() + readingMs + skewMs;
      long toMs = pause.to().map(to -> to.writtenMs() - skewMs).orElse(Long.MAX_VALUE / 2);
      facts.fires().stream()
          .filter(Fired::isScheduled)
          .filter(fire -> fire.occurrenceMs() > afterMs && fire.occurrenceMs() <= toMs)
          .forEach(
              fire ->
                  find(
                      Kind.FORBIDDEN,
                      fire.revision(),
                      fire.occurrenceMs(),
                      "fired while paused, " + pause));
    }
  }

  private void judgeSkips(Map<String, ObservedDefinition> definitions) {
    for (Fired fire : facts.fires()) {
      ObservedDefinition definition = definitions.get(fire.revision());
      if (!fire.isScheduled() || definition == null) {
        continue;
      }
      boolean isSkipped =
          facts.commands().skips().stream()
              .filter(skip -> isKnownAt(skip.at()))
              .anyMatch(
                  skip ->
                      skip.occurrenceMs() == fire.occurrenceMs()
                          && fire.occurrenceMs() > skip.at().readMs() + readingMs + skewMs);
      if (isSkipped
          || definition.isExcluded()
          || definition.skips().contains(fire.occurrenceMs())) {
        find(Kind.FORBIDDEN, fire.revision(), fire.occurrenceMs(), "fired although skipped");
      }
    }
  }

  private void judgeRuns(Map<String, ObservedDefinition> definitions) {
    Optional<Fired> running = Optional.empty();
    for (Fired fire : inDecidedOrder(facts.fires())) {
      ObservedDefinition definition = definitions.get(fire.revision());
      if (!fire.isScheduled() || definition == null || definition.overlap() == Overlap.ALLOW) {
        continue;
      }
      long timeoutMs = definition.timeoutMs().orElseThrow();
      running
          .filter(before -> facts.life(before.revision()) == facts.life(fire.revision()))
          .filter(
              before -> fire.decidedMs() + skewMs < facts.runs().earliestEndMs(before, timeoutMs))
          .ifPresent(
              before ->
                  find(
                      Kind.FORBIDDEN,
                      fire.revision(),
                      fire.occurrenceMs(),
                      "fired while that of " + before.occurrenceMs() + " ran"));
      running = Optional.of(fire);
    }
  }

  private static List<Fired> inDecidedOrder(List<Fired> fires) {
    return fires.stream().sorted(Comparator.comparingLong(Fired::decidedMs)).toList();
  }

  private void judgeTriggers() {
    for (CommandsGiven.Trigger command : facts.commands().triggers()) {
      long count =
          facts.fires().stream()
              .filter(fire -> fire.cause().equals("TRIGGERED"))
              .filter(fire -> fire.entry().key().endsWith("|" + command.commandId()))
              .count();
      if (count > 1 || (count == 0 && mustBeExecuted(command.at()))) {
        find(
            Kind.COMMAND,
            command.commandId(),
            command.at().writtenMs(),
            "triggered " + count + " times");
      }
    }
  }

  /**
   * Whether a command must have been executed: its schedule was there, and either stayed or had a
   * tick before it was deleted. A delete removes what a command has ordered.
   */
  private boolean mustBeExecuted(CommandsGiven.Moment command) {
    if (definitionAt(command.writtenMs()).isEmpty() || !isKnownAt(command)) {
      return false;
    }
    Optional<Revision> delete =
        facts.revisions().stream()
            .filter(change -> change.definition().isEmpty())
            .filter(change -> change.fromMs() > command.writtenMs())
            .findFirst();
    return delete.isEmpty()
        || Stream.concat(
                facts.fires().stream(), facts.missed().stream().filter(ScheduleAccount::isOfATick))
            .mapToLong(Emitted::decidedMs)
            .anyMatch(
                ms -> ms > command.readMs() + readingMs + skewMs && ms < delete.get().fromMs());
  }

  /** Commands and edits write off at once, while nothing may fire yet. */
  private static boolean isOfATick(MissedRange range) {
    return Set.of("GRACE", "OVERLAP").contains(range.reason());
  }

  /**
   * Whether the schedule was in the partition of its key when a command was written. If its only
   * definition was a stray on its way, the command may find no schedule.
   */
  private boolean isKnownAt(CommandsGiven.Moment command) {
    return facts.revisions().stream()
        .filter(change -> change.atHomeMs() <= command.writtenMs())
        .reduce((one, later) -> later)
        .flatMap(Revision::definition)
        .isPresent();
  }

  private Optional<ObservedDefinition> definitionAt(long ms) {
    return facts.revisions().stream()
        .filter(change -> change.fromMs() <= ms)
        .reduce((one, later) -> later)
        .flatMap(Revision::definition);
  }

  /** Every fire of a backfill belongs to one, and no backfill fires an occurrence twice. */
  private void judgeBackfills(Map<String, ObservedDefinition> definitions) {
    Map<Long, Integer> counts = new TreeMap<>();
    for (Fired fire : facts.fires()) {
      if (fire.cause().equals("BACKFILL")) {
        counts.merge(fire.occurrenceMs(), 1, Integer::sum);
        if (!definitions.containsKey(fire.revision())) {
          find(Kind.FOREIGN, fire.revision(), fire.occurrenceMs(), "a backfill of no revision");
        }
      }
    }
    for (CommandsGiven.Backfill backfill : facts.commands().backfills()) {
      definitionAt(backfill.at().writtenMs())
          .filter(its -> !its.isExcluded())
          .map(its -> leftIn(its, backfill))
          .orElse(List.of())
          .forEach(
              at -> {
                if (counts.merge(at, -1, Integer::sum) < 0
                    && mustBeExecuted(backfill.at())
                    && wasDecidedBefore(at, backfill.at())) {
                  find(Kind.COMMAND, "", at, "not backfilled");
                }
              });
    }
    counts.forEach(
        (at, count) -> {
          if (count > 0) {
            find(Kind.DOUBLED, "", at, "backfilled " + count + " times too often");
          }
        });
  }

  /** The occurrences of its range that the definition's own list does not leave out. */
  private static List<Long> leftIn(ObservedDefinition its, CommandsGiven.Backfill backfill) {
    return its.trigger().between(backfill.fromMs() - 1, backfill.toMs() - 1).stream()
        .filter(at -> !its.skips().contains(at))
        .toList();
  }

  /** A backfill is clipped to what is decided when the scheduler reads it. */
  private boolean wasDecidedBefore(long occurrenceMs, CommandsGiven.Moment command) {
    Emitted decision = all.get(occurrenceMs);
    return decision != null && decision.decidedMs() + skewMs < command.writtenMs();
  }

  private void find(Kind kind, String revision, long atMs, String detail) {
    findings.add(new Finding(kind, facts.id(), revision, atMs, detail));
  }
}
