package io.waterclock.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some planted faults are found; {@code verify/sim/run --faults} plants all of them. */
final class FaultsFoundTest {

  @Test
  void a_doubled_fire_is_found_within_a_minute() {
    find("a fire is doubled");
  }

  @ParameterizedTest
  @Tag("all")
  @ValueSource(
      strings = {
        "a restore skips the position",
        "a delete leaves the definition in the store",
        "a commit stores offsets too far",
        "a router doubles a fire",
        "what overlaps a run is missed for its age",
        "a stray command on its way is dropped",
        "a stray report on its way is dropped"
      })
  void a_planted_fault_is_found_within_a_minute(String name) {
    find(name);
  }

  private static void find(String name) {
    long seed = new SplittableRandom().nextLong(1_000_000_000L) * 1_000;
    System.out.println("Planting \"" + name + "\" in traces from waterclock.seed=" + seed + " on");
    Hunt hunt = Hunt.of(name, seed, Duration.ofMinutes(1));
    assertThat(hunt.found()).as("from waterclock.seed=%d on", seed).isPresent();
  }
}
