package io.waterclock.console.model;

import io.waterclock.client.schedules.WhereExpression;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.StarPattern;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which schedules to list; what is empty filters nothing.
 *
 * @param text part of an id, owner, label, trigger, zone, calendar or of the author of the
 *     definition in force, in any case
 * @param prefix the beginning of an id
 * @param states one of them; REJECTED means those whose newest definition was rejected, too
 * @param rejected true for those alone whose newest definition was rejected
 * @param failing also those whose fires fail, in any state; without states, these alone
 * @param never true for those alone that are active, but of which everything is left out
 * @param dueFrom inclusive: the next occurrence
 * @param dueTo exclusive
 * @param where a condition on what is known of a schedule, see {@link ReadModel#page}
 */
public record ScheduleFilter(
    Optional<String> text,
    Optional<String> prefix,
    Optional<String> owner,
    Set<State> states,
    boolean rejected,
    boolean failing,
    boolean never,
    Optional<Instant> dueFrom,
    Optional<Instant> dueTo,
    Optional<WhereExpression> where) {

  public static final ScheduleFilter ALL =
      new ScheduleFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Set.of(),
          false,
          false,
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /**
   * A test of entries by all but {@link #where}, which remembers what it has said of shared texts;
   * for one query.
   */
  Predicate<ScheduleEntry> compiled() {
    Optional<TextSearch> search = text.filter(part -> !part.isBlank()).map(TextSearch::new);
    return entry ->
        hasState(entry)
            && (owner.isEmpty() || owner.get().equals(entry.owner))
            && (dueFrom.isEmpty() || entry.nextMs >= dueFrom.get().toEpochMilli())
            && (dueTo.isEmpty() || entry.nextMs < dueTo.get().toEpochMilli())
            && (!rejected || entry.isRejected)
            && (!never || entry.neverFires)
            && (search.isEmpty() || search.get().finds(entry));
  }

  private boolean hasState(ScheduleEntry entry) {
    return (states.isEmpty() && !failing)
        || (entry.state != null && states.contains(entry.state))
        || (entry.isRejected && states.contains(State.REJECTED))
        || (failing && entry.isFailing());
  }

  /** Searches each text that schedules share once. */
  private static final class TextSearch {
    private final StarPattern part;
    private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();

    TextSearch(String part) {
      this.part = StarPattern.containing(part.strip().toLowerCase(Locale.ROOT));
    }

    boolean finds(ScheduleEntry entry) {
      return isIn(entry.id)
          || isShared(entry.trigger)
          || isShared(entry.zone)
          || (entry.owner != null && isShared(entry.owner))
          || (entry.author != null && isShared(entry.author))
          || (!entry.calendars.isEmpty() && isShared(entry.calendars))
          || (!entry.labels.isEmpty() && isShared(entry.labels));
    }

    private boolean isShared(Object text) {
      return seen.computeIfAbsent(text, shared -> isIn(shared.toString()));
    }

    private boolean isIn(String text) {
      return part.matches(text.toLowerCase(Locale.ROOT));
    }
  }
}
