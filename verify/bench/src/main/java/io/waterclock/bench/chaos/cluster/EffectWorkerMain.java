package io.waterclock.bench.chaos.cluster;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waterclock.bench.rig.ChildProtocol;
import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.JdbcFireHandler;
import io.waterclock.client.worker.OnUnhandled;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.BackoffGrowth;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * A worker to be hit: {@code EffectWorkerMain BOOTSTRAP_SERVERS POSTGRESQL_PORT}. It takes fires of
 * the type {@code effect}; the effect of one is a row, in the transaction of its claim. It tries
 * until it succeeds, as no effect may be lost.
 */
final class EffectWorkerMain {
  private static final int THREADS = 4;
  private static final Duration RETRY = Duration.ofMillis(500);

  /** Of connections, so that a database that stands still does not hold a run up for ever. */
  private static final int BOUND_SECONDS = 3;

  private EffectWorkerMain() {}

  public static void main(String[] args) throws IOException {
    ChildProtocol.keepOutput();
    try (HikariDataSource pool = new HikariDataSource(pool(args[1]));
        FireWorker worker =
            FireWorker.builder(args[0], "chaos-effects")
                .threads(THREADS)
                .consumer(
                    Map.of(
                        "session.timeout.ms", 5_000,
                        "heartbeat.interval.ms", 1_000,
                        "metadata.max.age.ms", 3_000))
                .policy(
                    (fire, policy) ->
                        policy
                            .withoutTimeout()
                            .withAttempts(Integer.MAX_VALUE, RETRY)
                            .withGrowth(BackoffGrowth.CONSTANT))
                .onUnhandled(OnUnhandled.PASS_OVER)
                .onType(
                    "effect",
                    JdbcFireHandler.of(
                        pool::getConnection,
                        new JdbcDeduplicator("chaos-effects"),
                        EffectWorkerMain::insert))
                .start()) {
      ChildProtocol.serve(words -> worker.status().toString());
    }
  }

  private static HikariConfig pool(String port) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:postgresql://127.0.0.1:%s/postgres?user=postgres&connectTimeout=%d&socketTimeout=%d"
            .formatted(port, BOUND_SECONDS, BOUND_SECONDS));
    config.setMaximumPoolSize(THREADS);
    config.setConnectionTimeout(Duration.ofSeconds(BOUND_SECONDS).toMillis());
    config.setInitializationFailTimeout(-1); // the database may be away
    return config;
  }

  private static void insert(Connection connection, Run run) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into effects (fire_id) values (?)")) {
      insert.setString(1, run.fire().getFireId());
      insert.executeUpdate();
    }
  }
}
