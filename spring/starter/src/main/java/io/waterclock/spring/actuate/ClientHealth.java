package io.waterclock.spring.actuate;

import io.waterclock.schemas.Topics;
import io.waterclock.spring.actuate.PartHealth.Status;
import io.waterclock.spring.kafka.ConnectionSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Whether the application can define schedules: the brokers answer, and the topic exists. One
 * request for each call, and one client that stays open. Thread-safe.
 */
public final class ClientHealth implements Supplier<PartHealth>, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final String SILENCE =
      "no Kafka broker has answered within " + PATIENCE.toSeconds() + " s";

  private final ConnectionSettings connection;
  private final Topics topics;
  private @Nullable Admin admin;

  /**
   * @param connection how to reach the brokers
   */
  public ClientHealth(ConnectionSettings connection, String prefix) {
    this.connection = connection;
    this.topics = new Topics(prefix);
  }

  @Override
  public PartHealth get() {
    Map<String, Object> details =
        Map.of("prefix", topics.prefix(), "brokers", connection.bootstrapServers());
    try {
      admin()
          .describeTopics(List.of(topics.schedules()))
          .allTopicNames()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return PartHealth.of(Status.UP, details, Optional.empty());
    } catch (TimeoutException e) {
      return PartHealth.of(Status.DOWN, details, Optional.of(SILENCE));
    } catch (ExecutionException e) {
      return PartHealth.of(Status.DOWN, details, reason(e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PartHealth.of(Status.DOWN, details, Optional.of("interrupted"));
    }
  }

  private Optional<String> reason(Throwable failure) {
    if (failure instanceof UnknownTopicOrPartitionException) {
      return Optional.of(
          "the topic "
              + topics.schedules()
              + " does not exist; the scheduler creates it at its first start");
    }
    return failure instanceof org.apache.kafka.common.errors.TimeoutException
        ? Optional.of(SILENCE)
        : PartHealth.reason(failure);
  }

  private synchronized Admin admin() {
    Admin known = admin;
    if (known == null) {
      Map<String, Object> settings = new HashMap<>(connection.settings());
      settings.put("client.id", "waterclock-health");
      known = Admin.create(settings);
      admin = known;
    }
    return known;
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
      admin = null;
    }
  }
}
