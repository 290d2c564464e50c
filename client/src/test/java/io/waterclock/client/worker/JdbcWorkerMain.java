package io.waterclock.client.worker;

import io.waterclock.client.dedup.JdbcDeduplicator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker as a process, to be killed: {@code JdbcWorkerMain BOOTSTRAP PREFIX JDBC_URL}. Its effect
 * is a row for each fire.
 */
final class JdbcWorkerMain {
  private JdbcWorkerMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    JdbcDeduplicator claims = new JdbcDeduplicator("effects");
    FireHandler handler =
        JdbcFireHandler.of(
            () -> DriverManager.getConnection(arguments[2]),
            claims,
            (connection, run) -> {
              insert(connection, run.fire().getFireId());
              LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            });
    try (FireWorker worker =
        FireWorker.builder(arguments[0], "effects")
            .prefix(arguments[1])
            .threads(4)
            .consumer(Map.of("session.timeout.ms", 600, "heartbeat.interval.ms", 150))
            .onAny(handler)
            .start()) {
      worker.await();
    }
  }

  private static void insert(Connection connection, String fireId) throws java.sql.SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into effects (fire_id) values (?)")) {
      insert.setString(1, fireId);
      insert.executeUpdate();
    }
  }
}
