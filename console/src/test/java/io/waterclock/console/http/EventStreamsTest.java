package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.console.access.Access;
import io.waterclock.console.access.Grant;
import io.waterclock.console.access.Role;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

final class EventStreamsTest {
  private final Access ann =
      new Access("ann", List.of(new Grant(Role.VIEWER, "*", "")), Role.VIEWER);
  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();

  @Test
  void after_an_error_while_an_overview_is_made_the_next_one_is_written() throws Exception {
    AtomicInteger made = new AtomicInteger();
    try (EventStreams streams =
        new EventStreams(access -> overview(made), new BytesUnderWay(), () -> 0)) {
      assertThat(streams.open(ann, "ann", response(), Callback.NOOP)).isTrue();
      assertThat(written.poll(1, TimeUnit.MINUTES)).isEqualTo("event: overview\ndata: 3\n\n");
      assertThat(written.poll(1, TimeUnit.MINUTES)).isEqualTo("event: overview\ndata: 4\n\n");
    }
  }

  private static String overview(AtomicInteger made) {
    int number = made.incrementAndGet();
    if (number <= 2) { // one of the new page, one of the timer
      throw new StackOverflowError();
    }
    return Integer.toString(number);
  }

  /** Takes each event at once. */
  private Response response() {
    HttpFields.Mutable headers = HttpFields.build();
    return (Response)
        Proxy.newProxyInstance(
            Response.class.getClassLoader(),
            new Class<?>[] {Response.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getHeaders" -> headers;
                  case "hashCode" -> 0;
                  case "equals" -> proxy == arguments[0];
                  case "write" -> {
                    written.add(UTF_8.decode((ByteBuffer) arguments[1]).toString());
                    ((Callback) arguments[2]).succeeded();
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
