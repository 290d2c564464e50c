package io.waterclock.runtime;

import io.waterclock.runtime.config.WaterclockConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.apache.kafka.streams.StreamsConfig;

/** The address that an instance advertises, at which it answers queries over HTTP. */
final class Advertised {
  private Advertised() {}

  /**
   * Returns {@code application.server} if it is set; otherwise the address of the HTTP server, or
   * this machine's own address if the server listens on all addresses.
   *
   * @return HOST:PORT
   */
  static String address(WaterclockConfig config, int port) {
    return Optional.ofNullable(config.kafka().get(StreamsConfig.APPLICATION_SERVER_CONFIG))
        .map(String::valueOf)
        .orElseGet(() -> host(config.health().orElseThrow().host()) + ":" + port);
  }

  private static String host(String servedAt) {
    try {
      InetAddress address = InetAddress.getByName(servedAt);
      String host =
          address.isAnyLocalAddress() ? InetAddress.getLocalHost().getHostAddress() : servedAt;
      return host.contains(":") ? "[" + host + "]" : host;
    } catch (UnknownHostException e) {
      return servedAt; // clients that cannot reach it read the topics
    }
  }
}
