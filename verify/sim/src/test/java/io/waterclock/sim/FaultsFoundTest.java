package io.waterclock.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.sim.plant.PlantedFaults;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The judge finds each planted fault; {@code verify/sim/run --faults} says how soon. */
final class FaultsFoundTest {
  /** It makes a task read records again, which changes nothing: BrokerModelTest holds the rule. */
  private static final String HARMLESS = "the offsets of the earlier transaction win";

  /** The rarest shows after 542 traces from it. */
  private static final long SEED = 7_000_000;

  @Test
  void a_doubled_fire_is_found_within_a_minute() {
    find("a fire is doubled", SEED, Duration.ofMinutes(1));
  }

  static Stream<String> names() {
    return PlantedFaults.all().keySet().stream().filter(name -> !name.equals(HARMLESS));
  }

  @ParameterizedTest
  @Tag("all")
  @MethodSource("names")
  void a_planted_fault_is_found(String name) {
    find(name, SEED, Duration.ofMinutes(5));
  }

  private static void find(String name, long seed, Duration most) {
    Hunt hunt = Hunt.of(name, seed, most);
    assertThat(hunt.found()).as("from waterclock.seed=%d on", seed).isPresent();
  }
}
