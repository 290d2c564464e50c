package io.waterclock.schemas.log;

import io.waterclock.schemas.text.SafeText;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a log for an exception whose text could forge lines of it: with the name and the text
 * of that exception, escaped, and its stack traces. Logs that print the class show this one first.
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
    Throwable cause = thrown.getCause();
    EscapedException escaped =
        new EscapedException(
            SafeText.line(thrown.toString()),
            cause == null || seen.contains(cause) ? null : of(cause, seen));
    escaped.setStackTrace(thrown.getStackTrace());
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
    return String.valueOf(thrown).codePoints().noneMatch(SafeText::isUnsafe)
        && isSafe(thrown.getCause(), seen)
        && Arrays.stream(thrown.getSuppressed()).allMatch(one -> isSafe(one, seen));
  }

  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message begins with the other's class
  public String toString() {
    return String.valueOf(getMessage());
  }
}
