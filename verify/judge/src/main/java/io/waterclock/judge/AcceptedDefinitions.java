package io.waterclock.judge;

import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the records of a schedule define, beside what the schedulers have accepted. */
final class AcceptedDefinitions {
  private final Dossier dossier;
  private final List<Revised> revised;

  /**
   * The offsets of records that no scheduler read: compaction has removed them before, or a delete
   * found them waiting.
   */
  private final Set<Long> unread = new HashSet<>();

  private Optional<Revised> current = Optional.empty();
  private Optional<Long> lastWrite = Optional.empty();
  private int life;
  private long deletedMs;

  AcceptedDefinitions(Dossier dossier) {
    this.dossier = dossier;
    this.revised = dossier.revised;
  }

  void read() {
    do {
      revised.clear();
      current = Optional.empty();
      lastWrite = Optional.empty();
      life = 0;
      deletedMs = 0;
      inOrder().forEach(this::read);
      match();
    } while (findUnread());
    compare();
  }

  /**
   * A definition or a delete with its place.
   *
   * @param partition in which it took effect
   */
  private record Placed(Entry<String> record, int partition) {}

  private void read(Placed placed) {
    Entry<String> record = placed.record();
    if (unread.contains(record.offset())) {
      return;
    }
    if (record.header(Entry.ORIGIN).isPresent()) {
      removed(record);
      return;
    }
    long ts = record.stampedMs();
    boolean hasCurrent = current.isPresent();
    if (record.header(Entry.STRAY).isPresent()
        && lastWrite.filter(last -> hasCurrent ? last > ts : last >= ts).isPresent()) {
      return;
    }
    Optional<Entry<String>> stray = stray(placed);
    if (record.value().isEmpty()) {
      current.ifPresent(it -> it.isDeleted = true);
      end(record, stray);
      lastWrite = Optional.of(lastWrite.map(last -> Math.max(last, ts)).orElse(ts));
      over(record);
      return;
    }
    // the scheduler may write a stray in other words than its producer; it counts as produced
    String json = stray.flatMap(Entry::value).or(record::value).orElseThrow();
    ObservedDefinition definition = ObservedDefinition.parse(json);
    boolean isEqual = current.filter(it -> it.definition.equals(definition)).isPresent();
    if (isEqual && !(definition.mayComplete() && dossier.isAccepted(record.place()))) {
      current.get().isRepeated = true; // else it begins anew
      lastWrite = Optional.of(Math.max(ts, lastWrite.orElse(ts)));
      return;
    }
    Revised next = new Revised(record.place(), definition, record, life);
    next.deletedBeforeMs = deletedMs;
    end(record, stray);
    lastWrite = Optional.of(ts);
    current = Optional.of(next);
    revised.add(next);
  }

  private void end(Entry<String> by, Optional<Entry<String>> stray) {
    current.ifPresent(
        it -> {
          it.endedBy = Optional.of(by);
          it.endedByStray = stray;
        });
  }

  private void over(Entry<String> record) {
    deletedMs = Math.max(deletedMs, record.timestampMs());
    current = Optional.empty();
    life++;
  }

  /** The scheduler corrects its topic, or removes a schedule that is complete. */
  private void removed(Entry<String> record) {
    if (record.value().isEmpty()
        && current
            .filter(it -> record.header(Entry.ORIGIN).filter(it.name::equals).isPresent())
            .isPresent()) {
      Revised it = current.get();
      if (!it.definition.mayComplete()) {
        dossier.found(
            Finding.Kind.REVISION,
            record.timestampMs(),
            "%s was removed by the scheduler, and it recurs",
            it.name);
      }
      over(record);
    }
  }

  /** The stray that it is, or of which it is the copy at home. */
  private Optional<Entry<String>> stray(Placed placed) {
    return placed.partition() == dossier.way.home()
        ? placed.record().header(Entry.STRAY).flatMap(dossier.evidence::schedule)
        : Optional.of(placed.record());
  }

