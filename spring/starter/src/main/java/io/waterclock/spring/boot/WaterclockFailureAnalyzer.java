package io.waterclock.spring.boot;

import io.waterclock.spring.InvalidAnnotationsException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says in the log what stops the start of an application, and what would be right. */
final class WaterclockFailureAnalyzer implements FailureAnalyzer {
  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidAnnotationsException annotations) {
        return new FailureAnalysis(
            "The annotations of Waterclock have problems:\n\n  - "
                + String.join("\n  - ", annotations.problems()),
            "Mend all of these methods.",
            cause);
      }
      if (cause instanceof MisconfiguredException misconfigured) {
        return new FailureAnalysis(cause.getMessage() + ".", misconfigured.action(), cause);
      }
    }
    return null;
  }
}
