package io.waterclock.sim.spec;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A definition as a client of the simulation writes it. Its number is its payload, so a fire shows
 * which record caused it.
 *
 * @param number of the record; two records with different numbers are different definitions
 * @param enabled false holds the schedule
 * @param graceMs how late an occurrence may be before it counts as missed
 * @param overlap what becomes of an occurrence that is due while the fire before it runs
 * @param timeoutMs how long a run may take; empty: half of the interval
 * @param targetKey the key under which the router takes the fires on; empty if it does not
 */
public record Spec(
    int number,
    Timing timing,
    CatchUp catchUp,
    boolean enabled,
    long graceMs,
    Overlap overlap,
    OptionalLong timeoutMs,
    Optional<String> targetKey) {

  /** What becomes of missed occurrences. */
  public enum CatchUp {
    SKIP,
    COLLAPSE,
    REPLAY
  }

  /** What becomes of an occurrence that is due while the fire before it runs. */
  public enum Overlap {
    ALLOW,
    SKIP,
    BUFFER_ONE
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
        + (overlap == Overlap.ALLOW
            ? ""
            : ",\"overlap\":\"" + overlap.name().toLowerCase(Locale.ROOT) + "\"")
        + (timeoutMs.isPresent() ? ",\"timeout\":\"" + timeoutMs.getAsLong() + "ms\"" : "")
        + targetKey
            .map(key -> ",\"target\":{\"topic\":\"" + TARGET + "\",\"key\":\"" + key + "\"}")
            .orElse("")
        + ",\"payload\":"
        + number
        + "}";
  }
}
