package io.waterclock.bench.plot;

/**
 * An axis of a plot.
 *
 * @param label with the unit
 */
public record Axis(String label, Scale scale) {
  public enum Scale {
    LINEAR,
    LOG,
    /** A percentile p is drawn at the logarithm of 100 / (100 - p), which is what lines give. */
    PERCENTILE
  }
}
