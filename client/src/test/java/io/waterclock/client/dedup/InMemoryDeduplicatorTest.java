package io.waterclock.client.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class InMemoryDeduplicatorTest {
  @Test
  void the_first_claims_and_later_ones_do_not_in_whatever_order_ids_come() {
    InMemoryDeduplicator ids = new InMemoryDeduplicator(10);
    assertThat(ids.claim("9:00")).isTrue();
    assertThat(ids.claim("8:00")).isTrue();
    assertThat(ids.claim("9:00")).isFalse();
    ids.release("9:00");
    assertThat(ids.claim("9:00")).isTrue();
  }

  @Test
  void the_oldest_makes_room() {
    InMemoryDeduplicator ids = new InMemoryDeduplicator(2);
    ids.claim("a");
    ids.claim("b");
    ids.claim("c");
    assertThat(ids.claim("b")).isFalse();
    assertThat(ids.claim("a")).isTrue();
  }
}
