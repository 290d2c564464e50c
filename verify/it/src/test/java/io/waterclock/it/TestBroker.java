package io.waterclock.it;

import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A broker for the tests of one class, as a JUnit extension. It starts when a test asks for it. */
final class TestBroker implements AfterAllCallback {
  /** Lets a member of a group be missed after half a second. */
  static final Map<String, String> SHORT_SESSIONS = Map.of("group.min.session.timeout.ms", "500");

  /** As above, and aborts transactions of the dead soon. */
  static final Map<String, String> SHORT_TRANSACTIONS =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");

  /** As {@link #SHORT_SESSIONS}, and compacts as soon as it can. */
  static final Map<String, String> EAGER_CLEANER =
      Map.of("group.min.session.timeout.ms", "500", "log.cleaner.backoff.ms", "100");

  private final Map<String, String> settings;
  private @Nullable Running running;

  private record Running(EmbeddedKafka kafka, Path dir) {}

  TestBroker(Map<String, String> settings) {
    this.settings = settings;
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    Running one = running;
    running = null;
    if (one != null) {
      one.kafka().close();
      Utils.delete(one.dir().toFile());
    }
  }

  synchronized String bootstrapServers() {
    Running one = running;
    if (one == null) {
      one = start();
      running = one;
    }
    return one.kafka().bootstrapServers();
  }

  private Running start() {
    try {
      Path dir = Files.createTempDirectory("broker");
      return new Running(EmbeddedKafka.start(dir, 0, settings), dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
