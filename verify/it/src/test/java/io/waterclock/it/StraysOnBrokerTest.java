package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Schedules and tombstones from a client that hashes keys as librdkafka does. */
@Timeout(600)
@Tag("all")
final class StraysOnBrokerTest {
  private static final int PARTITIONS = 3;
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final List<String> IDS =
      IntStream.range(0, 24).mapToObj(i -> "strays/" + i).toList();
  private static final Map<String, String> BROKER =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");

  @TempDir Path dir;

  @Test
  void strays_and_their_tombstones_come_home_once_whatever_is_killed_or_read_again()
      throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "strays", dir);
      Map<String, String> settings =
          tenant.settings("one", Map.of("partitions", Integer.toString(PARTITIONS)));
      tenant.createTopics(settings);
      try (Producing java = tenant.schedules();
          Producing librdkafka = librdkafka(tenant)) {
        defineAndKill(settings, tenant, librdkafka);
        awaitAlive(settings, tenant, Set.copyOf(IDS));

        Set<String> deleted = Set.copyOf(IDS.subList(0, 8));
        deleted.forEach(librdkafka::delete);
        IDS.subList(8, 12).forEach(id -> java.put(id, "{\"every\":\"2h\"}"));
        IDS.subList(8, 10).forEach(librdkafka::delete);
        Set<String> alive = Set.copyOf(IDS.subList(10, IDS.size()));
        awaitAlive(settings, tenant, alive);
        assertThat(began(tenant)).allMatch(count -> count <= 2);
        long before = revisions(tenant);

        forgetOffsets(tenant);
        java.put("sentinel", "{\"every\":\"1h\"}");
        Set<String> withSentinel = IDS.stream().filter(alive::contains).collect(Collectors.toSet());
        withSentinel.add("sentinel");
        awaitAlive(settings, tenant, withSentinel);
        assertTopicAgrees(tenant, withSentinel);
        assertThat(revisions(tenant) - before).as("revisions").isLessThanOrEqualTo(1 + 2L * 10);
      }
      assertFiredOnce(tenant);
    }
  }

  /**
   * In the midst of moving: what was moved stays so, what was not is moved by the next instance.
   */
  private static void defineAndKill(
      Map<String, String> settings, Tenant tenant, Producing librdkafka) {
    try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady();
        TopicReader<byte[]> onTheirWay =
            TopicReader.uncommitted(tenant.bootstrapServers(), tenant.topics().strays())) {
      librdkafka.send(
          Optional.of("once".getBytes(StandardCharsets.UTF_8)),
          Optional.of("{\"at\":\"now\"}".getBytes(StandardCharsets.UTF_8)),
          Map.of(HeaderNames.CORRELATION_ID, "asked", HeaderNames.ANSWER_PARTITION, "0"));
      IDS.forEach(id -> librdkafka.put(id, "{\"every\":\"1h\"}"));
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .atMost(BOUND)
          .until(() -> !onTheirWay.poll().isEmpty());
      scheduler.kill();
    }
  }

  private static void awaitAlive(Map<String, String> settings, Tenant tenant, Set<String> ids) {
    try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady();
        TopicReader<ScheduleStatus> status = tenant.status()) {
      await().atMost(BOUND).untilAsserted(() -> assertThat(alive(status)).isEqualTo(ids));
      assertThat(scheduler.terminate()).isZero();
    }
  }

  private static Set<String> alive(TopicReader<ScheduleStatus> status) {
    Map<String, Boolean> last = new HashMap<>();
    status.poll().forEach(e -> last.put(e.key().orElseThrow(), e.value().isPresent()));
    last.remove("once");
    return last.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** How often each schedule was accepted. */
  private static List<Long> began(Tenant tenant) {
    try (TopicReader<Revision> revisions = tenant.revisions()) {
      return TopicReader.values(revisions.toEnd()).stream()
          .filter(revision -> revision.getEndedAt() == null)
          .collect(Collectors.groupingBy(Revision::getScheduleId, Collectors.counting()))
          .values()
          .stream()
          .toList();
    }
  }

  private static long revisions(Tenant tenant) {
    try (TopicReader<Revision> revisions = tenant.revisions()) {
      return revisions.toEnd().size();
    }
  }

  private static void forgetOffsets(Tenant tenant) throws ExecutionException, InterruptedException {
    try (Admin admin = tenant.admin()) {
      admin.deleteConsumerGroups(List.of(tenant.applicationId())).all().get();
    }
  }

  /** What compaction leaves is what is alive, each in the partition of its key. */
  private static void assertTopicAgrees(Tenant tenant, Set<String> alive) {
    Map<String, Boolean> defined = new HashMap<>();
    try (TopicReader<byte[]> schedules =
        new TopicReader<>(tenant.bootstrapServers(), tenant.topics().schedules(), bytes -> bytes)) {
      schedules
          .toEnd()
          .forEach(
              entry ->
                  defined.put(
                      entry.partition() + " " + entry.key().orElseThrow(),
                      entry.value().isPresent()));
    }
    defined.keySet().removeIf(key -> key.endsWith(" once"));
    assertThat(
            defined.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()))
        .isEqualTo(alive.stream().map(id -> home(id) + " " + id).collect(Collectors.toSet()));
    assertThat(defined).as("records abroad").hasSizeGreaterThan(alive.size());
  }

  private static void assertFiredOnce(Tenant tenant) {
    try (TopicReader<Fire> fires = tenant.fires();
        TopicReader<Answer> answers = tenant.answers()) {
      assertThat(TopicReader.values(fires.toEnd()))
          .extracting(Fire::getScheduleId)
          .containsExactly("once");
      assertThat(TopicReader.values(answers.toEnd()))
          .extracting(Answer::getVerdict)
          .containsExactly(Verdict.ACCEPTED);
    }
  }

  private static Producing librdkafka(Tenant tenant) {
    return new Producing(
        tenant.bootstrapServers(),
        tenant.topics().schedules(),
        Map.of("partitioner.class", LibrdkafkaPartitioner.class.getName()));
  }

  private static int home(String id) {
    return Utils.toPositive(Utils.murmur2(id.getBytes(StandardCharsets.US_ASCII))) % PARTITIONS;
  }
}
