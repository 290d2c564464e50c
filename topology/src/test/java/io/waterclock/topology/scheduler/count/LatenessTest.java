package io.waterclock.topology.scheduler.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LatenessTest {
  private final Lateness lateness = new Lateness();

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "2, 1", "3, 2", "5, 2", "1000, 9", "86400000, 19", "86400001, 20"})
  void a_bucket_includes_its_bound(long latenessMs, int bucket) {
    lateness.add(latenessMs);
    assertThat(buckets().indexOf(1L)).isEqualTo(bucket);
    assertThat(lateness.count()).isEqualTo(1);
  }

  @Test
  void the_sum_is_that_of_all() {
    lateness.add(3);
    lateness.add(4_000);
    lateness.add(200_000_000);
    assertThat(lateness.sumMs()).isEqualTo(200_004_003);
    assertThat(lateness.count()).isEqualTo(3);
  }

  @Test
  void bounds_ascend_from_a_millisecond_to_a_day() {
    List<Duration> bounds = Lateness.bounds();
    assertThat(bounds).isSorted().doesNotHaveDuplicates();
    assertThat(bounds).startsWith(Duration.ofMillis(1)).endsWith(Duration.ofDays(1));
  }

  private List<Long> buckets() {
    return IntStream.rangeClosed(0, Lateness.bounds().size()).mapToObj(lateness::inBucket).toList();
  }
}
