package io.waterclock.examples;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.JdbcFireHandler;
import io.waterclock.client.worker.JdbcFireHandler.Connections;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.CatchUp;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;

/**
 * Writes a report of each night to a database exactly once: the transaction that writes the report
 * also claims the fire, so a process may die at any point and another process may read the fire
 * again. The service catches up nights in which it did not run.
 *
 * <p>It uses H2 in memory unless the second argument is a JDBC URL, such as {@code
 * jdbc:postgresql://localhost/reports?user=me}.
 */
public final class NightlyReport {
  static final String ID = "examples/nightly-report";

  private NightlyReport() {}

  /** Runs the service until it is interrupted, and writes a first report now. */
  public static void main(String[] args) throws Exception {
    String servers = Setup.bootstrapServers(args);
    String url = args.length > 1 ? args[1] : "jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1";
    try (Schedules schedules = Schedules.connect(servers);
        FireWorker worker =
            start(servers, "examples-reports", schedules, () -> DriverManager.getConnection(url))) {
      Runtime.getRuntime().addShutdownHook(new Thread(worker::close)); // lets the next one begin
      System.out.println("next report at " + schedules.next(ID).join().orElseThrow());
      schedules.trigger(ID).join().orThrow();
      worker.await();
    }
  }

  /** Defines the schedule, unless it is defined already, and runs its fires. */
  static FireWorker start(String servers, String group, Schedules schedules, Connections database)
      throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      JdbcDeduplicator.createTable(connection);
      statement.execute("create table if not exists reports (night timestamp, line varchar(200))");
    }
    schedules
        .put(
            ID,
            ScheduleBuilder.cron("0 2 * * *")
                .timezone("Europe/Berlin")
                .catchUp(CatchUp.REPLAY)
                .payloadJson("{\"kind\":\"sales\"}"))
        .join()
        .orThrow();
    JdbcDeduplicator claims = new JdbcDeduplicator("nightly-report");
    return FireWorker.builder(servers, group)
        .onSchedule(ID, JdbcFireHandler.of(database, claims, NightlyReport::write))
        .start();
  }

  /**
   * Writes the report in the transaction that has claimed the fire; an exception rolls both back.
   */
  private static void write(Connection connection, Run run) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into reports (night, line) values (?, ?)")) {
      insert.setTimestamp(1, Timestamp.from(run.fire().getOccurrence()));
      insert.setString(2, run.fireKey());
      insert.executeUpdate();
    }
    System.out.println("report written for " + run.fireKey());
  }
}
