package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.TestFires;
import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.worker.WorkerMain.Form;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.testkit.EmbeddedKafka;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a worker at random moments while it works. With the claim in the transaction
 * of the effect, each fire has its effect exactly once; with what a worker remembers in memory, at
 * least once, and never twice within one run of the worker. How often it is killed is for {@code
 * waterclock.kills}.
 */
@Timeout(1_800)
final class WorkerKillTest {
  private static final int KILLS = Integer.getInteger("waterclock.kills", 1);
  private static final int SCHEDULES = 12;
  private static final int FIRES_PER_KILL = 300;
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final String DISTINCT = "count(distinct fire_id)";
  private static final Duration BOUND = Duration.ofMinutes(4);

  private final Instant first = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  @TempDir Path dir;

  @Test
  @Tag("all")
  void each_fire_has_its_effect_exactly_once_in_postgresql() throws Exception {
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(dir.resolve("postgres").toFile())
            .start()) {
      String url = postgres.getJdbcUrl("postgres", "postgres");
      long fires = killWhileWorking(url, Form.JDBC, KILLS);
      assertThat(count(url, "count(*)")).isEqualTo(fires);
    }
  }

  @Test
  @Tag("all")
  void each_fire_has_its_effect_exactly_once_in_h2() throws Exception {
    Server server = startH2();
    try {
      long fires = killWhileWorking(url(server, Form.JDBC), Form.JDBC, Math.max(1, KILLS / 3));
      assertThat(count(url(server, Form.JDBC), "count(*)")).isEqualTo(fires);
    } finally {
      server.stop();
    }
  }

  @Test
  @Tag("all")
  void in_memory_each_fire_has_its_effect_at_least_once_and_once_in_a_run() throws Exception {
    Server server = startH2();
    try {
      killWhileWorking(url(server, Form.IN_MEMORY), Form.IN_MEMORY, Math.max(1, KILLS / 3));
      assertThat(count(url(server, Form.IN_MEMORY), "count(*)"))
          .as("rows, and pairs of fire and run")
          .isEqualTo(count(url(server, Form.IN_MEMORY), "count(distinct fire_id || '#' || run)"));
    } finally {
      server.stop();
    }
  }

  private static Server startH2() throws SQLException {
    return Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon").start();
  }

  private static String url(Server server, Form form) {
    return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:" + form + ";DB_CLOSE_DELAY=-1";
  }

  /**
   * @return how many fires there were; each of them had its effect
   */
  private long killWhileWorking(String jdbcUrl, Form form, int kills) throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        Statement statement = connection.createStatement()) {
      JdbcDeduplicator.createTable(connection);
      statement.execute(
          "create table effects (fire_id varchar(36) not null, run integer not null)");
    }
    Map<String, String> settings = Map.of("group.min.session.timeout.ms", "300");
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, settings);
        Rig rig = new Rig(kafka.bootstrapServers(), "kill")) {
      int fires = 0;
      for (int kill = 0; kill < kills; kill++) {
        for (int i = 0; i < FIRES_PER_KILL; i++) {
          emit(rig, fires++);
        }
        rig.flush();
        long before = count(jdbcUrl, "count(*)");
        Process worker = start(kafka.bootstrapServers(), jdbcUrl, form, kill);
        await()
            .atMost(BOUND)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> count(jdbcUrl, "count(*)") > before);
        // up to about as long as the rest takes
        TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
        worker.destroyForcibly().waitFor();
      }
      Process last = start(kafka.bootstrapServers(), jdbcUrl, form, kills);
      long expected = fires;
      long done = count(jdbcUrl, DISTINCT);
      while (done < expected) {
        long before = done;
        done =
            await()
                .alias(expected + " fires")
                .atMost(BOUND)
                .until(() -> count(jdbcUrl, DISTINCT), now -> now > before);
      }
      last.destroyForcibly().waitFor();
      return expected;
    }
  }

  private void emit(Rig rig, int number) {
    rig.send(
        TestFires.of(
            "s/" + number % SCHEDULES,
            first.plusMillis(number),
            Duration.ofHours(1),
            schedule -> schedule.setCatchUp(CatchUp.REPLAY)));
  }

  private Process start(String bootstrapServers, String jdbcUrl, Form form, int run)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            WorkerMain.class.getName(),
            bootstrapServers,
            "kill",
            jdbcUrl,
            form.name(),
            Integer.toString(run));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Path log = dir.resolve("worker-" + run + ".out");
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private static long count(String jdbcUrl, String what) throws SQLException {
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select " + what + " from effects")) {
      result.next();
      return result.getLong(1);
    }
  }
}
