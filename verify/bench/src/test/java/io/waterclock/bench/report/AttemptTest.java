package io.waterclock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.bench.meter.Drain;
import io.waterclock.bench.run.VoidRunException;
import org.junit.jupiter.api.Test;

final class AttemptTest {
  @Test
  void a_void_attempt_has_no_figures_but_says_why() {
    Attempt<Drain> attempt =
        Attempt.at(
            "a herd",
            () -> {
              throw new VoidRunException("all were missing");
            });

    assertThat(attempt.flaw()).contains("void: all were missing");
    assertThat(attempt.figureOrWord(Drain::rate)).isEqualTo("void");
    assertThat(attempt.hasFailed()).isFalse();
  }

  @Test
  void what_cannot_be_measured_has_failed_and_harms_nothing_else() {
    Attempt<Drain> attempt =
        Attempt.at(
            "a herd",
            () -> {
              throw new IllegalStateException("no such database");
            });

    assertThat(attempt.flaw())
        .contains("failed: java.lang.IllegalStateException: no such database");
    assertThat(attempt.figureOrWord(Drain::rate)).isEqualTo("failed");
    assertThat(attempt.hasFailed()).isTrue();
  }
}
