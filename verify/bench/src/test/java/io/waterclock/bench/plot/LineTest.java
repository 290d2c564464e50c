package io.waterclock.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LineTest {
  @Test
  void a_thinned_line_keeps_its_first_and_its_last_point() {
    List<Double> hundred = IntStream.range(0, 100).mapToObj(i -> (double) i).toList();
    Line thinned = new Line("fires", hundred, hundred).thinned(4);

    assertThat(thinned.x()).containsExactly(0.0, 33.0, 66.0, 99.0);
    assertThat(thinned.y()).isEqualTo(thinned.x());
  }

  @Test
  void a_short_line_is_not_thinned() {
    Line line = new Line("fires", List.of(1.0, 2.0), List.of(3.0, 4.0));

    assertThat(line.thinned(2)).isSameAs(line);
  }

  @Test
  void a_line_has_as_many_values_of_x_as_of_y() {
    assertThatThrownBy(() -> new Line("fires", List.of(1.0), List.of()))
        .hasMessage("1 values of x and 0 of y");
  }
}
