package io.waterclock.bench.chaos.cluster;

import io.waterclock.bench.run.BenchException;
import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.testkit.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * PostgreSQL with the claims and the effects of a worker, a row for each effect. Nothing in its
 * table of effects forbids a second row. For one thread at a time.
 */
public final class EffectDatabase implements AutoCloseable {
  private static final Duration START_BOUND = Duration.ofMinutes(2);

  private final Path dir;
  private final int port = Ports.free();
  private EmbeddedPostgres server;

  private EffectDatabase(Path dir) {
    this.dir = dir;
    this.server = launch();
  }

  public static EffectDatabase start(Path dir) {
    EffectDatabase database = new EffectDatabase(dir);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      JdbcDeduplicator.createTable(connection);
      statement.execute("create table effects (fire_id varchar(36) not null)");
    } catch (SQLException e) {
      database.close();
      throw new BenchException("the table of effects", e);
    }
    return database;
  }

  private EmbeddedPostgres launch() {
    ProcessBuilder.Redirect log =
        ProcessBuilder.Redirect.appendTo(dir.resolve("postgres.log").toFile());
    try {
      return EmbeddedPostgres.builder()
          .setOverrideWorkingDirectory(dir.resolve("postgres").toFile())
          .setDataDirectory(data())
          .setCleanDataDirectory(false)
          .setPort(port)
          .setServerConfig("synchronous_commit", "on") // a killed server must keep what it answered
          .setPGStartupWait(START_BOUND)
          .setOutputRedirector(log)
          .setErrorRedirector(log)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path data() {
    return dir.resolve("effects");
  }

  private Connection connect() throws SQLException {
    return server.getPostgresDatabase().getConnection();
  }

  int port() {
    return port;
  }

  /** The fire ids of all effects. */
  public List<String> effects() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select fire_id from effects")) {
      List<String> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    } catch (SQLException e) {
      throw new BenchException("reading the effects", e);
    }
  }

  /** Ends its processes as {@code kill -9} does. */
  public void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }

  /** Starts it again; returns when it has recovered. */
  public void restart() {
    close(); // gives its lock back
    server = launch();
  }

  /** Holds its processes up: connections stay, and none is answered. */
  public void stall() {
    processes().forEach(Signals::stall);
  }

  public void goOn() {
    processes().forEach(Signals::goOn);
  }

  /** The first process and those that it has started, one for each connection. */
  private List<ProcessHandle> processes() {
    try {
      String pid = Files.readAllLines(data().resolve("postmaster.pid")).get(0).strip();
      ProcessHandle first = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
      return Stream.concat(Stream.of(first), first.descendants()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
