package io.waterclock.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WantedSchemasTest {
  private final WantedSchemas wanted = new WantedSchemas();

  @Test
  void the_oldest_and_the_lowest_take_turns() {
    for (int id : new int[] {90, 80, 10, 70, 20}) {
      wanted.add(id);
    }
    assertThat(take(5)).containsExactly(90, 10, 80, 20, 70);
    assertThat(wanted.isEmpty()).isTrue();
  }

  @Test
  void the_lowest_gets_in_however_many_there_are_and_the_oldest_is_not_driven_out() {
    for (int id = 0; id < 10 * WantedSchemas.MOST; id++) {
      wanted.add(1_000_000 - id);
    }
    wanted.add(5);
    assertThat(take(2)).containsExactly(1_000_000, 5);
  }

  @Test
  void nobody_is_next_but_those_who_were_not_asked_yet() {
    wanted.add(1);
    wanted.add(2);
    assertThat(wanted.next(Set.of(1))).hasValue(2);
    assertThat(wanted.next(Set.of(1))).hasValue(2);
    assertThat(wanted.next(new HashSet<>(Set.of(1, 2)))).isEmpty();
  }

  private List<Integer> take(int count) {
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      OptionalInt next = wanted.next(Set.of());
      taken.add(next.orElseThrow());
      wanted.remove(next.getAsInt());
    }
    return taken;
  }
}
