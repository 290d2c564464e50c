package io.waterclock.client.topics;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;

/** The version of kafka-clients on the class path. */
public final class KafkaVersion {
  private KafkaVersion() {}

  /** As in {@code 4.4.0}; from the file in its jar that Kafka's own log line reads. */
  public static String ofClients() {
    Properties properties = new Properties();
    try (InputStream file = Consumer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      properties.load(Objects.requireNonNull(file, "kafka-clients has no version file"));
    } catch (IOException e) {
      throw new IllegalStateException("kafka-clients has no readable version file", e);
    }
    return properties.getProperty("version");
  }
}
