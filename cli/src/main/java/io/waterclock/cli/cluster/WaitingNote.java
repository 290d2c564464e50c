package io.waterclock.cli.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** Says once, after two seconds, that a client has received nothing from any broker yet. */
final class WaitingNote {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String sentence;
  private final Duration timeout;
  private final Consumer<String> note;
  private final AtomicBoolean isSaid = new AtomicBoolean();

  /**
   * @param timeout the longest wait of the clients
   * @param note takes the sentence, on a thread of the JVM's pool
   */
  WaitingNote(String address, Duration timeout, Consumer<String> note) {
    this.sentence =
        "waiting for Kafka at %s, for %s at most ...".formatted(address, seconds(timeout));
    this.timeout = timeout;
    this.note = note;
  }

  /**
   * @param metrics of a new client; may be called from any thread
   */
  void watch(Supplier<Map<MetricName, ? extends Metric>> metrics) {
    if (timeout.compareTo(PATIENCE) > 0) {
      CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> look(metrics.get()));
    }
  }

  private void look(Map<MetricName, ? extends Metric> metrics) {
    boolean isSilent =
        metrics.values().stream()
            .filter(metric -> metric.metricName().name().equals("incoming-byte-total"))
            .allMatch(metric -> metric.metricValue().equals(0.0));
    if (isSilent && isSaid.compareAndSet(false, true)) {
      note.accept(sentence);
    }
  }

  static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
