package io.waterclock.console.problems;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A page of the list of problems: the gravest kind first, within it the newest first. Schedules
 * with one cause, such as a pause by one person or a limit, are one row, in the place of the
 * newest.
 *
 * @param counts how many schedules have each kind, of the owner that the filter names
 * @param owners how many schedules have each owner, of the kind that the filter names: those with
 *     the most, {@value #MOST_OWNERS} at most; an empty name for no owner
 * @param rows how many rows fit the filter, on all pages
 * @param after where the next page begins; empty on the last page
 */
public record ProblemPage(
    List<Row> page,
    Map<ProblemKind, Long> counts,
    List<OwnerCount> owners,
    long rows,
    Optional<String> after) {
  /** Schedules beyond so many groups have rows of their own, which bounds the memory of a query. */
  static final int MOST_GROUPS = 10_000;

  static final int MOST_OWNERS = 100;

  /**
   * Some schedules with one problem.
   *
   * @param newest the one that has it for the shortest time
   * @param count how many schedules; 1 for a row of one
   * @param firstMs since when the first of them has it
   */
  public record Row(ProblemFact newest, long count, long firstMs) {
    private static final Comparator<Row> ORDER =
        Comparator.comparing((Row row) -> row.newest.kind())
            .thenComparing(Comparator.comparingLong((Row row) -> row.newest.sinceMs()).reversed())
            .thenComparing(row -> row.newest.id());

    private static Row of(ProblemFact fact) {
      return new Row(fact, 1, fact.sinceMs());
    }

    private Row with(Row other) {
      return new Row(
          ORDER.compare(this, other) < 0 ? newest : other.newest,
          count + other.count,
          Math.min(firstMs, other.firstMs));
    }

    private String place() {
      return newest.kind() + " " + newest.sinceMs() + " " + newest.id();
    }

    /**
     * @throws IllegalArgumentException if it is no {@link #place}
     */
    private static Row at(String place) {
      String[] parts = place.split(" ", 3);
      if (parts.length < 3) {
        throw new IllegalArgumentException("a place is a kind, milliseconds and an id");
      }
      return of(
          new ProblemFact(
              parts[2],
              ProblemKind.valueOf(parts[0]),
              "",
              Long.parseLong(parts[1]),
              Optional.empty()));
    }
  }

  /** What is one row. */
  private record Together(ProblemKind kind, String group) {}

  /** How many schedules of an owner need a person. */
  public record OwnerCount(String owner, long count) {}

  /**
   * Looks at each fact once.
   *
   * @param after exclusive, from an earlier page; empty for the first page
   * @param most at most this many rows
   * @throws IllegalArgumentException if {@code after} is of no page
   */
  public static ProblemPage of(
      Iterable<ProblemFact> facts, ProblemFilter filter, Optional<String> after, int most) {
    Map<ProblemKind, Long> counts = new EnumMap<>(ProblemKind.class);
    Map<String, Long> owners = new HashMap<>();
    Map<Together, Row> groups = new HashMap<>();
    First first = new First(after.map(Row::at), most);
    for (ProblemFact fact : facts) {
      if (filter.hasOwner(fact)) {
        counts.merge(fact.kind(), 1L, Long::sum);
      }
      if (filter.hasKind(fact)) {
        owners.merge(fact.owner(), 1L, Long::sum);
      }
      if (!filter.hasKind(fact) || !filter.hasOwner(fact)) {
        continue;
      }
      Optional<Together> group =
          fact.group()
              .map(one -> new Together(fact.kind(), one))
              .filter(one -> groups.size() < MOST_GROUPS || groups.containsKey(one));
      if (group.isPresent()) {
        groups.merge(group.get(), Row.of(fact), Row::with);
      } else {
        first.add(Row.of(fact));
      }
    }
    groups.values().forEach(first::add);
    return new ProblemPage(first.page(), counts, most(owners), first.rows, first.after());
  }

  private static List<OwnerCount> most(Map<String, Long> owners) {
    return owners.entrySet().stream()
        .map(one -> new OwnerCount(one.getKey(), one.getValue()))
        .sorted(
            Comparator.comparingLong(OwnerCount::count).reversed().thenComparing(OwnerCount::owner))
        .limit(MOST_OWNERS)
        .toList();
  }

  /** The first rows behind a place. */
  private static final class First {
    private final Optional<Row> after;
    private final int most;

    /** The last one on top. */
    private final PriorityQueue<Row> kept = new PriorityQueue<>(Row.ORDER.reversed());

    private boolean isCut;
    private long rows;

    First(Optional<Row> after, int most) {
      this.after = after;
      this.most = most;
    }

    void add(Row row) {
      rows++;
      if (after.isPresent() && Row.ORDER.compare(row, after.get()) <= 0) {
        return;
      }
      kept.add(row);
      if (kept.size() > most) {
        kept.remove();
        isCut = true;
      }
    }

    List<Row> page() {
      return kept.stream().sorted(Row.ORDER).toList();
    }

    Optional<String> after() {
      return isCut ? Optional.of(kept.element().place()) : Optional.empty();
    }
  }
}
