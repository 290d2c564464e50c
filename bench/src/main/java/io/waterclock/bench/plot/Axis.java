package io.waterclock.bench.plot;

/**
 * An axis of a plot.
 *
 * @param label with the unit
 */
public record Axis(String label, Scale scale) {
  /** How values are laid out. */
  public enum Scale {
    LINEAR,
    LOG,
    /** A percentile p is drawn at the logarithm of 100 / (100 - p), which is what lines give. */
    PERCENTILE
  }
}
