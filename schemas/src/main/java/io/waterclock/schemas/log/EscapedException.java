package io.waterclock.schemas.log;

import io.waterclock.schemas.text.SafeText;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a log for an exception whose text could forge lines of it, or which throws when it is
 * asked for its text: with the name and the text of that exception, escaped, and its stack traces.
 * Logs that print the class show this one first.
 */
final class EscapedException extends Exception {
  private EscapedException(String text, @Nullable Throwable cause) {
    super(text, cause, true, true);
  }

  /** The exception itself if its text and the text of its causes are safe. */
  static Throwable of(Throwable thrown, Set<Throwable> seen) {
    if (!seen.add(thrown) || isSafe(thrown, Collections.newSetFromMap(new IdentityHashMap<>()))) {
      return thrown;
    }
    Throwable cause = ifItSays(thrown::getCause);
    EscapedException escaped =
        new EscapedException(
            SafeText.line(SafeText.of(thrown)),
            cause == null || seen.contains(cause) ? null : of(cause, seen));
    StackTraceElement[] trace = ifItSays(thrown::getStackTrace);
    escaped.setStackTrace(trace == null ? new StackTraceElement[0] : trace);
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (!seen.contains(suppressed)) {
        escaped.addSuppressed(of(suppressed, seen));
      }
    }
    return escaped;
  }

  private static boolean isSafe(@Nullable Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return true;
    }
    try {
      return isSafe(thrown.toString())
          && isSafe(thrown.getMessage())
          && isSafe(thrown.getLocalizedMessage())
          && thrown.getStackTrace() != null
          && isSafe(thrown.getCause(), seen)
          && Arrays.stream(thrown.getSuppressed()).allMatch(one -> isSafe(one, seen));
    } catch (RuntimeException | Error e) {
      return false; // a logger would meet the same
    }
  }

  private static boolean isSafe(@Nullable String text) {
    return text == null || text.codePoints().noneMatch(SafeText::isUnsafe);
  }

  /** What an exception of others says of itself; null if it throws instead. */
  private static <T> @Nullable T ifItSays(Supplier<? extends @Nullable T> question) {
    try {
      return question.get();
    } catch (RuntimeException | Error e) {
      return null;
    }
  }

  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message begins with the other's class
  public String toString() {
    return String.valueOf(getMessage());
  }
}
