package io.waterclock.topology.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Plays every history of a model, the shortest first, until one breaks an invariant or a bound is
 * reached.
 *
 * <p>Idea: the rules of the product change objects that cannot be copied. So a state is the list of
 * the events that lead to it, and is played again for each event that may follow. Two states with
 * the same fingerprint continue in the same way, so only the first of them is continued. Costs the
 * depth for each transition, and about 200 bytes for each state.
 *
 * @param <E> the events, an enum
 */
public final class Explorer<E extends Enum<E>> {

  /** A model: rules of the product, and a small world around them. */
  public interface World<E> {

    /**
     * Lets an event happen.
     *
     * @return false if it cannot happen now; then the world is not used any more
     */
    boolean play(E event);

    /** The same text for worlds that continue in the same way. */
    String fingerprint();

    /**
     * The broken invariant. Asked last, so it may use up the world, and only of the first world
     * with a fingerprint.
     */
    Optional<String> broken();
  }

  /**
   * The result of an exploration.
   *
   * @param states the number of different states
   * @param transitions the number of events that happened in them
   * @param depth the length of the longest history
   * @param isComplete true if no state remains that is not continued
   * @param counterexample the shortest history that breaks an invariant
   */
  private record Result(
      int states,
      long transitions,
      int depth,
      boolean isComplete,
      Optional<String> counterexample) {

    @Override
    public String toString() {
      return "%,d states, %,d transitions, histories of up to %d events%s%s"
          .formatted(
              states,
              transitions,
              depth,
              isComplete ? ", complete" : "",
              counterexample.map(text -> "; broken:\n" + text).orElse(""));
    }
  }

  /** The last event of a history. */
  private record Step<E>(Optional<Step<E>> before, E event) {}

  private final Supplier<World<E>> begin;
  private final List<E> events;
  private final Set<UUID> known = new HashSet<>();
  private final Queue<Optional<Step<E>>> open = new ArrayDeque<>();
  private long transitions;
  private int depth;

  /**
   * @param begin makes the world before its first event
   */
  public Explorer(Supplier<World<E>> begin, Class<E> events) {
    this.begin = begin;
    this.events = List.of(events.getEnumConstants());
  }

  /**
   * Plays the product, which must keep every invariant.
   *
   * @param title of the line that is printed
   * @param statesInTheBuild explored unless {@code -Dwaterclock.model} says how many
   */
  public void mustHold(String title, int statesInTheBuild) {
    Result result = explore(Integer.getInteger("waterclock.model", statesInTheBuild));
    System.out.println(title + ": " + result);
    assertThat(result.counterexample()).isEmpty();
  }

  /** Plays a planted fault, which must break an invariant. */
  public void mustBreak(Enum<?> variant, int mostStates) {
    Result result = explore(mostStates);
    System.out.println(variant + ": " + result);
    assertThat(result.counterexample()).as(result.toString()).isPresent();
  }

  /** Explores until an invariant is broken, or all states or {@code mostStates} are known. */
  private Result explore(int mostStates) {
    isNew(begin.get());
    open.add(Optional.empty());
    while (!open.isEmpty()) {
      Optional<Step<E>> history = open.remove();
      for (E event : events) {
        Optional<String> counterexample = continueWith(history, event);
        if (counterexample.isPresent() || known.size() >= mostStates) {
          return new Result(known.size(), transitions, depth, false, counterexample);
        }
      }
    }
    return new Result(known.size(), transitions, depth, true, Optional.empty());
  }

  private Optional<String> continueWith(Optional<Step<E>> history, E event) {
    World<E> world = begin.get();
    List<E> before = events(history);
    before.forEach(world::play);
    if (!world.play(event)) {
      return Optional.empty();
    }
    transitions++;
    if (!isNew(world)) {
      return Optional.empty();
    }
    Step<E> step = new Step<>(history, event);
    depth = before.size() + 1;
    open.add(Optional.of(step));
    return world.broken().map(broken -> story(step, broken));
  }

  private boolean isNew(World<E> world) {
    byte[] text = world.fingerprint().getBytes(StandardCharsets.UTF_8);
    return known.add(UUID.nameUUIDFromBytes(text));
  }

  private static <E> List<E> events(Optional<Step<E>> last) {
    List<E> events = new ArrayList<>();
    for (Optional<Step<E>> step = last; step.isPresent(); step = step.get().before()) {
      events.add(step.get().event());
    }
    Collections.reverse(events);
    return events;
  }

  private static <E> String story(Step<E> last, String broken) {
    StringBuilder story = new StringBuilder();
    int number = 0;
    for (E event : events(Optional.of(last))) {
      story.append("  ").append(++number).append(". ").append(event).append('\n');
    }
    return story.append("  ").append(broken).toString();
  }
}
