package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void the_port_that_is_about_to_be_taken_is_not_drawn_again() {
    Iterator<Integer> draws = List.of(20_000, 20_000, 20_001).iterator();
    assertThat(Ports.freeBut(20_000, draws::next)).isEqualTo(20_001);
  }

  @Test
  void no_port_is_one_that_systems_give_to_outgoing_connections() {
    assertThat(Stream.generate(Ports::free).limit(100))
        .allSatisfy(port -> assertThat(port).isBetween(1_024, 32_767));
  }
}
