package io.waterclock.bench.run;

import java.util.function.Supplier;

/** Closes a resource when the step that follows its start fails. */
public final class Closing {
  private Closing() {}

  /** Returns what the step returns; on an exception closes the resource first. */
  public static <T> T onFailure(Runnable close, Supplier<T> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      close.run();
      throw e;
    }
  }
}
