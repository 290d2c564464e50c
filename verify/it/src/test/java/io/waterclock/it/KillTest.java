package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} while the scheduler fires. Only those kills count after which the broker knows of
 * an open transaction that had written fires. The next instance finds the state on disk as the kill
 * left it, as an earlier kill left it, or none.
 */
@Timeout(600)
final class KillTest {
  private static final int KILLS = Integer.getInteger("waterclock.kills", 1);
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final Map<String, String> BROKER =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");

  @TempDir Path dir;

  @Test
  void every_occurrence_fires_exactly_once_whatever_transactions_a_kill_leaves_open()
      throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "kill", dir);
      Map<String, String> settings = tenant.settings("one", Map.of("partitions", "2"));
      tenant.createTopics(settings);
      Herd herd = Herd.define(tenant, 100);
      int hits = 0;
      int kills = 0;
      try (Admin admin = tenant.admin()) {
        OpenTransactions open = new OpenTransactions(admin, tenant);
        while (hits < KILLS) {
          assertThat(kills).as("kills needed for %s hits", hits).isLessThan(4 * KILLS);
          hits += killWhileFiring(settings, tenant, open, random) ? 1 : 0;
          kills++;
          disturb(Path.of(settings.get("state.dir")), random);
        }
      }
      finish(settings, tenant);
      int fired = herd.assertAccounted();
      System.out.println(
          kills + " kills, " + hits + " hit an open transaction, " + fired + " fires");
    }
  }

  /** Does to the state on disk what a person or a machine might do after a kill. */
  private void disturb(Path state, SplittableRandom random) throws IOException {
    Path earlier = dir.resolve("earlier");
    int choice = random.nextInt(4);
    System.out.println("state: " + List.of("kept", "kept and copied", "older", "none").get(choice));
    switch (choice) {
      case 0 -> {}
      case 1 -> replace(earlier, state);
      case 2 -> {
        if (Files.exists(earlier)) {
          replace(state, earlier);
        }
      }
      default -> Utils.delete(state.toFile());
    }
  }

  private static void replace(Path copy, Path original) throws IOException {
    Utils.delete(copy.toFile());
    try (Stream<Path> files = Files.walk(original)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(original.relativize(file)));
      }
    }
  }

  /** Lets an instance fire for a while, and kills it when it has fired and not yet committed. */
  private static boolean killWhileFiring(
      Map<String, String> settings, Tenant tenant, OpenTransactions open, SplittableRandom random)
      throws ExecutionException, InterruptedException {
    Instant start = Instant.now();
    try (SchedulerProcess scheduler = SchedulerProcess.start(settings);
        TopicReader<byte[]> fires =
            TopicReader.uncommitted(tenant.bootstrapServers(), tenant.topics().fires())) {
      awaitNext(fires);
      fires.readFor(Duration.ofMillis(random.nextLong(500)));
      awaitNext(fires);
      scheduler.kill();
      return open.haveFiredSince(start);
    }
  }

  private static void awaitNext(TopicReader<byte[]> fires) {
    int before = fires.toEnd().size();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofMinutes(4))
        .until(() -> fires.poll().size() > before);
  }

  /**
   * An instance that is killed when nothing is special, and a last one, which continues with its
   * state, and has the time to decide everything that is due.
   */
  private static void finish(Map<String, String> settings, Tenant tenant) {
    try (SchedulerProcess killed = SchedulerProcess.start(settings).awaitReady()) {
      killed.kill();
    }
    try (SchedulerProcess scheduler =
            SchedulerProcess.start(settings, SchedulerProcess.STREAMS_LOG).awaitReady();
        TopicReader<Fire> fires = tenant.fires()) {
      assertThat(scheduler.log())
          .anyMatch(line -> line.matches(".* progress initialized from .* offset \\d+ .*"))
          .noneMatch(line -> line.matches(".* schedules initialized from .* offset null .*"));
      int before = fires.toEnd().size();
      await().atMost(Duration.ofMinutes(4)).until(() -> fires.poll().size() > before + 300);
      assertThat(scheduler.terminate()).isZero();
    }
  }
}
