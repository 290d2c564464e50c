package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PositionTest {
  private static final Position MIDDLE = new Position(1_000, bytes("m"));

  @Test
  void it_covers_what_is_due_earlier_whatever_its_id() {
    assertThat(MIDDLE.covers(999, bytes("z"))).isTrue();
    assertThat(MIDDLE.covers(1_001, bytes("a"))).isFalse();
  }

  @Test
  void at_its_own_instant_it_covers_ids_up_to_its_own() {
    assertThat(MIDDLE.covers(1_000, bytes("a"))).isTrue();
    assertThat(MIDDLE.covers(1_000, bytes("m"))).isTrue();
    assertThat(MIDDLE.covers(1_000, bytes("m0"))).isFalse();
    assertThat(MIDDLE.covers(1_000, bytes("n"))).isFalse();
  }

  @Test
  void through_all_covers_every_id_of_its_instant_and_no_later_one() {
    Position all = Position.throughAllAt(1_000);
    assertThat(all.covers(1_000, bytes("~~~~"))).isTrue();
    assertThat(all.covers(1_001, bytes("A"))).isFalse();
    assertThat(all.isThroughAll()).isTrue();
    assertThat(MIDDLE.isThroughAll()).isFalse();
  }

  @Test
  void the_later_of_two_wins_in_either_order() {
    Position all = Position.throughAllAt(1_000);
    assertThat(MIDDLE.max(all)).isEqualTo(all);
    assertThat(all.max(MIDDLE)).isEqualTo(all);
    Position next = new Position(1_001, bytes("a"));
    assertThat(all.max(next)).isEqualTo(next);
    assertThat(next.max(all)).isEqualTo(next);
  }

  private static byte[] bytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }
}
