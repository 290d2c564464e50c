package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.testkit.SchedulerHarness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scheduler takes every definition of docs/producing.md. */
final class ProducingPageTest {
  private static final Path PAGE = Path.of("..", "docs", "producing.md");
  private static final Instant START = Instant.parse("2026-03-04T10:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?m)`(\\{\"(?:every|in|at)\".*?\\})`|^(\\{\".*\\})$|^echo '[^|]*\\|(.*)' \\|$");
  private static final Pattern IDLE = Pattern.compile("(?m)^echo '(idle/[^|]*)\\|(.*)' \\|$");
  private static final Pattern SIGN_OF_LIFE =
      Pattern.compile("watch for a heartbeat \\| put `(.*?)`");
  private static final Pattern AT_ONCE = Pattern.compile("fire at once, each time \\| put `(.*?)`");

  private static String page() {
    try {
      return Files.readString(PAGE);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String first(Pattern pattern, int group) {
    return pattern.matcher(page()).results().findFirst().orElseThrow().group(group);
  }

  static Stream<String> definitions() {
    return DEFINITION.matcher(page()).results().map(ProducingPageTest::found);
  }

  private static String found(MatchResult match) {
    return Stream.of(1, 2, 3)
        .flatMap(group -> Optional.ofNullable(match.group(group)).stream())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void the_page_has_as_many_examples_as_are_looked_for() {
    assertThat(definitions()).hasSizeGreaterThan(5);
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void the_scheduler_takes_it(String definition) {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put("a", definition);
      scheduler.advance(MINUTE);
      assertThat(scheduler.status("a"))
          .hasValueSatisfying(s -> assertThat(s.getProblems()).isEmpty());
      assertThat(scheduler.watermarks()).isNotEmpty().allMatch(mark -> mark.getRejected() == 0);
    }
  }

  @Test
  void to_debounce_is_to_put_the_timer_with_each_event() {
    String id = first(IDLE, 1);
    String timer = first(IDLE, 2);
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put(id, timer);
      scheduler.advance(Duration.ofMinutes(20));
      scheduler.put(id, timer);
      scheduler.advance(Duration.ofMinutes(29));
      assertThat(scheduler.fires()).isEmpty();
      scheduler.advance(MINUTE);
      assertThat(scheduler.fires(id)).hasSize(1);
      scheduler.put(id, timer);
      scheduler.advance(Duration.ofMinutes(15));
      scheduler.delete(id);
      scheduler.advance(Duration.ofHours(1));
      assertThat(scheduler.fires(id)).hasSize(1);
    }
  }

  @Test
  void a_timer_that_is_reset_in_time_never_fires() {
    String watch = first(SIGN_OF_LIFE, 1);
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      for (int i = 0; i < 10; i++) {
        scheduler.put("host", watch);
        scheduler.advance(Duration.ofMinutes(4));
      }
      assertThat(scheduler.fires()).isEmpty();
      scheduler.advance(Duration.ofMinutes(11));
      assertThat(scheduler.fires("host")).hasSize(3);
      scheduler.put("host", watch);
      scheduler.advance(Duration.ofMinutes(4));
      assertThat(scheduler.fires("host")).hasSize(3);
    }
  }

  @Test
  void now_fires_each_time_that_it_is_put() {
    String now = first(AT_ONCE, 1);
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      for (int i = 1; i < 4; i++) {
        scheduler.put("ring", now);
        scheduler.advance(MINUTE);
        assertThat(scheduler.fires("ring")).hasSize(i);
      }
    }
  }
}
