package io.waterclock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.config.WaterclockConfig;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AdvertisedTest {

  @Test
  void others_are_told_where_is_served() {
    assertThat(address(Map.of())).isEqualTo("127.0.0.1:9");
    assertThat(address(Map.of("health.host", "::1"))).isEqualTo("[::1]:9");
    assertThat(address(Map.of("health.host", "localhost"))).isEqualTo("localhost:9");
  }

  @Test
  void where_that_is_any_address_they_are_told_one_of_this_machine() throws Exception {
    String own = InetAddress.getLocalHost().getHostAddress();
    assertThat(address(Map.of("health.host", "0.0.0.0"))).endsWith(":9").contains(own);
  }

  @Test
  void the_operator_knows_better() {
    assertThat(address(Map.of("health.host", "0.0.0.0", "application.server", "scheduler-1:8085")))
        .isEqualTo("scheduler-1:8085");
  }

  private static String address(Map<String, String> settings) {
    return Advertised.address(WaterclockConfig.parse(settings), 9);
  }
}
