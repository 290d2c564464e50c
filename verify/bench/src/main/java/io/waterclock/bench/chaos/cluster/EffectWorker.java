package io.waterclock.bench.chaos.cluster;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waterclock.bench.rig.Child;
import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.JdbcFireHandler;
import io.waterclock.client.worker.OnUnhandled;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.BackoffGrowth;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A worker to be hit, as a process. It takes fires of the type {@code effect}; the effect of one is
 * a row, in the transaction of its claim. It tries until it succeeds, as no effect may be lost.
 * Thread-safe.
 */
public final class EffectWorker implements AutoCloseable {
  private static final List<String> JVM =
      List.of(
          "-Xmx200m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private static final int THREADS = 4;
  private static final Duration RETRY = Duration.ofMillis(500);

  /** Of connections, so that a database that stands still does not hold a run up for ever. */
  private static final int BOUND_SECONDS = 3;

  private final String bootstrapServers;
  private final int databasePort;
  private final Path log;
  private Child<FireWorker> process;

  private EffectWorker(String bootstrapServers, int databasePort, Path log) {
    this.bootstrapServers = bootstrapServers;
    this.databasePort = databasePort;
    this.log = log;
    this.process = launch();
  }

  public static EffectWorker start(Path dir, Brokers brokers, EffectDatabase database) {
    return new EffectWorker(brokers.bootstrapServers(), database.port(), dir.resolve("worker.log"));
  }

  private Child<FireWorker> launch() {
    String servers = bootstrapServers;
    int port = databasePort;
    return Child.start(() -> work(servers, port), JVM, log);
  }

  /** In the process of the worker; its connections end with that. */
  private static FireWorker work(String servers, int port) {
    HikariDataSource pool = new HikariDataSource(pool(port));
    return FireWorker.builder(servers, "chaos-effects")
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
                pool::getConnection, new JdbcDeduplicator("chaos-effects"), EffectWorker::insert))
        .start();
  }

  private static HikariConfig pool(int port) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres&connectTimeout=%d&socketTimeout=%d"
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

  /** Ends it as {@code kill -9} does. */
  public synchronized void kill() {
    process.kill();
  }

  public synchronized void restart() {
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }
}
