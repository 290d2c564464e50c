package io.waterclock.client.worker;

import io.waterclock.client.dedup.JdbcDeduplicator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker as a process, to be killed: {@code WorkerMain BOOTSTRAP PREFIX JDBC_URL FORM RUN}. Its
 * effect is a row for each fire, with the number of this run of the worker.
 */
final class WorkerMain {
  /** Which deduplication the worker relies on. */
  enum Form {
    /** A claim in the transaction of the effect. */
    JDBC,
    /** A worker's defaults. */
    IN_MEMORY
  }

  private WorkerMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    String jdbcUrl = arguments[2];
    int run = Integer.parseInt(arguments[4]);
    FireHandler handler =
        switch (Form.valueOf(arguments[3])) {
          case JDBC ->
              JdbcFireHandler.of(
                  () -> DriverManager.getConnection(jdbcUrl),
                  new JdbcDeduplicator("effects"),
                  (connection, fire) -> doIt(connection, fire, run));
          case IN_MEMORY ->
              fire -> {
                try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
                  doIt(connection, fire, run);
                }
              };
        };
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

  private static void doIt(Connection connection, Run fire, int run) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into effects (fire_id, run) values (?, ?)")) {
      insert.setString(1, fire.fire().getFireId());
      insert.setInt(2, run);
      insert.executeUpdate();
    }
    LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
  }
}
