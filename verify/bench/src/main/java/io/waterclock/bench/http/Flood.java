package io.waterclock.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.waterclock.bench.run.Await;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sends requests in an open loop on connections that are kept. A request that is due on a
 * connection whose last answer has not come is sent when it has.
 */
public final class Flood {
  /** Half of what a console takes. */
  private static final int CONNECTIONS = 128;

  private static final int REFUSED = 503;

  /**
   * What came.
   *
   * @param answered requests that got an answer
   * @param refused those of them whose answer was 503
   */
  public record Came(long answered, long refused) implements Serializable {}

  /**
   * Sends for a while, then waits for the last answers.
   *
   * @param rate requests in a second
   */
  public Came send(int port, int rate, Duration length, List<String> paths)
      throws InterruptedException {
    LongAdder answered = new LongAdder();
    LongAdder refused = new LongAdder();
    Instant start = Await.now();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      Sender sender =
          new Sender(port, Duration.ofSeconds(CONNECTIONS).dividedBy(rate), i, answered, refused);
      Thread thread = new Thread(() -> sender.send(paths, start, start.plus(length)));
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join(length.plusSeconds(10).toMillis());
    }
    return new Came(answered.sum(), refused.sum());
  }

  private record Sender(
      int port, Duration interval, int number, LongAdder answered, LongAdder refused) {

    void send(List<String> paths, Instant start, Instant end) {
      Instant due = start.plus(interval.multipliedBy(number).dividedBy(CONNECTIONS));
      int next = number;
      while (Await.now().isBefore(end)) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.setTcpNoDelay(true);
          socket.setSoTimeout(5_000);
          InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
          for (; due.isBefore(end) && Await.now().isBefore(end); due = due.plus(interval)) {
            Await.instant(due);
            String path = paths.get(next++ % paths.size());
            socket
                .getOutputStream()
                .write(
                    ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(ISO_8859_1));
            if (status(in) == REFUSED) {
              refused.increment();
            }
            answered.increment();
          }
          if (!due.isBefore(end)) {
            return;
          }
        } catch (IOException e) {
          Await.pass(Duration.ofMillis(100)); // then on a new connection
        }
      }
    }

    /** Reads an answer with a length. */
    private static int status(InputStream in) throws IOException {
      int status = Integer.parseInt(line(in).split(" ", 3)[1]);
      long length = 0;
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        String lower = line.toLowerCase(Locale.ROOT);
        if (lower.startsWith("content-length:")) {
          length = Long.parseLong(lower.substring(lower.indexOf(':') + 1).strip());
        }
      }
      in.skipNBytes(length);
      return status;
    }

    private static String line(InputStream in) throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new EOFException();
        }
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }
  }
}
