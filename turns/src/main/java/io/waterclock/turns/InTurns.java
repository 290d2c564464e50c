package io.waterclock.turns;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test of Waterclock itself that takes long and is one of several scenarios of the same promise.
 * A build runs one turn of each promise, chosen by the property {@code waterclock.turns}, which the
 * build sets anew and prints.
 *
 * <p>All turns run with {@code -Dwaterclock.all=true}, where a person names tests by {@code
 * -Dtest}, and where no build has set the property. A test that was left out says so in its reason.
 *
 * <p>A module that runs the tests of another one again, with other libraries, sets {@code
 * waterclock.turns.offset} to 1: what the one leaves out, the other runs.
 *
 * <p>Of a parameterized test, the turns are its invocations: the n-th one is turn n - 1 modulo
 * {@link #of}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(InTurns.Condition.class)
public @interface InTurns {
  /** What the scenarios show; the name that they share. */
  String promise();

  /** When this one runs, 0 (inclusive) to {@link #of} (exclusive); each number must have one. */
  int turn() default 0;

  /** The number of turns, at least 2. */
  int of();

  /** Leaves out what is not in turn. */
  final class Condition implements ExecutionCondition {
    private static final Pattern TEMPLATE = Pattern.compile("\\[test-template:[^]]*]$");
    private static final Pattern INVOCATION =
        Pattern.compile("\\[test-template-invocation:#(\\d+)]$");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return context
          .getElement()
          .map(element -> element.getAnnotation(InTurns.class))
          .flatMap(turns -> seed().map(seed -> evaluate(turns, seed, context.getUniqueId())))
          .orElseGet(() -> ConditionEvaluationResult.enabled("all turns run"));
    }

    /** Empty where all turns run. */
    private static Optional<String> seed() {
      return Boolean.getBoolean("waterclock.all") || System.getProperty("test") != null
          ? Optional.empty()
          : Optional.ofNullable(System.getProperty("waterclock.turns"));
    }

    static ConditionEvaluationResult evaluate(InTurns turns, String seed, String uniqueId) {
      if (TEMPLATE.matcher(uniqueId).find()) {
        return ConditionEvaluationResult.enabled("its invocations take turns");
      }
      Matcher invocation = INVOCATION.matcher(uniqueId);
      int turn =
          invocation.find()
              ? (Integer.parseInt(invocation.group(1)) - 1) % turns.of()
              : turns.turn();
      int drawn = new SplittableRandom((seed + turns.promise()).hashCode()).nextInt(turns.of());
      int chosen = (drawn + Integer.getInteger("waterclock.turns.offset", 0)) % turns.of();
      return turn == chosen
          ? ConditionEvaluationResult.enabled("it is its turn")
          : ConditionEvaluationResult.disabled(
              ("of \"%s\" this build runs turn %d, and this is turn %d; -Dwaterclock.all=true runs"
                      + " all, -Dwaterclock.turns=%s those of this build")
                  .formatted(turns.promise(), chosen, turn, seed));
    }
  }
}
