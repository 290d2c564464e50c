package io.waterclock.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** Ports on the loopback address. */
public final class Ports {
  /** Inclusive; below it are ports of well-known servers. */
  private static final int LOWEST = 15_000;

  /** Exclusive; from it on, systems draw the local ports of outgoing connections. */
  private static final int HIGHEST = 32_000;

  private static final int ATTEMPTS = 1_000;

  private Ports() {}

  /**
   * A random port that nothing listens on. No outgoing connection is given it by the system, so a
   * server finds it free when it starts or restarts.
   *
   * @throws EmbeddedKafkaException if 1,000 draws find none
   */
  public static int free() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return random
        .ints(ATTEMPTS, LOWEST, HIGHEST)
        .filter(port -> refusal(port).isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                new EmbeddedKafkaException(
                    "No free port on 127.0.0.1 between " + LOWEST + " and " + HIGHEST + "."));
  }

  /**
   * {@code wanted} if it can be listened on, or {@link #free()} if it is 0.
   *
   * @throws EmbeddedKafkaException if the port is taken
   */
  static int freeOr(int wanted) {
    if (wanted == 0) {
      return free();
    }
    refusal(wanted)
        .ifPresent(
            e -> {
              throw new EmbeddedKafkaException(
                  ("Port %s on 127.0.0.1 cannot be used (%s); choose another one, or"
                          + " 0 for any free port.")
                      .formatted(wanted, e.getMessage()),
                  e);
            });
    return wanted;
  }

  /**
   * Any free port but one that is about to be taken.
   *
   * @param draw gives a free port, perhaps the one that is about to be taken
   */
  static int freeBut(int taken, IntSupplier draw) {
    return IntStream.generate(draw).filter(port -> port != taken).findFirst().orElseThrow();
  }

  private static Optional<IOException> refusal(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as the broker does: a connection in TIME_WAIT is no obstacle
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }
}
