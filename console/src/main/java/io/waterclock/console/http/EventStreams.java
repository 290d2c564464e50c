package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.console.access.Access;
import io.waterclock.console.access.Grant;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;

/**
 * Server-sent events: the first screen again and again, to everyone who watches. One thread writes
 * to all, and waits for none: a browser that has not taken the last event is left out of this one,
 * and so is one of a person who has not taken too many bytes. Those who see the same get the same
 * bytes. A stream ends after some minutes, between two events: to watch on, a browser asks again,
 * and the console refuses a person who has logged out meanwhile. Thread-safe.
 */
final class EventStreams implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(EventStreams.class);
  static final int MOST = 64;

  /** So that one person, or one stolen token, leaves room for others. */
  private static final int MOST_OF_ONE = 32;

  private static final Duration BETWEEN = Duration.ofSeconds(2);
  private static final long LONGEST_NS = Duration.ofMinutes(5).toNanos();

  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private final Function<Access, String> data;
  private final BytesUnderWay underWay;
  private final LongSupplier clockNs;
  private final ScheduledExecutorService thread;

  /** What was written last to those with the same grants; for the thread that writes. */
  private final Map<List<Grant>, Event> newest = new HashMap<>();

  private record Event(String data, ByteBuffer bytes) {
    static Event of(String data) {
      String event = "event: overview\ndata: " + data + "\n\n";
      return new Event(data, ByteBuffer.wrap(event.getBytes(UTF_8)));
    }
  }

  private record Stream(
      Access access,
      String who,
      Response response,
      Callback callback,
      AtomicBoolean busy,
      long openedNs) {}

  /**
   * @param data one line of text for each identity, the same for the same grants
   * @param underWay has room for the bytes that are not read yet
   * @param clockNs never goes back
   */
  EventStreams(Function<Access, String> data, BytesUnderWay underWay, LongSupplier clockNs) {
    this.data = data;
    this.underWay = underWay;
    this.clockNs = clockNs;
    this.thread =
        new ScheduledThreadPoolExecutor(1, DaemonThreads.named("waterclock-console-events"));
    long periodMs = BETWEEN.toMillis();
    var unused = thread.scheduleWithFixedDelay(this::writeAll, 0, periodMs, TimeUnit.MILLISECONDS);
  }

  /**
   * Begins a stream; false if there are too many.
   *
   * @param who has a share of all streams
   * @param callback ends the response
   */
  synchronized boolean open(Access access, String who, Response response, Callback callback) {
    long own = streams.stream().filter(one -> one.who().equals(who)).count();
    if (streams.size() >= MOST || own >= MOST_OF_ONE) {
      return false;
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    Stream stream =
        new Stream(access, who, response, callback, new AtomicBoolean(), clockNs.getAsLong());
    streams.add(stream);
    thread.execute(() -> write(stream));
    return true;
  }

  private void writeAll() {
    Set<List<Grant>> watching =
        streams.stream().map(stream -> stream.access().grants()).collect(Collectors.toSet());
    newest.keySet().retainAll(watching);
    streams.forEach(this::write);
  }

  private void write(Stream stream) {
    if (!stream.busy().compareAndSet(false, true)) {
      return;
    }
    try {
      if (clockNs.getAsLong() - stream.openedNs() > LONGEST_NS) {
        streams.remove(stream); // it stays busy: nothing is written behind its end
        stream.callback().succeeded();
        return;
      }
      write(event(stream.access()), stream);
    } catch (RuntimeException | Error e) { // an executor would end the timer without a word
      stream.busy().set(false);
      LOG.warn("An event was not written", e);
    }
  }

  private ByteBuffer event(Access access) {
    String now = data.apply(access);
    return newest
        .compute(
            access.grants(),
            (grants, known) -> known != null && known.data().equals(now) ? known : Event.of(now))
        .bytes()
        .slice();
  }

  private void write(ByteBuffer event, Stream stream) {
    int length = event.remaining();
    if (!underWay.take(stream.who(), length)) {
      stream.busy().set(false);
      return;
    }
    Callback taken =
        Callback.from(
            () -> stream.busy().set(false),
            failure -> {
              streams.remove(stream);
              stream.callback().failed(failure);
            });
    stream
        .response()
        .write(false, event, Callback.from(() -> underWay.giveBack(stream.who(), length), taken));
  }

  @Override
  public void close() {
    thread.shutdownNow();
    streams.forEach(stream -> stream.callback().succeeded());
    streams.clear();
  }
}
