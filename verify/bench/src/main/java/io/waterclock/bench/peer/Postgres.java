package io.waterclock.bench.peer;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * A PostgreSQL server with processes of its own.
 *
 * <p>With {@code fsync} on, as PostgreSQL comes, a commit is on the disk when it is answered. With
 * it off, a commit is in the operating system's hands, as a record that a single Kafka broker has
 * acknowledged is: both survive the end of the process, neither that of the machine. The rest is
 * what PostgreSQL's documentation advises for that, and for many writes.
 */
record Postgres(EmbeddedPostgres server, Path data) implements Server {
  private static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.of(
              "synchronous_commit", "on",
              "shared_buffers", "1GB",
              "checkpoint_timeout", "30min",
              "max_wal_size", "8GB",
              "max_connections", "100"));

  /**
   * @param syncs whether a commit waits for the disk
   */
  static Postgres start(Path dir, boolean syncs) throws IOException {
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
    builder.setServerConfig("fsync", syncs ? "on" : "off");
    builder.setServerConfig("full_page_writes", syncs ? "on" : "off");
    return new Postgres(builder.start(), data);
  }

  @Override
  public String url() {
    return server.getJdbcUrl("postgres", "postgres") + "&reWriteBatchedInserts=true";
  }

  /** The process that all others of the server come from. */
  @Override
  public String pid() throws IOException {
    return Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
  }

  @Override
  public String configuration() throws SQLException {
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

  @Override
  public void close() throws IOException {
    server.close();
  }
}
