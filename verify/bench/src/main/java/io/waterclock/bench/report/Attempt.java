package io.waterclock.bench.report;

import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Progress;
import io.waterclock.bench.run.VoidRunException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A measurement that may come to nothing.
 *
 * @param figures empty when there are none
 * @param flaw why there are none: {@code void: ...} when work was missed or done twice, {@code
 *     failed: ...} when it could not be measured; empty when there are figures
 */
public record Attempt<T>(Optional<T> figures, Optional<String> flaw) {
  /** Stands in a table for the figures of a void run. */
  static final String VOID = "void";

  /** Stands in a table for the figures of a run that could not be measured. */
  static final String FAILED = "failed";

  /** Measures; an exception is the result of this measurement and does not leave it. */
  public static <T> Attempt<T> at(String what, Supplier<T> measurement) {
    try {
      return new Attempt<>(Optional.of(measurement.get()), Optional.empty());
    } catch (RuntimeException e) {
      String flaw = flaw(e);
      Progress.say(what + " is " + flaw);
      return new Attempt<>(Optional.empty(), Optional.of(flaw));
    }
  }

  public static String flaw(RuntimeException e) {
    String word = e instanceof VoidRunException ? VOID : FAILED;
    return word + ": " + (e instanceof BenchException ? e.getMessage() : e);
  }

  public boolean hasFailed() {
    return flaw.filter(why -> why.startsWith(FAILED)).isPresent();
  }

  /** A figure, or the word that stands for it. */
  public Object figureOrWord(Function<T, ?> figure) {
    return figures.<Object>map(figure).orElse(hasFailed() ? FAILED : VOID);
  }
}
