package io.waterclock.bench.report;

import java.util.Locale;
import java.util.Optional;

/**
 * A figure beside its limit.
 *
 * @param figure empty when it was not measured
 * @param limit empty when it comes from a figure that was not measured
 */
record Verdict(
    String target, Optional<Double> figure, Bound bound, Optional<Double> limit, String unit) {
  /** The side of its limit on which a figure meets the target. */
  enum Bound {
    AT_MOST("at most"),
    AT_LEAST("at least"),
    BELOW("below");

    private final String words;

    Bound(String words) {
      this.words = words;
    }
  }

  enum Outcome {
    MET,
    MISSED,
    UNKNOWN
  }

  Outcome outcome() {
    if (figure.isEmpty() || limit.isEmpty()) {
      return Outcome.UNKNOWN;
    }
    double value = figure.get();
    boolean isMet =
        switch (bound) {
          case AT_MOST -> value <= limit.get();
          case AT_LEAST -> value >= limit.get();
          case BELOW -> value < limit.get();
        };
    return isMet ? Outcome.MET : Outcome.MISSED;
  }

  String wanted() {
    return limit.map(value -> bound.words + " " + number(value) + " " + unit).orElse("?");
  }

  String measured() {
    return figure.map(value -> number(value) + " " + unit).orElse("not measured");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.2f", value).replaceAll("\\.?0+$", "");
  }
}
