package io.waterclock.runtime.metrics;

import java.util.Locale;

/** The values of labels. */
public final class Label {
  private Label() {}

  /** The value for a constant. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
