package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HomePartition;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OwnerShareTest {

  @ParameterizedTest
  @CsvSource({
    "0, 12, 0",
    "1, 12, 1",
    "10, 12, 6",
    "100, 12, 21",
    "1000, 12, 120",
    "10000, 12, 945",
    "100000, 12, 8684",
    "1000, 1, 1000",
    "2147483647, 1, 2147483647",
    "10, 1000, 2"
  })
  void a_partition_takes_its_part_and_what_a_hash_may_add_to_it(
      int limit, int partitions, int share) {
    assertThat(OwnerCounts.share(limit, partitions)).isEqualTo(share);
  }

  /** The ids are the same in every run, so this cannot fail by chance. */
  @ParameterizedTest
  @ValueSource(ints = {5, 50, 500, 5_000})
  void an_owner_below_its_limit_is_not_refused_by_the_partition_that_has_most(int limit) {
    SplittableRandom random = new SplittableRandom(7);
    int partitions = 12;
    for (int owner = 0; owner < 40; owner++) {
      int[] counts = new int[partitions];
      for (int i = 0; i < limit; i++) {
        String id = "owner-" + owner + "/" + Long.toString(random.nextLong() >>> 1, 36);
        counts[HomePartition.of(id.getBytes(StandardCharsets.UTF_8), partitions)]++;
      }
      assertThat(Arrays.stream(counts).max().orElseThrow())
          .isLessThanOrEqualTo(OwnerCounts.share(limit, partitions));
    }
  }

  @Test
  void the_share_of_no_partition_is_beyond_the_limit() {
    for (int limit = 0; limit < 200; limit++) {
      assertThat(OwnerCounts.share(limit, 2)).isBetween((limit + 1) / 2, limit);
    }
  }
}
