package io.waterclock.bench.rig;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.Console;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Role;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Starts a console as the command {@code console} and the setting {@code console=on} do. */
final class MeasuredConsole {
  private MeasuredConsole() {}

  /**
   * Starts a console that only reads, on a free port.
   *
   * @param fires how many of the newest it keeps
   */
  static Console start(String bootstrapServers, int fires) throws IOException {
    Map<String, Object> consumer =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest");
    return Console.start(
        new Console.Settings(
            new ConsoleServer.Listening(
                "127.0.0.1",
                0,
                AccessRules.forEveryone(Role.VIEWER),
                new Identification.None("bench")),
            new ConsoleServer.Offer(List.of(), List.of()),
            ZoneOffset.UTC,
            ReadModel.Limits.of(Runtime.getRuntime().maxMemory() / 2, fires)),
        new Console.Source(
            new TopicReader(
                () ->
                    new KafkaConsumer<>(
                        consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())),
            Topics.ofDefault(),
            SchemaSource.none(),
            Optional.empty()),
        InstantSource.system());
  }
}
