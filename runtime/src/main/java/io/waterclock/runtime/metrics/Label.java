package io.waterclock.runtime.metrics;

import java.util.Locale;

/** The values of labels. */
public final class Label {
  private Label() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
