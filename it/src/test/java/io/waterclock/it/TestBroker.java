package io.waterclock.it;

import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A broker for the tests of one class, as a JUnit extension. */
final class TestBroker implements BeforeAllCallback, AfterAllCallback {
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
  public void beforeAll(ExtensionContext context) throws IOException {
    Path dir = Files.createTempDirectory("broker");
    running = new Running(EmbeddedKafka.start(dir, 0, settings), dir);
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    running().kafka().close();
    Utils.delete(running().dir().toFile());
  }

  String bootstrapServers() {
    return running().kafka().bootstrapServers();
  }

  private Running running() {
    return Objects.requireNonNull(running);
  }
}
