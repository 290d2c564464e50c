package io.waterclock.console.model;

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
 * @param text part of an id, of an owner, of a label or of a trigger, in any case
 * @param prefix the beginning of an id
 * @param states one of them
 * @param rejected true for those alone whose newest definition was rejected
 * @param failing also those whose fires fail, in any state; without states, these alone
 * @param dueFrom inclusive: the next occurrence
 * @param dueTo exclusive
 */
public record ScheduleFilter(
    Optional<String> text,
    Optional<String> prefix,
    Optional<String> owner,
    Set<State> states,
    boolean rejected,
    boolean failing,
    Optional<Instant> dueFrom,
    Optional<Instant> dueTo) {

  public static final ScheduleFilter ALL =
      new ScheduleFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Set.of(),
          false,
          false,
          Optional.empty(),
          Optional.empty());

  /** A test of entries that remembers what it has said of shared texts; for one query. */
  Predicate<ScheduleEntry> compiled() {
    Optional<TextSearch> search = text.filter(part -> !part.isBlank()).map(TextSearch::new);
    return entry ->
        hasState(entry)
            && (owner.isEmpty() || owner.get().equals(entry.owner))
            && (dueFrom.isEmpty() || entry.nextMs >= dueFrom.get().toEpochMilli())
            && (dueTo.isEmpty() || entry.nextMs < dueTo.get().toEpochMilli())
            && (!rejected || entry.isRejected)
            && (search.isEmpty() || search.get().finds(entry));
  }

  private boolean hasState(ScheduleEntry entry) {
    return (states.isEmpty() && !failing)
        || (entry.state != null && states.contains(entry.state))
        || (failing && entry.isFailing);
  }

  /** Searches each shared owner, trigger and set of labels once. */
  private static final class TextSearch {
    private final StarPattern part;
    private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();

    TextSearch(String part) {
      this.part = StarPattern.containing(part.strip().toLowerCase(Locale.ROOT));
    }

    boolean finds(ScheduleEntry entry) {
      return isIn(entry.id)
          || isShared(entry.trigger)
          || (entry.owner != null && isShared(entry.owner))
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
