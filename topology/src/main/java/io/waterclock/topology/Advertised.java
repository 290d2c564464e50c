package io.waterclock.topology;

import io.waterclock.topology.runtime.config.WaterclockConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.apache.kafka.streams.StreamsConfig;

/** The address that an instance tells others, where it answers queries over HTTP. */
final class Advertised {
  private Advertised() {}

  /**
   * {@code application.server} where that is set. Otherwise the address at which is served, and
   * this machine's own where that is any.
   *
   * @param port at which is served
   * @return HOST:PORT
   */
  static String address(WaterclockConfig config, int port) {
    return Optional.ofNullable(config.kafka().get(StreamsConfig.APPLICATION_SERVER_CONFIG))
        .orElseGet(() -> host(config.health().orElseThrow().host()) + ":" + port);
  }

  private static String host(String servedAt) {
    try {
      InetAddress address = InetAddress.getByName(servedAt);
      String host =
          address.isAnyLocalAddress() ? InetAddress.getLocalHost().getHostAddress() : servedAt;
      return host.contains(":") ? "[" + host + "]" : host;
    } catch (UnknownHostException e) {
      return servedAt; // whoever cannot reach it reads the topics
    }
  }
}
