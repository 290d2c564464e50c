package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ConcurrencyLimitTest {
  @Test
  void one_too_many_is_refused_until_another_ends() {
    ConcurrencyLimit few = new ConcurrencyLimit(1);
    assertThat(
            few.<String>now(
                () -> {
                  assertThatThrownBy(() -> few.<String>now(() -> "second"))
                      .isInstanceOf(BadRequestException.class)
                      .hasMessageContaining("try again");
                  return "first";
                }))
        .isEqualTo("first");
    assertThat(few.<String>now(() -> "third")).isEqualTo("third");
  }
}
