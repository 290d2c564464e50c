package io.waterclock.examples;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** Common setup of the examples. */
final class Setup {
  private Setup() {}

  /** The first argument, or the address of the broker of {@code ./waterclock dev}. */
  static String bootstrapServers(String[] args) {
    return args.length > 0 ? args[0] : "127.0.0.1:9092";
  }

  /** Creates a topic with one partition if it does not exist. */
  static void createTopic(String bootstrapServers, String name)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty()))).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }
}
