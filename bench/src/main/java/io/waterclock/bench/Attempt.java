package io.waterclock.bench;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A measurement that may turn out void: what was measured, or why it does not count.
 *
 * @param figures empty when the run is void
 * @param flaw why it is void; empty when it is not
 */
record Attempt<T>(Optional<T> figures, Optional<String> flaw) {
  static final String VOID = "void";

  /** Measures; a {@link BenchException} makes the run void. */
  static <T> Attempt<T> at(String what, Supplier<T> measurement) {
    try {
      return new Attempt<>(Optional.of(measurement.get()), Optional.empty());
    } catch (BenchException e) {
      String flaw = String.valueOf(e.getMessage());
      Progress.say(what + " is void: " + flaw);
      return new Attempt<>(Optional.empty(), Optional.of(flaw));
    }
  }

  /** A figure of it, or the word that it has none. */
  Object tell(Function<T, ? extends Object> figure) {
    return figures.<Object>map(figure).orElse(VOID);
  }
}
