package io.waterclock.sim.judge;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.spec.Spec;
import io.waterclock.sim.spec.Timing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The account of one id: what its records in the topic demand, and what was done. */
final class JudgedAccount {
  /** What may still fire after a confirmed delete or pause: docs/adr/0003. */
  private static final long DELIVERY_MS = 4_000;

  /** How late a fire may be while a scheduler decides. */
  private static final long PROMPT_MS = 5_000;

  /** Within which all that was written is known, at the end of the world. */
  private static final long SETTLED_MS = 60_000;

  private static final long HOUR = 3_600_000;
  private static final long COMMANDS_KEPT = 7 * 24 * HOUR;

  private final Facts facts;
  private final Evidence evidence;
  private final WayHome way;
  private final String id;
  private final List<String> findings;
  private final List<Revised> revised = new ArrayList<>();

  /** The offsets of records that compaction may have removed before a scheduler read them. */
  private final Set<Long> compacted = new HashSet<>();

  private final TreeMap<Long, List<Outcome>> outcomes = new TreeMap<>();
  private final JudgedRuns runs;
  private long ownedMs;
  private long fired;

  JudgedAccount(Facts facts, Evidence evidence, String id, List<String> findings) {
    this.facts = facts;
    this.evidence = evidence;
    this.way = new WayHome(facts, evidence.home(id));
    this.id = id;
    this.findings = findings;
    this.runs =
        new JudgedRuns(facts, way, commands("resume").stream().map(Submitted::appendedMs).toList());
  }

  /** How long its revisions were in force, in milliseconds. */
  long ownedMs() {
    return ownedMs;
  }

  long fired() {
    return fired;
  }

  void judge() {
    do {
      revised.clear();
      readDefinitions();
      matchRevisions();
    } while (findCompacted());
    sayWhatDoesNotMatch();
    readOutcomes();
    decidedOnce();
    owned();
    prompt();
    ends();
    pauses();
    triggers();
    status();
    pausedAtEnd();
    runs.findings().forEach(finding -> found("%s", finding));
  }

  /** The status topic shows the schedule that is in force, or a tombstone. */
  private void status() {
    Optional<String> shown = evidence.status(id);
    if (revised.isEmpty() || !evidence.hasStatus(id)) {
      return;
    }
    Revised last = revised.get(revised.size() - 1);
    long settled = facts.endMs() - 2 * PROMPT_MS;
    if (last.isDeleted && last.ended.isPresent() && shown.isPresent()) {
      found("%s is deleted, and the status shows %s", last.name, shown.get());
    }
    boolean isCurrent = last.endedBy.isEmpty() && !last.spec.timing().isOnce();
    if (isCurrent && last.acceptedMs() < settled && !shown.equals(Optional.of(last.name))) {
      found("%s is in force, and the status shows %s", last.name, shown.orElse("a tombstone"));
    }
  }

  /**
   * Of the pauses and resumes since the last definition the latest is in force, once all are read.
   */
  private void pausedAtEnd() {
    List<Submitted> pauses = commands("pause");
    List<Submitted> resumes = commands("resume");
    List<Submitted> all = Stream.concat(pauses.stream(), resumes.stream()).toList();
    Optional<Submitted> last =
        all.stream()
            .filter(it -> all.stream().allMatch(other -> other.equals(it) || it.isAfter(other)))
            .findFirst();
    if (last.isEmpty() || revised.isEmpty() || !evidence.hasStatus(id)) {
      return;
    }
    Revised inForce = revised.get(revised.size() - 1);
    boolean isSettled =
        inForce.ended.isEmpty()
            && inForce.endedBy.isEmpty()
            && inForce.spec.enabled()
            && !inForce.spec.timing().isOnce()
            && Math.max(inForce.beganMs, inForce.record.timestampMs())
                < last.get().timestampMs() - DELIVERY_MS
            && last.get().appendedMs() < facts.endMs() - SETTLED_MS
            && all.stream().allMatch(it -> isSurelyRead(it, COMMANDS_KEPT - HOUR));
    if (isSettled && evidence.isPaused(id) != pauses.contains(last.get())) {
      found(
          "the last command is a %s of %s, and the status shows the opposite",
          pauses.contains(last.get()) ? "pause" : "resume", at(last.get().timestampMs()));
    }
  }

