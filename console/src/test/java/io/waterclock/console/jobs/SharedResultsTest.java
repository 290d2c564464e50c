package io.waterclock.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class SharedResultsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private final SharedResults<String, String> results = new SharedResults<>(2);

  private CompletableFuture<String> ask(String key, Instant now, Supplier<String> work) {
    return results.get(key, now, () -> new SharedResults.Kept<>(work.get(), now.plusSeconds(60)));
  }

  private static Supplier<String> never() {
    return () -> {
      throw new AssertionError("it is computed once more");
    };
  }

  @Test
  void those_who_ask_while_a_result_is_computed_hold_no_thread() {
    List<CompletableFuture<String>> meanwhile = new ArrayList<>();
    CompletableFuture<String> first =
        ask(
            "a",
            NOW,
            () -> {
              meanwhile.add(ask("a", NOW, never()));
              assertThat(meanwhile.get(0)).isNotDone();
              assertThat(ask("b", NOW, () -> "other")).isCompletedWithValue("other");
              return "one";
            });
    assertThat(first).isCompletedWithValue("one");
    assertThat(meanwhile.get(0)).isCompletedWithValue("one");
  }

  @Test
  void a_result_is_kept_until_it_is_too_old() {
    assertThat(ask("a", NOW, () -> "one")).isCompletedWithValue("one");
    assertThat(ask("a", NOW.plusSeconds(59), never())).isCompletedWithValue("one");
    assertThat(ask("a", NOW.plusSeconds(60), () -> "two")).isCompletedWithValue("two");
  }

  @Test
  void a_failure_is_that_of_all_who_wait_and_is_not_kept() {
    List<CompletableFuture<String>> meanwhile = new ArrayList<>();
    assertThatThrownBy(
            () ->
                ask(
                    "a",
                    NOW,
                    () -> {
                      meanwhile.add(ask("a", NOW, never()));
                      throw new IllegalArgumentException("busy");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(meanwhile.get(0)).isCompletedExceptionally();
    assertThat(ask("a", NOW, () -> "one")).isCompletedWithValue("one");
  }

  @Test
  void with_too_many_all_are_computed_anew() {
    for (String key : List.of("a", "b", "c")) {
      assertThat(ask(key, NOW, () -> key)).isCompletedWithValue(key);
    }
    assertThat(ask("c", NOW, never())).isCompletedWithValue("c");
    assertThat(ask("a", NOW, () -> "again")).isCompletedWithValue("again");
  }
}
