package io.waterclock.bench.report;

import java.util.Locale;
import java.util.Optional;

/**
 * A figure beside what it ought to be.
 *
 * @param target what was to be shown
 * @param figure what was measured; empty when it was not
 * @param limit what the figure ought to be at most or at least; empty when that was not measured
 * @param bound which of both
 * @param unit of figure and limit
 */
record Verdict(
    String target, Optional<Double> figure, Bound bound, Optional<Double> limit, String unit) {
  /** On which side of its limit a figure ought to be. */
  enum Bound {
    AT_MOST("at most"),
    AT_LEAST("at least"),
    BELOW("below");

    private final String words;

    Bound(String words) {
      this.words = words;
    }
  }

  /** What became of a target. */
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

  /** The limit in words. */
  String wanted() {
    return limit.map(value -> bound.words + " " + number(value) + " " + unit).orElse("?");
  }

  /** The figure in words. */
  String measured() {
    return figure.map(value -> number(value) + " " + unit).orElse("not measured");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.2f", value).replaceAll("\\.?0+$", "");
  }
}