  private List<Submitted> commands(String action) {
    return evidence.commands(id).stream()
        .filter(command -> text(command.record()).contains("\"" + action + "\""))
        .toList();
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency of the module
  private void found(String format, Object... arguments) {
    findings.add(id + ": " + format.formatted(arguments));
  }

  private static Instant at(long ms) {
    return Instant.ofEpochMilli(ms);
  }

  // what the topic says

  private void readDefinitions() {
    Optional<Revised> current = Optional.empty();
    Optional<Long> lastWrite = Optional.empty();
    int life = 0;
    long deleted = 0;
    for (Placed placed : inOrder()) {
      LogRecord record = placed.record();
      String name = placed.name();
      Optional<Submitted> stray = stray(placed);
      if (compacted.contains(record.offset())) {
        continue;
      }
      long ts =
          Evidence.header(record, HeaderNames.STAMPED)
              .map(Long::parseLong)
              .orElse(record.timestampMs());
      Optional<String> origin = Evidence.header(record, HeaderNames.ORIGIN);
      if (origin.isPresent()) {
        boolean isRemoval = record.value().isEmpty();
        if (isRemoval && current.filter(it -> it.name.equals(origin.get())).isPresent()) {
          Revised removed = current.get();
          if (!removed.spec.timing().isOnce()) {
            found("%s was removed by the scheduler, and it recurs", removed.name);
          }
          deleted = Math.max(deleted, record.timestampMs());
          current = Optional.empty();
          life++;
        }
        continue;
      }
      boolean isStray = Evidence.header(record, HeaderNames.STRAY).isPresent();
      boolean hasCurrent = current.isPresent();
      if (isStray && lastWrite.filter(last -> hasCurrent ? last > ts : last >= ts).isPresent()) {
        continue;
      }
      if (record.value().isEmpty()) {
        current.ifPresent(
            it -> {
              it.endedBy = Optional.of(record);
              it.endedByStray = stray;
              it.isDeleted = true;
            });
        lastWrite = Optional.of(lastWrite.map(last -> Math.max(last, ts)).orElse(ts));
        deleted = Math.max(deleted, record.timestampMs());
        current = Optional.empty();
        life++;
        continue;
      }
      Spec spec = spec(record);
      boolean isEqual = current.filter(it -> it.spec.equals(spec)).isPresent();
      if (isEqual && !(spec.timing().isOnce() && isAccepted(name))) { // else it begins anew
        current.get().isRepeated = true;
        lastWrite = Optional.of(Math.max(ts, lastWrite.orElse(ts)));
        continue;
      }
      Revised next = new Revised(name, spec, record, life);
      next.deletedBeforeMs = deleted;
      current.ifPresent(
          it -> {
            it.endedBy = Optional.of(record);
            it.endedByStray = stray;
          });
      lastWrite = Optional.of(ts);
      current = Optional.of(next);
      revised.add(next);
    }
  }

  /**
   * A definition or a delete with its place.
   *
   * @param partition in which it took effect
   */
  private record Placed(String name, LogRecord record, int partition) {}

  /** The stray that it is, or of which it is the copy at home. */
  private Optional<Submitted> stray(Placed placed) {
    if (placed.partition() != way.home()) {
      return Optional.of(new Submitted(placed.record(), placed.partition()));
    }
    return Evidence.header(placed.record(), HeaderNames.STRAY)
        .flatMap(name -> evidence.find(facts.topics().schedules(), name));
  }

  /**
   * What the partition at home has, and before it what took effect in another partition: a stray
   * that a later record at home replaces.
   */
  private List<Placed> inOrder() {
    List<Placed> all = new ArrayList<>();
    for (LogRecord record : evidence.written(id)) {
      all.add(new Placed(name(way.home(), record), record, way.home()));
    }
    for (int p = 0; p < facts.partitions(); p++) {
      if (p == evidence.home(id)) {
        continue;
      }
      for (LogRecord record : evidence.committed(facts.topics().schedules(), p)) {
        String name = name(p, record);
        if (record.keyText().equals(id)
            && (record.value().isPresent() ? isAccepted(name) : hasEnded(record, name))) {
          all.add(indexAfter(all, record), new Placed(name, record, p));
        }
      }
    }
    return all;
  }

  /** Whether a revision ended by a delete elsewhere that was not brought home. */
  private boolean hasEnded(LogRecord delete, String name) {
    return Evidence.header(delete, HeaderNames.MOVED).isEmpty()
        && evidence.written(id).stream()
            .noneMatch(it -> Evidence.header(it, HeaderNames.STRAY).equals(Optional.of(name)))
        && evidence.revisions(id).stream()
            .map(written -> Optional.ofNullable(written.value().getEndedAt()))
            .flatMap(Optional::stream)
            .anyMatch(ended -> ended.toEpochMilli() == delete.timestampMs());
  }

  private static int indexAfter(List<Placed> all, LogRecord stray) {
    for (int i = 0; i < all.size(); i++) {
      LogRecord record = all.get(i).record();
      boolean isUsers = Evidence.header(record, HeaderNames.ORIGIN).isEmpty();
      if (isUsers && record.timestampMs() >= stray.timestampMs()) {
        return i;
      }
    }
    return all.size();
  }

  private String name(int partition, LogRecord record) {
    return facts.topics().schedules() + "-" + partition + "@" + record.offset();
  }

  private boolean isAccepted(String name) {
    return evidence.revisions(id).stream()
        .anyMatch(written -> written.value().getRevision().equals(name));
  }

  private Spec spec(LogRecord record) {
    String json = new String(record.value().orElseThrow(), StandardCharsets.UTF_8);
    int number =
        Integer.parseInt(json.substring(json.indexOf("\"payload\":") + 10, json.length() - 1));
    return Optional.ofNullable(facts.specs().get(number)).orElseThrow();
  }

  // what the schedulers say of it

  private void matchRevisions() {
    Map<String, Revised> byName = new HashMap<>();
    revised.forEach(it -> byName.put(it.name, it));
    for (Evidence.Committed<Revision> written : evidence.revisions(id)) {
      Optional.ofNullable(byName.get(written.value().getRevision()))
          .ifPresent(it -> it.add(written));
    }
  }

  /**
   * In an outage of more than a week compaction removes what later records replace, before a
   * scheduler has read it.
   *
   * @return true when another such record was found
   */
  private boolean findCompacted() {
    for (Revised it : revised) {
      boolean hasSuccessor = it.isRepeated || it.endedBy.isPresent();
      if (it.began.isEmpty() && hasSuccessor && isOld(it.record)) {
        compacted.add(it.record.offset());
        return true;
      }
      if (it.isDeleted && sawNoDelete(it) && isOld(it.endedBy.orElseThrow())) {
        compacted.add(it.endedBy.get().offset());
        return true;
      }
    }
    return false;
  }

  /** Whether the next definition replaced a revision that was deleted before, or repeated it. */
  private boolean sawNoDelete(Revised it) {
    boolean isRepeated =
        it.began.isPresent()
            && it.ended.isEmpty()
            && revised.stream()
                .skip(revised.indexOf(it) + 1L)
                .findFirst()
                .filter(next -> next.began.isEmpty() && next.spec.equals(it.spec))
                .isPresent();
    return isRepeated
        || it.ended.filter(end -> end.getEndedBy() == RevisionEnd.REPLACED).isPresent();
  }

  private boolean isOld(LogRecord record) {
    return facts.endMs() - record.appendedMs() > Evidence.MIN_COMPACTION_LAG
        && !isSurelyRead(record, Evidence.MIN_COMPACTION_LAG);
  }

  /**
   * Whether a task ran for so long, while the record was kept, that it has read the record and has
   * committed that.
   */
  private boolean isSurelyRead(LogRecord record, long keptMs) {
    long appended = record.appendedMs();
    return facts
        .reading()
        .coversSome(evidence.home(id), appended, appended + keptMs, 2 * PROMPT_MS);
  }

  /** As above of a command, in whatever partition. */
  private boolean isSurelyRead(Submitted command, long keptMs) {
    OptionalLong committed = way.committedMs(command);
    return committed.isPresent() && committed.getAsLong() <= command.appendedMs() + keptMs;
  }

  private boolean mayBeRead(Submitted command, long keptMs) {
    long appended = command.appendedMs();
    return facts.reading().touches(command.partition(), appended, appended + keptMs);
  }

  private void sayWhatDoesNotMatch() {
    Set<String> known = new HashSet<>();
    for (Revised it : revised) {
      known.add(it.name);
      if (it.began.isEmpty()) {
        found("%s was never accepted", it.name);
      }
      if (it.times > 1) {
        found("%s was accepted %s times", it.name, it.times);
      }
    }
    for (Evidence.Committed<Revision> written : evidence.revisions(id)) {
      if (!known.contains(written.value().getRevision())) {
        found("%s was accepted, and must not be", written.value().getRevision());
      }
    }
    revised.removeIf(it -> it.began.isEmpty());
  }

  private void readOutcomes() {
    Map<String, Revised> byName = new HashMap<>();
    revised.forEach(it -> byName.put(it.name, it));
    for (Evidence.Committed<Fire> committed : evidence.scheduled(id)) {
      Fire fire = committed.value();
      Revised it = byName.get(fire.getRevision());
      long nominal = fire.getOccurrence().toEpochMilli();
      fired++;
      if (it == null) {
        found("fire of %s, which is no revision", fire.getRevision());
        continue;
      }
      if (!Evidence.payload(fire).equals(Integer.toString(it.spec.number()))) {
        found("fire of %s carries the payload %s", it.name, Evidence.payload(fire));
      }
      if (fire.getWantsOutcome() == (it.spec.overlap() == Spec.Overlap.ALLOW)) {
        found("fire of %s: wants_outcome is %s", it.name, fire.getWantsOutcome());
      }
      runs.add(it, committed, evidence.reports(committed.record().keyText()));
      long appended = committed.record().appendedMs();
      if (fire.getFiredAt().isBefore(fire.getDue()) || appended + facts.aheadMs() < nominal) {
        found(
            "%s fired early, at %s by its clock and %s by the brokers'",
            at(nominal), fire.getFiredAt(), at(appended));
      }
      long behind = appended - fire.getFiredAt().toEpochMilli();
      if (facts.aheadMs() == 0 && Math.abs(behind) > PROMPT_MS) {
        found("%s fired at %s, and was sent at %s", at(nominal), fire.getFiredAt(), at(appended));
      }
      add(
          new Outcome(
              nominal,
              it.name,
              Optional.of(fire.getCause()),
              Optional.empty(),
              fire.getFiredAt().toEpochMilli(),
              appended,
              fire.getCollapsed() == null
                  ? nominal
                  : fire.getCollapsed().getFirst().toEpochMilli()));
    }
    runs.complete();
    for (Evidence.Committed<Missed> committed : evidence.missed(id)) {
      Missed range = committed.value();
      Revised it = byName.get(range.getRevision());
      if (it == null) {
        found("missed of %s, which is no revision", range.getRevision());
        continue;
      }
      long first = range.getFirst().toEpochMilli();
      List<Long> all = it.in(first - 1, range.getLast().toEpochMilli());
      if (all.size() != range.getCount() && !range.getCountIsLowerBound()) {
        found(
            "%s missed %s occurrences in %s..%s, which has %s",
            it.name, range.getCount(), range.getFirst(), range.getLast(), all.size());
      }
      for (long nominal : all) {
        add(
            new Outcome(
                nominal,
                it.name,
                Optional.empty(),
                Optional.of(range.getReason()),
                range.getDecidedAt().toEpochMilli(),
                committed.record().appendedMs(),
                first));
      }
    }
  }

  private void add(Outcome outcome) {
    outcomes.computeIfAbsent(outcome.nominalMs(), any -> new ArrayList<>()).add(outcome);
  }

  // what follows

  private void decidedOnce() {
    outcomes.forEach(
        (nominal, all) -> {
          if (all.size() > 1) {
            found("%s was decided %s times: %s", at(nominal), all.size(), all);
          }
        });
  }

  /** Each occurrence that a revision owns has an outcome, and there is no other. */
  private void owned() {
    Set<Long> allowed = new HashSet<>();
    Optional<Revised> before = Optional.empty();
    for (Revised it : revised) {
      claims(it, before);
      long through = it.endedMs().orElse(facts.endMs());
      ownedMs += Math.max(0, through - it.effectiveMs());
      List<Long> occurrences = it.in(it.ownsAfterMs(), through);
      allowed.addAll(
          it.in(
              it.ownsAfterMs(),
              Math.min(it.endedMs().orElse(Long.MAX_VALUE), facts.endMs() + facts.aheadMs())));
      long surely =
          it.ended.isPresent() ? through : Math.min(facts.endMs() - PROMPT_MS, heldSince(it));
      Optional<Revised> next =
          Optional.of(revised.indexOf(it) + 1).filter(i -> i < revised.size()).map(revised::get);
      boolean handsOver = it.spec.timing().isOnce() && next.isPresent();
      for (long nominal : occurrences) {
        if (nominal <= surely
            && !outcomes.containsKey(nominal)
            && !handsOver
            && !runs.holdsAtEnd(it, nominal)
            && !isHeldSinceBefore(Math.max(nominal, it.record.visibleMs()))) {
          found("%s of %s was never decided", at(nominal), it.name);
        }
      }
      if (it.spec.timing().isOnce() && it.ended.isEmpty() && it.endedBy.isEmpty()) {
        once(it);
      }
      before = Optional.of(it);
    }
    outcomes.forEach(
        (nominal, all) -> {
          if (!allowed.contains(nominal)) {
            found("%s is no occurrence that any revision owns: %s", at(nominal), all);
          }
          all.forEach(this::lawful);
        });
  }

  /** A single instant in the past fires at its acceptance, unless an earlier life had it. */
  private void once(Revised it) {
    long ms = it.spec.timing() instanceof Timing.At named ? named.ms() : it.resolvedMs();
    boolean isFirst = revised.get(0) == it;
    if (isFirst
        && ms <= Math.min(facts.endMs() - PROMPT_MS, heldSince(it))
        && !runs.holdsAtEnd(it, ms)
        && !outcomes.containsKey(ms)) {
      found("%s, the single instant of %s, was never decided", at(ms), it.name);
    }
  }

  /** What the schedulers say of a revision must follow from its record. */
  private void claims(Revised it, Optional<Revised> before) {
    long accepted = it.acceptedMs();
    long effective = it.effectiveMs();
    long said = said(it.record, accepted, it.beganMs);
    Optional<Revised> sameLife = before.filter(last -> last.life == it.life);
    long least = sameLife.map(last -> Math.max(said, last.effectiveMs())).orElse(said);
    boolean isBounded = before.isPresent() || accepted - effective > HOUR;
    if (accepted + facts.aheadMs() < it.record.appendedMs() && facts.aheadMs() == 0) {
      found("%s was accepted before it was written", it.name);
    }
    long bound =
        before
            .map(
                last ->
                    Math.max(
                        last.endedMs().orElse(last.effectiveMs()),
                        Optional.ofNullable(outcomes.lowerKey(accepted + 1)).orElse(0L)))
            .orElse(0L);
    if (effective < least) {
      found("%s took effect at %s, before %s", it.name, at(effective), at(least));
    }
    if (effective > Math.max(least, Math.max(bound, it.deletedBeforeMs))
        && !(isBounded && effective <= accepted - HOUR)) {
      found(
          "%s took effect at %s, after %s",
          it.name, at(effective), at(Math.max(least, Math.max(bound, it.deletedBeforeMs))));
    }
    boolean isOnce = it.spec.timing().isOnce();
    if (it.ownsAfterMs() > effective && !isOnce) {
      found(
          "%s owns what comes after %s only, and took effect at %s",
          it.name, at(it.ownsAfterMs()), at(effective));
    }
    if (it.ownsAfterMs() < effective
        && !isOnce
        && sameLife.filter(last -> last.spec.timing().equals(it.spec.timing())).isEmpty()) {
      found(
          "%s owns what comes after %s, and took effect at %s",
          it.name, at(it.ownsAfterMs()), at(effective));
    }
    sameLife.ifPresent(
        last -> {
          if (last.ended.isEmpty()) {
            found("%s was replaced by %s, and never ended", last.name, it.name);
          }
        });
    resolved(it, sameLife);
    if (it.ended.isPresent()) {
      ended(it);
    } else if (it.isDeleted
        && it.endedBy
            .filter(by -> facts.endMs() - by.appendedMs() > Evidence.MIN_COMPACTION_LAG)
            .isEmpty()) {
      found("%s was deleted, and never ended", it.name);
    }
  }

  /**
   * The earliest that a record takes effect: its timestamp, but at most the time at which a
   * scheduler heeded it. A clock that is behind by more than a trusted one may be does not count.
   */
  private long said(LogRecord record, long heededMs, long writtenMs) {
    return Math.min(record.timestampMs(), Math.max(heededMs, writtenMs - facts.aheadMs()));
  }

  private void resolved(Revised it, Optional<Revised> sameLife) {
    long resolved = it.resolvedMs();
    if (sameLife.filter(last -> last.spec.timing().equals(it.spec.timing())).isPresent()) {
      boolean mayBeginAnew = it.spec.timing().isOnce(); // after it was over
      if (it.spec.timing().isResolved()
          && resolved != sameLife.get().resolvedMs()
          && !mayBeginAnew) {
        found(
            "%s counts anew from %s, and has the trigger of its predecessor",
            it.name, at(resolved));
      }
      return;
    }
    if (it.spec.timing() instanceof Timing.Every every
        && every.anchorMs().isEmpty()
        && resolved != it.effectiveMs()) {
      found(
          "%s counts from %s, and took effect at %s", it.name, at(resolved), at(it.effectiveMs()));
    }
    if (it.spec.timing() instanceof Timing.In in) {
      long from = resolved - in.delayMs();
      long last = Optional.ofNullable(outcomes.lowerKey(resolved)).orElse(0L);
      if (from < it.effectiveMs() || from > Math.max(it.effectiveMs(), last + 1)) {
        found("%s counts from %s, and took effect at %s", it.name, at(from), at(it.effectiveMs()));
      }
    }
  }

  private void ended(Revised it) {
    Revision end = it.ended.orElseThrow();
    long through = end.getEndedAt().toEpochMilli();
    if (end.getEndedBy() == RevisionEnd.COMPLETED) {
      if (!it.spec.timing().isOnce()) {
        found("%s is complete, and recurs", it.name);
      }
      return;
    }
    if (it.endedBy.isEmpty()) {
      found("%s ended as %s, and no record ends it", it.name, end.getEndedBy());
      return;
    }
    long written = end.getAcceptedAt().toEpochMilli();
    long said = said(it.endedBy.get(), written, it.endWrittenMs);
    long least = Math.max(said, it.effectiveMs());
    boolean isDecided = outcomes.containsKey(through);
    if (through < least && facts.endMs() - it.record.timestampMs() < Evidence.MIN_COMPACTION_LAG) {
      found("%s ended at %s, before %s", it.name, at(through), at(least));
    }
    if (through > least && !isDecided && !isOld(it.endedBy.get())) {
      found("%s ended at %s, after %s", it.name, at(through), at(least));
    }
  }

  private void lawful(Outcome outcome) {
    Optional<Revised> found =
        revised.stream().filter(each -> each.name.equals(outcome.revision())).findFirst();
    if (found.isEmpty()) {
      return;
    }
    Revised it = found.get();
    Spec.CatchUp catchUp = it.spec.catchUp();
    long late = outcome.decidedMs() - firstOf(outcome);
    long grace =
        revised.stream()
            .filter(each -> each.life == it.life)
            .mapToLong(each -> each.spec.graceMs())
            .min()
            .orElse(it.spec.graceMs());
    if (outcome.isFired()) {
      boolean isLate = outcome.decidedMs() - outcome.nominalMs() > it.spec.graceMs();
      boolean wasHeld =
          !holds().isEmpty() || revised.stream().anyMatch(each -> !each.spec.enabled());
      if (catchUp == Spec.CatchUp.SKIP
          && isLate
          && !wasHeld
          && !runs.mayOverlap(it, outcome)
          && outcome.nominalMs() > Math.max(it.acceptedMs(), it.ownsAfterMs())) {
        found("%s fired too late for its grace: %s", at(outcome.nominalMs()), outcome);
      }
      return;
    }
    boolean isLawful =
        switch (outcome.reason().orElseThrow()) {
          case GRACE -> late > grace && isAnySkip();
          case COLLAPSED_INTO -> late > grace && isAnyCollapse();
          case PAUSED ->
              !holds().isEmpty() || revised.stream().anyMatch(each -> !each.spec.enabled());
          case DELETED ->
              it.isDeleted
                  || revised.stream().anyMatch(each -> each.life == it.life && each.isDeleted);
          case OVERLAP -> it.spec.overlap() != Spec.Overlap.ALLOW && runs.mayOverlap(it, outcome);
          case OUT_OF_WINDOW, SKIPPED -> false;
        };
    if (!isLawful) {
      found("%s must not be missed: %s", at(outcome.nominalMs()), outcome);
    }
  }

  /** The earliest occurrence of what was missed in the same decision, of an older revision, too. */
  private long firstOf(Outcome outcome) {
    return outcomes.headMap(outcome.nominalMs(), true).values().stream()
        .flatMap(List::stream)
        .filter(
            each ->
                each.decidedMs() == outcome.decidedMs() && each.reason().equals(outcome.reason()))
        .mapToLong(Outcome::nominalMs)
        .min()
        .orElse(outcome.nominalMs());
  }

  private boolean isAnySkip() {
    return revised.stream().anyMatch(it -> it.spec.catchUp() == Spec.CatchUp.SKIP);
  }

  private boolean isAnyCollapse() {
    return revised.stream().anyMatch(it -> it.spec.catchUp() == Spec.CatchUp.COLLAPSE);
  }

  /** While a scheduler decides, it decides at once. */
  private void prompt() {
    int home = evidence.home(id);
    for (Revised it : revised) {
      for (List<Outcome> all : outcomes.values()) {
        for (Outcome outcome : all) {
          long nominal = outcome.nominalMs();
          boolean isAhead = outcome.appendedMs() < nominal; // by the clock of the scheduler
          if (!outcome.revision().equals(it.name)
              || isAhead
              || nominal < Math.max(it.beganMs, it.record.visibleMs())
              || !facts.health().covers(home, nominal, nominal + PROMPT_MS)) {
            continue;
          }
          boolean isHeld = outcome.reason().filter(MissedReason.PAUSED::equals).isPresent();
          boolean isDeleted =
              outcome.reason().filter(MissedReason.DELETED::equals).isPresent()
                  && it.endedBy.filter(by -> by.visibleMs() <= nominal + PROMPT_MS).isPresent();
          boolean wasHeld =
              holds().stream().anyMatch(hold -> hold.fromMs() <= outcome.appendedMs());
          long until = Math.max(nominal, runs.heldUntil(it, outcome));
          if (outcome.isFired()
              && outcome.appendedMs() > until + PROMPT_MS
              && facts.health().covers(home, until, until + PROMPT_MS)
              && !(wasHeld && it.spec.timing().isOnce())
              && it.spec.enabled()) {
            found(
                "%s fired only at %s, while a scheduler decides",
                at(nominal), at(outcome.appendedMs()));
          } else if (!outcome.isFired()
              && !isHeld
              && !isDeleted
              && !wasHeld
              && until == nominal
              && !runs.mayOverlap(it, outcome)
              && it.spec.enabled()) {
            found("%s was missed while a scheduler decides: %s", at(nominal), outcome);
          }
        }
      }
    }
  }

  /** What was deleted or replaced does not fire afterwards. */
  private void ends() {
    for (Revised it : revised) {
      if (it.endedBy.isEmpty()) {
        continue;
      }
      LogRecord by = it.endedBy.get();
      boolean isInPlace = it.endedByStray.filter(stray -> stray.record() == by).isPresent();
      long latest = isInPlace ? Long.MAX_VALUE : by.visibleMs() + DELIVERY_MS;
      for (List<Outcome> all : outcomes.values()) {
        for (Outcome outcome : all) {
          boolean isAfter =
              it.isDeleted || outcome.nominalMs() > it.endedMs().orElse(Long.MAX_VALUE);
          if (outcome.isFired()
              && outcome.revision().equals(it.name)
              && (outcome.appendedMs() > latest
                  || it.endedByStray
                      .filter(stray -> way.isKnown(stray, outcome.decidedMs()))
                      .isPresent())
              && isAfter) {
            found(
                "%s of %s fired at %s, and %s ended it at %s",
                at(outcome.nominalMs()),
                it.name,
                at(outcome.appendedMs()),
                by.offset(),
                at(by.visibleMs()));
          }
        }
      }
    }
  }

  /**
   * A pause by command.
   *
   * @param toMs when a command or a new life may have ended it
   * @param isSure whether a scheduler must have read it before retention removed it
   * @param mayLast whether no resume must have been read
   */
  private record Hold(Submitted pause, long toMs, boolean isSure, boolean mayLast) {
    long fromMs() {
      return pause.visibleMs();
    }

    long pausedMs() {
      return pause.timestampMs();
    }

    /** Whether it is in force at the end of the world. */
    boolean lasts(boolean isPaused) {
      return (isSure && toMs == Long.MAX_VALUE) || (mayLast && isPaused);
    }
  }

  /** The pauses that a scheduler may have read. */
  private List<Hold> holds() {
    List<Hold> holds = new ArrayList<>();
    for (Submitted pause : commands("pause")) {
      if (!mayBeRead(pause, COMMANDS_KEPT)) {
        continue;
      }
      long to = Long.MAX_VALUE;
      boolean mayLast = true;
      for (Submitted resume : commands("resume")) {
        if (!pause.isAfter(resume)) {
          to = Math.min(to, resume.appendedMs());
        }
        if (resume.isAfter(pause)) {
          mayLast &= !isSurelyRead(resume, COMMANDS_KEPT - HOUR);
        }
      }
      holds.add(new Hold(pause, to, isSurelyRead(pause, COMMANDS_KEPT - HOUR), mayLast));
    }
    return holds;
  }

  private static String text(LogRecord record) {
    return new String(record.value().orElseThrow(), StandardCharsets.UTF_8);
  }

  /** Since when the revision is held at the end of the world; never if it is not. */
  private long heldSince(Revised it) {
    long since = Long.MAX_VALUE;
    if (!it.spec.enabled()) {
      since = Long.MIN_VALUE;
    }
    for (Hold hold : holds()) {
      if (hold.lasts(evidence.isPaused(id))) {
        since = Math.min(since, hold.pausedMs() - 1);
      }
    }
    return since;
  }

  /** A pause that has not ended holds what was undecided when it came. */
  private boolean isHeldSinceBefore(long dueMs) {
    return holds().stream()
        .anyMatch(
            hold ->
                hold.lasts(evidence.isPaused(id))
                    && (dueMs + PROMPT_MS > hold.fromMs()
                        || !facts.health().covers(evidence.home(id), dueMs, dueMs + PROMPT_MS)));
  }

  /** What is paused does not fire. */
  private void pauses() {
    for (Hold hold : holds()) {
      if (!hold.isSure()) {
        continue;
      }
      Optional<Revised> inForce =
          revised.stream()
              .filter(
                  it ->
                      it.beganMs < hold.pausedMs() - DELIVERY_MS
                          && it.record.visibleMs() < hold.pausedMs() - DELIVERY_MS
                          && it.endedMs().orElse(Long.MAX_VALUE) > hold.pausedMs()
                          && (it.endedBy.isEmpty() || !it.isDeleted))
              .reduce((a, b) -> b);
      if (inForce.isEmpty()) {
        continue;
      }
      boolean resumedShortlyBefore =
          commands("resume").stream()
              .anyMatch(other -> Math.abs(other.timestampMs() - hold.pausedMs()) < DELIVERY_MS);
      for (List<Outcome> all : outcomes.values()) {
        for (Outcome outcome : all) {
          if (outcome.isFired()
              && outcome.revision().equals(inForce.get().name)
              && !resumedShortlyBefore
              && outcome.appendedMs() > hold.fromMs() + DELIVERY_MS
              && (!way.isStray(hold.pause()) || way.isKnown(hold.pause(), outcome.decidedMs()))
              && outcome.appendedMs() < hold.toMs()) {
            found(
                "%s fired at %s, and a command has paused it since %s",
                at(outcome.nominalMs()), at(outcome.appendedMs()), at(hold.fromMs()));
          }
        }
      }
    }
  }

  /** Each command to fire is executed once. */
  private void triggers() {
    Map<String, Integer> triggered = new HashMap<>();
    for (Evidence.Committed<Fire> fire : evidence.fires(id)) {
      if (fire.value().getCause() == Cause.TRIGGERED) {
        String key = fire.record().keyText();
        triggered.merge(key.substring(key.lastIndexOf('|') + 1), 1, Integer::sum);
      }
    }
    triggered.forEach(
        (command, times) -> {
          if (times > 1) {
            found("the command %s fired %s times", command, times);
          }
        });
    for (Submitted command : commands("trigger")) {
      boolean mustFire =
          isSurelyRead(command, COMMANDS_KEPT - HOUR)
              && revised.stream()
                  .anyMatch(
                      it ->
                          it.beganMs < command.appendedMs()
                              && it.endedBy.isEmpty()
                              && it.ended.isEmpty());
      String name = text(command.record());
      name = name.substring(name.indexOf("\"c") + 1);
      name = name.substring(name.indexOf(":\"") + 2, name.indexOf("\","));
      if (mustFire && !triggered.containsKey(name)) {
        found("the command %s never fired", name);
      }
    }
  }
}
