package io.waterclock.bench.rig;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.Console;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Role;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts a console as the command {@code console} and the setting {@code console=on} do. */
final class MeasuredConsole {
  private MeasuredConsole() {}

  /**
   * Starts a console that only reads, on a free port.
   *
   * @param fires how many of the newest it keeps
   * @param parts it fills one of so many of the heap
   */
  static Console start(String bootstrapServers, int fires, int parts) throws IOException {
    return Console.start(
        new Console.Settings(
            new ConsoleServer.Listening(
                "127.0.0.1",
                0,
                AccessRules.forEveryone(Role.VIEWER),
                new Identification.None("bench")),
            new ConsoleServer.Offer(List.of(), List.of()),
            ZoneOffset.UTC,
            ModelWriter.Limits.of(Runtime.getRuntime().maxMemory() / parts, fires)),
        new Console.Source(
            new TopicReader(
                () -> ReaderSettings.consumer(Map.of("bootstrap.servers", bootstrapServers))),
            Topics.ofDefault(),
            SchemaSource.none(),
            Optional.empty()),
        InstantSource.system());
  }
}
