package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NotedDeathsTest {
  @Test
  void the_third_death_sets_a_record_aside_with_its_cause() {
    NotedDeaths deaths = NotedDeaths.none().died(7, "first").died(7, "second");
    assertThat(deaths.find(7).flatMap(NotedDeaths.Note::verdict)).isEmpty();

    NotedDeaths third = NotedDeaths.parse(deaths.text()).died(7, "third, of course");
    assertThat(third.find(7).flatMap(NotedDeaths.Note::verdict))
        .hasValueSatisfying(
            why -> assertThat(why).contains("3 times").endsWith("by: third, of course"));
    assertThat(third.find(8)).isEmpty();
  }

  @Test
  void a_record_can_be_set_aside_by_hand_before_anything_dies_of_it() {
    NotedDeaths deaths = NotedDeaths.parse(NotedDeaths.none().byHand(9).text());
    assertThat(deaths.find(9).flatMap(NotedDeaths.Note::verdict))
        .hasValueSatisfying(why -> assertThat(why).contains("an administrator"));
  }

  @Test
  void records_of_one_partition_are_noted_beside_each_other_and_the_oldest_is_forgotten() {
    NotedDeaths deaths = NotedDeaths.none();
    for (long offset = 0; offset <= NotedDeaths.MOST; offset++) {
      deaths = deaths.died(offset, "cause");
    }
    assertThat(deaths.notes()).hasSize(NotedDeaths.MOST);
    assertThat(deaths.find(0)).isEmpty();
    assertThat(deaths.find(NotedDeaths.MOST)).isPresent();
  }

  @Test
  void the_notes_fit_into_what_a_broker_takes_whatever_the_causes_are() {
    NotedDeaths deaths = NotedDeaths.none();
    for (int i = 0; i < 20; i++) {
      deaths = deaths.died(Long.MAX_VALUE - i, "\u2026\n".repeat(5_000));
    }
    assertThat(deaths.text()).hasSizeLessThan(4_096);
    assertThat(NotedDeaths.parse(deaths.text())).isEqualTo(deaths);
  }

  @Test
  void what_is_not_ours_is_left_out() {
    assertThat(NotedDeaths.parse("AgAAAYx\n7\nx y z\n\n5 2 why").notes())
        .containsExactly(new NotedDeaths.Note(5, 2, false, "why"));
  }
}
