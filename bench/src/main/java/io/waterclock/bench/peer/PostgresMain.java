package io.waterclock.bench.peer;

import io.waterclock.bench.rig.ChildProtocol;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A PostgreSQL server that ends when its parent does: {@code PostgresMain DIRECTORY on|off}.
 * Answers {@code url}, {@code pid} and {@code configuration}.
 *
 * <p>With {@code fsync} on, as PostgreSQL comes, a commit is on the disk when it is answered. With
 * it off, a commit is in the operating system's hands, as a record that a single Kafka broker has
 * acknowledged is: both survive the end of the process, neither that of the machine. The rest is
 * what PostgreSQL's documentation advises for that, and for many writes.
 */
public final class PostgresMain {
  private static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "synchronous_commit", "on",
              "shared_buffers", "1GB",
              "checkpoint_timeout", "30min",
              "max_wal_size", "8GB",
              "max_connections", "100"));

  private final EmbeddedPostgres server;
  private final Path data;

  private PostgresMain(EmbeddedPostgres server, Path data) {
    this.server = server;
    this.data = data;
  }

  public static void main(String[] args) throws Exception {
    Path dir = Path.of(args[0]);
    String fsync = args[1];
    Path data = dir.resolve("data");
    ProcessBuilder.Redirect log =
        ProcessBuilder.Redirect.appendTo(dir.resolve("postgres.log").toFile());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(dir.resolve("binaries").toFile())
            .setDataDirectory(data)
            .setOutputRedirector(log)
            .setErrorRedirector(log);
    SETTINGS.forEach(builder::setServerConfig);
    builder.setServerConfig("fsync", fsync);
    builder.setServerConfig("full_page_writes", fsync);
    try (EmbeddedPostgres server = builder.start()) {
      ChildProtocol.serve(new PostgresMain(server, data)::answer);
    }
  }

  private String answer(List<String> words) throws IOException, SQLException {
    return switch (words.get(0)) {
      case "url" -> server.getJdbcUrl("postgres", "postgres") + "&reWriteBatchedInserts=true";
      case "pid" -> Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
      case "configuration" -> configuration();
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }

  private String configuration() throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet settings =
            statement.executeQuery(
                "SELECT current_setting('fsync'), current_setting('full_page_writes')")) {
      settings.next();
      return String.format(
          "PostgreSQL %s, fsync=%s, full_page_writes=%s, %s",
          connection.getMetaData().getDatabaseProductVersion(),
          settings.getString(1),
          settings.getString(2),
          SETTINGS);
    }
  }
}
