package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.it.Promql.Condition;
import io.waterclock.it.Promql.Selector;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PromqlTest {

  @Test
  void names_conditions_and_groupings_are_found() {
    Promql query =
        Promql.parse(
            "histogram_quantile(0.99, sum by (le, job) (rate(a_bucket{job=~\"$job\","
                + " cause=\"scheduled\"}[$__rate_interval]))) > 1 and absent(b == 1)");
    assertThat(query.selectors())
        .containsExactly(
            new Selector(
                "a_bucket",
                List.of(
                    new Condition("job", "=~", "$job"), new Condition("cause", "=", "scheduled"))),
            new Selector("b", List.of()));
    assertThat(query.grouped()).containsExactly("job", "le");
  }

  @Test
  void the_values_of_a_label_are_asked_of_a_metric() {
    Promql query = Promql.parse("label_values(a{job=~\"$job\"}, instance)");
    assertThat(query.selectors()).extracting(Selector::name).containsExactly("a");
    assertThat(query.grouped()).containsExactly("instance");
  }
}