  /**
   * What the partition at home has, and before it what took effect in another partition: a stray
   * that a later record at home replaces.
   */
  private List<Placed> inOrder() {
    List<Placed> all = new ArrayList<>();
    for (Entry<String> record : dossier.evidence.written(dossier.id)) {
      all.add(new Placed(record, dossier.way.home()));
    }
    for (Entry<String> record : dossier.evidence.elsewhere(dossier.id)) {
      if (record.value().isPresent() ? dossier.isAccepted(record.place()) : hasEnded(record)) {
        all.add(indexAfter(all, record), new Placed(record, record.partition()));
      }
    }
    return all;
  }

  /** Whether a revision ended by a delete elsewhere that was not brought home. */
  private boolean hasEnded(Entry<String> delete) {
    return delete.header(Entry.MOVED).isEmpty()
        && !dossier.evidence.isBroughtHome(delete)
        && dossier.evidence.revisions(dossier.id).stream()
            .map(written -> Optional.ofNullable(written.value().orElseThrow().getEndedAt()))
            .flatMap(Optional::stream)
            .anyMatch(ended -> ended.toEpochMilli() == delete.timestampMs());
  }

  private static int indexAfter(List<Placed> all, Entry<String> stray) {
    for (int i = 0; i < all.size(); i++) {
      Entry<String> record = all.get(i).record();
      boolean isUsers = record.header(Entry.ORIGIN).isEmpty();
      if (isUsers && record.timestampMs() >= stray.timestampMs()) {
        return i;
      }
    }
    return all.size();
  }

  private void match() {
    Map<String, Revised> byName = new HashMap<>();
    revised.forEach(it -> byName.put(it.name, it));
    for (Entry<Revision> written : dossier.evidence.revisions(dossier.id)) {
      Optional.ofNullable(byName.get(written.value().orElseThrow().getRevision()))
          .ifPresent(it -> it.add(written));
    }
  }

  /**
   * In an outage of more than a week compaction removes what later records replace, before a
   * scheduler has read it.
   *
   * @return true when another such record was found
   */
  private boolean findUnread() {
    for (Revised it : revised) {
      boolean hasSuccessor = it.isRepeated || it.endedBy.isPresent();
      if (it.began.isEmpty() && ((hasSuccessor && isOld(it.record)) || mayBeRefused(it))) {
        unread.add(it.record.offset());
        return true;
      }
      if (it.isDeleted && sawNoDelete(it) && isOld(it.endedBy.orElseThrow())) {
        unread.add(it.endedBy.get().offset());
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
                .filter(next -> next.began.isEmpty() && next.definition.equals(it.definition))
                .isPresent();
    return isRepeated
        || it.ended.filter(end -> end.getEndedBy() == RevisionEnd.REPLACED).isPresent();
  }

  private boolean isOld(Entry<String> record) {
    return isOld(dossier, record);
  }

  /** Whether compaction may have removed a record before it was read. */
  static boolean isOld(Dossier dossier, Entry<String> record) {
    return dossier.terms.endMs() - record.appendedMs() > Evidence.MIN_COMPACTION_LAG
        && !dossier.way.isSurelyRead(record, Evidence.MIN_COMPACTION_LAG);
  }

  private void compare() {
    Set<String> known = new HashSet<>();
    for (Revised it : revised) {
      known.add(it.name);
      long atMs = it.record.timestampMs();
      if (it.began.isEmpty()) {
        dossier.found(Finding.Kind.LOST, atMs, "%s was never accepted", it.name);
      }
      if (it.times > 1) {
        dossier.found(Finding.Kind.REVISION, atMs, "%s was accepted %s times", it.name, it.times);
      }
    }
    for (Entry<Revision> written : dossier.evidence.revisions(dossier.id)) {
      String name = written.value().orElseThrow().getRevision();
      if (!known.contains(name)) {
        dossier.found(
            Finding.Kind.REVISION, written.timestampMs(), "%s was accepted, and must not be", name);
      }
    }
    revised.removeIf(it -> it.began.isEmpty());
  }

  /** A delete waits for no schema, and refuses what it finds waiting. */
  private boolean mayBeRefused(Revised it) {
    return it.record.header(Entry.WAITED).isPresent()
        && revised.stream()
            .filter(other -> other.life == it.life && other.isDeleted)
            .flatMap(other -> other.endedBy.stream())
            .anyMatch(
                delete ->
                    delete.timestampMs()
                        <= it.record.visibleMs()
                            + dossier.terms.patience().readMs()
                            + dossier.terms.aheadMs());
  }
}
