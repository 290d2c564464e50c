package io.waterclock.schemas.brokers;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * What a connection of our own says about brokers that do not answer a Kafka client, which only
 * knows that its time is over.
 *
 * @param isOpen whether one of them accepts connections in the protocol of the client: it is there,
 *     but slow
 * @param text a clause for people, without a full stop
 */
public record Reachability(boolean isOpen, String text) {
  private static final int TIMEOUT_MS = 1000;
  private static final int MOST_ADDRESSES = 3;

  private enum Speech {
    TLS,
    OTHER,
    UNKNOWN
  }

  /**
   * Connects to the first three addresses. Takes at most three seconds for each, beside the look-up
   * of its name.
   *
   * @param client its settings: {@code bootstrap.servers}, {@code security.protocol}
   */
  public static Reachability of(Map<String, ?> client) {
    Object servers = client.get("bootstrap.servers");
    String all =
        servers instanceof List<?> list
            ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
            : String.valueOf(servers);
    String protocol =
        Optional.<Object>ofNullable(client.get("security.protocol"))
            .map(String::valueOf)
            .orElse("PLAINTEXT");
    List<Reachability> found =
        Arrays.stream(all.split(","))
            .map(String::strip)
            .filter(address -> address.contains(":"))
            .limit(MOST_ADDRESSES)
            .map(address -> of(address, protocol))
            .toList();
    return found.stream()
        .filter(Reachability::isOpen)
        .findFirst()
        .orElseGet(
            () ->
                new Reachability(
                    false,
                    found.stream()
                        .map(Reachability::text)
                        .distinct()
                        .collect(Collectors.joining("; "))));
  }

  private static Reachability of(String address, String protocol) {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon).replaceAll("[\\[\\]]|^.*//", "");
    try (Socket socket = new Socket()) {
      int port = Integer.parseInt(address.substring(colon + 1));
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), TIMEOUT_MS);
      boolean wantsTls = protocol.toUpperCase(Locale.ROOT).endsWith("SSL");
      Speech speech = speech(socket, host, port);
      if (speech == Speech.TLS && !wantsTls) {
        return new Reachability(
            false, address + " speaks TLS, but security.protocol is " + protocol);
      }
      if (speech == Speech.OTHER && wantsTls) {
        return new Reachability(
            false, address + " does not speak TLS, but security.protocol is " + protocol);
      }
      return new Reachability(
          true,
          address
              + " accepts connections, so a broker there is slow, or the addresses that it"
              + " advertises cannot be reached from here");
    } catch (UnknownHostException e) {
      return new Reachability(false, "the host " + host + " is unknown");
    } catch (SocketTimeoutException e) {
      return new Reachability(
          false, address + " accepts no connection within " + TIMEOUT_MS + " ms");
    } catch (ConnectException e) {
      return new Reachability(
          false,
          String.valueOf(e.getMessage()).contains("refused")
              ? address + " refuses connections: is a broker running there?"
              : address + " cannot be reached: " + RootCause.of(e));
    } catch (IOException | IllegalArgumentException e) {
      return new Reachability(false, address + " cannot be reached: " + RootCause.of(e));
    }
  }

  /** Greets as a client of TLS does; a broker without TLS closes the connection. */
  private static Speech speech(Socket connected, String host, int port) {
    try (SSLSocket socket =
        (SSLSocket)
            ((SSLSocketFactory) SSLSocketFactory.getDefault())
                .createSocket(connected, host, port, false)) {
      socket.startHandshake();
      return Speech.TLS;
    } catch (SocketTimeoutException e) {
      return Speech.UNKNOWN;
    } catch (IOException e) {
      boolean isTls =
          RootCause.chain(e)
              .anyMatch(
                  cause ->
                      cause instanceof GeneralSecurityException
                          || (cause instanceof SSLException
                              && String.valueOf(cause.getMessage()).contains("fatal alert")));
      return isTls ? Speech.TLS : Speech.OTHER;
    }
  }
}
