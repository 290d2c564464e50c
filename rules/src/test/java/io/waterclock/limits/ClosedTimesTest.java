package io.waterclock.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ClosedTimesTest {
  private static final Instant DAY = Instant.parse("2026-11-30T00:00:00Z");

  private static LimitWindow window(String cron, String duration) {
    return new LimitWindow(cron, Duration.parse(duration).toMillis(), null);
  }

  private static GroupLimit limit(LimitWindow... windows) {
    return GroupLimit.of(Limit.newBuilder().setClosed(Arrays.asList(windows)).build());
  }

  private static ClosedTimes.Span span(String from, String to) {
    return new ClosedTimes.Span(Instant.parse(from), Instant.parse(to));
  }

  @Test
  void the_window_that_is_closed_comes_before_those_to_come() {
    GroupLimit limit = limit(window("0 22 * * *", "PT1H"), window("30 6 * * *", "PT10M"));
    assertThat(ClosedTimes.next(limit, DAY.plusSeconds(22 * 3600 + 60)))
        .contains(span("2026-11-30T22:00:00Z", "2026-11-30T23:00:00Z"));
    assertThat(ClosedTimes.next(limit, DAY.plusSeconds(23 * 3600)))
        .contains(span("2026-12-01T06:30:00Z", "2026-12-01T06:40:00Z"));
    assertThat(ClosedTimes.next(limit(), DAY)).isEmpty();
    assertThat(ClosedTimes.between(limit, DAY, DAY.plusSeconds(86_400)))
        .containsExactly(
            span("2026-11-30T06:30:00Z", "2026-11-30T06:40:00Z"),
            span("2026-11-30T22:00:00Z", "2026-11-30T23:00:00Z"));
  }

  @Test
  void windows_that_touch_are_one_time() {
    GroupLimit limit = limit(window("0 22 * * *", "PT2H"), window("0 0 * * *", "PT1H"));
    assertThat(ClosedTimes.next(limit, DAY.plusSeconds(12 * 3600)))
        .contains(span("2026-11-30T22:00:00Z", "2026-12-01T01:00:00Z"));
  }

  /** What {@link GroupLimit#isClosed} says, which the limiter asks. */
  @Test
  void the_times_are_those_in_which_the_limit_is_closed() {
    SplittableRandom random = new SplittableRandom(47);
    for (int round = 0; round < 200; round++) {
      LimitWindow[] windows = new LimitWindow[1 + random.nextInt(3)];
      for (int i = 0; i < windows.length; i++) {
        windows[i] =
            window(
                "%d */%d * * *".formatted(random.nextInt(60), 1 + random.nextInt(8)),
                "PT" + (1 + random.nextInt(150)) + "M");
      }
      GroupLimit limit = limit(windows);
      List<ClosedTimes.Span> spans = ClosedTimes.between(limit, DAY, DAY.plusSeconds(86_400));
      for (int minute = 0; minute < 1_440; minute += 7) {
        Instant at = DAY.plusSeconds(60L * minute);
        assertThat(spans.stream().anyMatch(span -> span.contains(at)))
            .as("%s at %s", Arrays.toString(windows), at)
            .isEqualTo(limit.isClosed(at));
      }
      for (int i = 1; i < spans.size(); i++) {
        assertThat(spans.get(i).from()).isAfter(spans.get(i - 1).to());
      }
    }
  }

  @Test
  void a_window_without_end_costs_a_bounded_search() {
    GroupLimit limit = limit(window("* * * * * *", "PT2S"));
    assertThat(ClosedTimes.between(limit, DAY, DAY.plus(Duration.ofDays(7))))
        .first()
        .satisfies(span -> assertThat(Duration.between(DAY, span.to())).isPositive());
  }
}
