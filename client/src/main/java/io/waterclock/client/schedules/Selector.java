package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Selects schedules for a list or a bulk change; a schedule must match all parts.
 *
 * <pre>{@code
 * Selector.all().label("team", "billing").where("catch_up = replay and not paused_by")
 * }</pre>
 *
 * <p>Definitions are judged by {@link KnownSchedule#schedule()}. Immutable.
 *
 * @param states empty for all states; REJECTED means ids without any accepted definition, and to
 *     {@link #test} also those whose newest definition alone was rejected
 * @param failing also schedules whose fires fail, in any state; without states, only these
 * @param idPrefix the beginning of the id; empty for all
 */
public record Selector(
    Set<State> states,
    boolean failing,
    Optional<String> owner,
    Map<String, String> labels,
    String idPrefix,
    Optional<WhereExpression> where)
    implements Predicate<KnownSchedule> {
  public Selector {
    states = Set.copyOf(states);
    labels = Map.copyOf(labels);
  }

  /** Selects every schedule. */
  public static Selector all() {
    return new Selector(Set.of(), false, Optional.empty(), Map.of(), "", Optional.empty());
  }

  /** The same for schedules in one of these states. */
  public Selector state(State... wanted) {
    return new Selector(Set.copyOf(List.of(wanted)), failing, owner, labels, idPrefix, where);
  }

  /** The same for the schedules of an owner. */
  public Selector owner(String name) {
    return new Selector(states, failing, Optional.of(name), labels, idPrefix, where);
  }

  /** The same for schedules that have this label, too. */
  public Selector label(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(name, value);
    return new Selector(states, failing, owner, more, idPrefix, where);
  }

  /** The same for schedules whose ids begin with a text. */
  public Selector idPrefix(String text) {
    return new Selector(states, failing, owner, labels, text, where);
  }

  /**
   * The same for schedules that match an expression.
   *
   * @throws io.waterclock.schemas.text.InvalidValueException as {@link WhereExpression#parse} does
   */
  public Selector where(String expression) {
    return new Selector(
        states, failing, owner, labels, idPrefix, Optional.of(WhereExpression.parse(expression)));
  }

  /** Whether it selects every schedule. */
  public boolean isAll() {
    return equals(all());
  }

  /** Whether one of the parts looks at definitions. */
  public boolean looksAtDefinitions() {
    return owner.isPresent() || !labels.isEmpty() || where.isPresent();
  }

  /** Whether a list is to show the schedule. */
  @Override
  public boolean test(KnownSchedule schedule) {
    return schedule.id().startsWith(idPrefix)
        && (!looksAtState()
            || hasState(schedule)
            || (states.contains(State.REJECTED) && schedule.newestIsRejected()))
        && matchesDefinition(schedule);
  }

  /**
   * Whether its id and its state match. REJECTED, the state of an id without any accepted
   * definition, matches only if it is named.
   */
  public boolean matchesIdAndState(KnownSchedule schedule) {
    return schedule.id().startsWith(idPrefix)
        && (looksAtState()
            ? hasState(schedule)
            : schedule.state().filter(State.REJECTED::equals).isEmpty());
  }

  private boolean looksAtState() {
    return failing || !states.isEmpty();
  }

  private boolean hasState(KnownSchedule schedule) {
    return schedule.state().filter(states::contains).isPresent()
        || (failing && schedule.failing().isPresent());
  }

  /**
   * Whether a change to all that match is for it: as {@link #matchesIdAndState}, and all parts. A
   * rejected edit does not count: a delete of all that is REJECTED leaves what is in force.
   */
  public boolean selects(KnownSchedule schedule) {
    return matchesIdAndState(schedule) && matchesDefinition(schedule);
  }

  /** Whether the schedule matches all parts that look at its definition. */
  public boolean matchesDefinition(KnownSchedule schedule) {
    return (owner.isEmpty() || owner.equals(schedule.schedule().map(Schedule::getOwner)))
        && schedule
            .schedule()
            .map(Schedule::getLabels)
            .orElse(Map.of())
            .entrySet()
            .containsAll(labels.entrySet())
        && where.map(expression -> expression.test(schedule)).orElse(true);
  }
}
