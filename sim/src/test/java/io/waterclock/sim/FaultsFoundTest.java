package io.waterclock.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.turns.InTurns;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some planted faults are found; {@code sim/run --faults} plants all of them. */
final class FaultsFoundTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a fire is doubled",
        "a restore skips the position",
        "a delete leaves the definition in the store",
        "a commit stores offsets too far",
        "a router doubles a fire",
        "what overlaps a run is missed for its age",
        "a stray command on its way is dropped",
        "a stray report on its way is dropped"
      })
  @InTurns(promise = "planted faults are found", of = 4)
  void a_planted_fault_is_found_within_a_minute(String name) {
    long seed = new SplittableRandom().nextLong(1_000_000_000L) * 1_000;
    System.out.println("Planting \"" + name + "\" in traces from waterclock.seed=" + seed + " on");
    Hunt hunt = Hunt.of(name, seed, Duration.ofMinutes(1));
    assertThat(hunt.found()).as("from waterclock.seed=%d on", seed).isPresent();
  }
}
