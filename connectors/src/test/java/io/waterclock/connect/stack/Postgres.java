package io.waterclock.connect.stack;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A PostgreSQL server with logical replication, on a port that it keeps. It has what it confirmed
 * when it comes back after a crash; the embedded one comes with synchronous_commit=off.
 */
public final class Postgres implements AutoCloseable {
  private static final ProcessBuilder.Redirect LOG =
      ProcessBuilder.Redirect.appendTo(Path.of("target", "postgres.log").toFile());

  private final Path dir;
  private final int port;
  private EmbeddedPostgres server;

  public Postgres(Path dir, int port) throws IOException {
    this.dir = dir;
    this.port = port;
    this.server = start(dir, port);
  }

  private static EmbeddedPostgres start(Path dir, int port) throws IOException {
    return EmbeddedPostgres.builder()
        .setPort(port)
        .setServerConfig("wal_level", "logical")
        .setServerConfig("synchronous_commit", "on")
        .setOverrideWorkingDirectory(dir.resolve("postgres").toFile())
        .setDataDirectory(data(dir))
        .setCleanDataDirectory(false)
        .setOutputRedirector(LOG)
        .setErrorRedirector(LOG)
        .start();
  }

  private static Path data(Path dir) {
    return dir.resolve("postgres-data");
  }

  /**
   * Ends it at once, as a crash does. An orderly end would wait until Debezium has confirmed all
   * that it was sent.
   */
  void crash() throws IOException, InterruptedException {
    String pid = Files.readAllLines(data(dir).resolve("postmaster.pid")).get(0).strip();
    Optional<ProcessHandle> postmaster = ProcessHandle.of(Long.parseLong(pid));
    new ProcessBuilder("kill", "-QUIT", pid).start().waitFor();
    postmaster.ifPresent(process -> process.onExit().join());
    server.close();
  }

  /** With all that it had. */
  void startAgain() throws IOException {
    server = start(dir, port);
  }

  public int port() {
    return port;
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  public void sql(String statement) throws SQLException {
    try (Connection connection = open();
        Statement doing = connection.createStatement()) {
      doing.execute(statement);
    }
  }

  /** The first column of what a query gives. */
  public List<String> query(String select) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = open();
        Statement asking = connection.createStatement();
        ResultSet rows = asking.executeQuery(select)) {
      while (rows.next()) {
        values.add(Optional.ofNullable(rows.getString(1)).orElse(""));
      }
    }
    return values;
  }

  private Connection open() throws SQLException {
    return DriverManager.getConnection(url(), "postgres", "postgres");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
