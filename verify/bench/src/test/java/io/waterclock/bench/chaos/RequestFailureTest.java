package io.waterclock.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

final class RequestFailureTest {
  private static final List<ApiKeys> OLD =
      List.of(ApiKeys.ADD_OFFSETS_TO_TXN, ApiKeys.ADD_PARTITIONS_TO_TXN);

  @Test
  void requests_that_only_version_1_of_transactions_sends_fail_only_there() {
    assertThat(RequestFailure.of(1)).extracting(RequestFailure::request).containsAll(OLD);
    assertThat(RequestFailure.of(2))
        .extracting(RequestFailure::request)
        .isNotEmpty()
        .doesNotContainAnyElementsOf(OLD);
  }
}
