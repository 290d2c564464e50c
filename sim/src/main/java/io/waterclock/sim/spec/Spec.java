package io.waterclock.sim.spec;

import java.util.Locale;

/**
 * A definition as a client of the simulation writes it. Its number is its payload, so a fire shows
 * which record caused it.
 *
 * @param number of the record; two records with different numbers are different definitions
 * @param enabled false holds the schedule
 * @param graceMs how late an occurrence may be before it counts as missed
 * @param hasTarget whether the router takes the fires on
 */
public record Spec(
    int number, Timing timing, CatchUp catchUp, boolean enabled, long graceMs, boolean hasTarget) {

  /** What becomes of missed occurrences. */
  public enum CatchUp {
    SKIP,
    COLLAPSE,
    REPLAY
  }

  /** The topic to which the router takes fires. */
  public static final String TARGET = "target";

  public String json() {
    return "{"
        + timing.json()
        + ",\"catch_up\":\""
        + catchUp.name().toLowerCase(Locale.ROOT)
        + "\",\"grace\":\"PT"
        + graceMs / 1_000
        + "S\",\"enabled\":"
        + enabled
        + (hasTarget ? ",\"target\":{\"topic\":\"" + TARGET + "\"}" : "")
        + ",\"payload\":"
        + number
        + "}";
  }
}
