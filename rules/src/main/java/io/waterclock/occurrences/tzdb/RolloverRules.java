package io.waterclock.occurrences.tzdb;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the rules of a zone from two versions: the one before an instant, the other from it on.
 *
 * <p>Idea: rules are a list of clock changes, and rules for all years after the last one. The list
 * takes the changes of the old rules before the instant, a change at the instant if the offsets
 * differ there, and the changes of the new rules to the end of the following year. The rules for
 * later years are those of the new version.
 */
final class RolloverRules {
  static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
  static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  private RolloverRules() {}

  static ZoneRules of(ZoneRules old, ZoneRules next, Instant from) {
    if (old.equals(next)) {
      return old;
    }
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    Instant justBefore = from.minusNanos(1);
    changes(old, Instant.MIN, justBefore, changes);
    change(from, old.getOffset(justBefore), next.getOffset(from), changes);
    int listed = changes.size();
    changes(next, from, endOfList(next, from), changes);
    ZoneOffset first = offsetBefore(changes, next.getOffset(from));
    List<ZoneOffsetTransition> standard = new ArrayList<>();
    ZoneOffset standardAtFirst = old.getStandardOffset(Instant.MIN);
    ZoneOffset last = standardAtFirst;
    for (int i = 0; i < changes.size(); i++) {
      Instant at = changes.get(i).getInstant();
      ZoneOffset after = (i < listed && at.isBefore(from) ? old : next).getStandardOffset(at);
      change(at, last, after, standard);
      last = after;
    }
    return ZoneRules.of(standardAtFirst, first, standard, changes, next.getTransitionRules());
  }

  /** The rules for later years apply from the year after the list's last one on. */
  private static Instant endOfList(ZoneRules rules, Instant from) {
    List<ZoneOffsetTransition> listed = rules.getTransitions();
    Instant last = listed.isEmpty() ? from : listed.get(listed.size() - 1).getInstant();
    int year = (last.isAfter(from) ? last : from).atOffset(ZoneOffset.UTC).getYear() + 2;
    return LocalDateTime.of(year, 1, 2, 0, 0).toInstant(ZoneOffset.UTC);
  }

  private static ZoneOffset offsetBefore(List<ZoneOffsetTransition> changes, ZoneOffset otherwise) {
    return changes.isEmpty() ? otherwise : changes.get(0).getOffsetBefore();
  }

  /** Adds the clock changes in ({@code after}, {@code through}]. */
  private static void changes(
      ZoneRules rules, Instant after, Instant through, List<ZoneOffsetTransition> into) {
    ZoneOffsetTransition change = rules.nextTransition(after);
    while (change != null && !change.getInstant().isAfter(through)) {
      into.add(change);
      change = rules.nextTransition(change.getInstant());
    }
  }

  private static void change(
      Instant at, ZoneOffset before, ZoneOffset after, List<ZoneOffsetTransition> into) {
    if (!before.equals(after)) {
      LocalDateTime local = LocalDateTime.ofInstant(at.truncatedTo(ChronoUnit.SECONDS), before);
      into.add(ZoneOffsetTransition.of(local, before, after));
    }
  }
}
