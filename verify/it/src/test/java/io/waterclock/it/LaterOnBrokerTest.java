package io.waterclock.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Records to be delivered later, through a broker and through kills. */
@Timeout(600)
final class LaterOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final long SEED = Long.getLong("waterclock.seed", 1);

  @TempDir static Path dir;

  @RegisterExtension
  static final TestBroker kafka =
      new TestBroker(
          Map.of(
              "group.min.session.timeout.ms", "500",
              "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200",
              "auto.create.topics.enable", "false"));

  @Test
  void a_record_arrives_in_its_partition_as_it_was_sent_and_a_wrong_one_is_a_dead_letter()
      throws Exception {
    Tenant tenant = tenant("arrive");
    create(tenant, "arrive.orders", 3);
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)))) {
      await().atMost(BOUND).until(scheduler::isReady);
      try (Producing later = later(tenant)) {
        later.send(
            Optional.empty(),
            Optional.of("v".getBytes(UTF_8)),
            Map.of(
                HeaderNames.IN,
                "1s",
                HeaderNames.TARGET,
                "arrive.orders",
                HeaderNames.PARTITION,
                "2",
                HeaderNames.ID,
                "a",
                "own",
                "1"));
        later.send(
            Optional.of("k".getBytes(UTF_8)),
            Optional.empty(),
            Map.of(HeaderNames.IN, "0s", HeaderNames.TARGET, "arrive.orders", HeaderNames.ID, "b"));
        later.send("k", "v", Map.of(HeaderNames.IN, "0s", HeaderNames.TARGET, "other.orders"));
      }
      Map<String, TopicReader.Entry<byte[]>> arrived = new TreeMap<>();
      await()
          .atMost(BOUND)
          .until(
              () -> {
                records("arrive.orders")
                    .forEach(entry -> arrived.put(entry.headers().get(HeaderNames.ID), entry));
                return arrived.size() == 2;
              });
      TopicReader.Entry<byte[]> a = Optional.ofNullable(arrived.get("a")).orElseThrow();
      assertThat(a.partition()).isEqualTo(2);
      assertThat(a.key()).isEmpty();
      assertThat(a.value()).contains("v".getBytes(UTF_8));
      assertThat(a.headers()).isEqualTo(Map.of(HeaderNames.ID, "a", "own", "1"));
      TopicReader.Entry<byte[]> b = Optional.ofNullable(arrived.get("b")).orElseThrow();
      assertThat(b.key()).contains("k");
      assertThat(b.value()).isEmpty();
      await().atMost(BOUND).until(() -> deadLetters(tenant).size() == 1);
      assertThat(deadLetters(tenant).get(0).headers().get(HeaderNames.ERROR))
          .startsWith("waterclock-target: \"other.orders\" is not in targets.allow");
    }
  }

  /** The cancellations lie behind more definitions than are read by the due instant. */
  @Test
  @Tag("all")
  void of_records_that_were_cancelled_in_time_none_arrives_and_all_others_do() throws Exception {
    Tenant tenant = tenant("halves");
    create(tenant, "halves.orders", 2);
    String attempt;
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing later = later(tenant);
        Producing schedules = tenant.schedules()) {
      await().atMost(BOUND).until(scheduler::isReady);
      Duration ahead = Duration.ofSeconds(2);
      boolean isInTime;
      do {
        ahead = ahead.multipliedBy(2);
        attempt = ahead + "/";
        Instant due = Instant.now().plus(ahead);
        List<Future<RecordMetadata>> written = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
          Map<String, String> headers = to("halves.orders", due);
          headers.put(HeaderNames.ID, attempt + i);
          written.add(later.send("k" + i, "v", headers));
        }
        schedules.fill(4_000);
        for (int i = 0; i < 400; i += 2) {
          String id = attempt + i;
          Map<String, String> cancel =
              Map.of(
                  HeaderNames.ID, id, HeaderNames.CANCEL, "true", HeaderNames.CORRELATION_ID, id);
          written.add(later.send("k" + i, "", cancel));
        }
        written.forEach(Producing::await);
        String prefix = attempt;
        await().atMost(BOUND).until(() -> answers(tenant, prefix).size() == 200);
        isInTime = Instant.now().isBefore(due);
      } while (!isInTime && ahead.compareTo(BOUND) < 0);
      assertThat(isInTime).isTrue();
      String last = attempt;
      assertThat(answers(tenant, last))
          .extracting(Answer::getVerdict)
          .containsOnly(Verdict.DELETED);
      await()
          .pollInterval(Duration.ofSeconds(1))
          .atMost(BOUND)
          .until(() -> ids("halves.orders", last).size() >= 200);
    }
    String last = attempt;
    assertThat(ids("halves.orders", last))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 200).mapToObj(i -> last + (2 * i + 1)).toList());
  }

  @Test
  @Tag("all")
  void each_record_arrives_once_and_those_of_a_key_and_instant_in_order_whatever_is_killed()
      throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    Tenant tenant = tenant("kills");
    create(tenant, "kills.orders", 2);
    Map<String, String> settings = tenant.settings("one", settings(tenant));
    tenant.createTopics(settings);
    Map<String, List<String>> sent = new TreeMap<>();
    int number = 0;
    try (Producing later = later(tenant)) {
      for (int kill = 0; kill < 4; kill++) {
        try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
          scheduler.awaitReady();
          List<Future<RecordMetadata>> written = new ArrayList<>();
          for (int i = 0; i < 2_000; i++) {
            String key = "k" + random.nextInt(10);
            String value = Integer.toString(number++);
            Instant due = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.SECONDS);
            Map<String, String> headers = to("kills.orders", due);
            headers.put("due", due.toString());
            written.add(later.send(key, value, headers));
            sent.computeIfAbsent(key + " " + due, unknown -> new ArrayList<>()).add(value);
          }
          written.forEach(Producing::await);
          await().pollDelay(Duration.ofMillis(random.nextLong(1_500))).until(() -> true);
          scheduler.kill();
        }
      }
      int all = number;
      try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
        scheduler.awaitReady();
        await().atMost(BOUND).until(() -> records("kills.orders").size() >= all);
        assertThat(scheduler.terminate()).isZero();
      }
    }
    assertThat(arrived("kills.orders")).isEqualTo(sent);
    assertThat(deadLetters(tenant)).isEmpty();
  }

  /** The clocks of those who write go apart by some milliseconds, so timestamps go back. */
  @Test
  void records_that_are_written_about_their_instant_or_after_it_arrive_in_order() throws Exception {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    Tenant tenant = tenant("about");
    create(tenant, "about.orders", 2);
    int all = 4_000;
    Map<String, List<String>> sent = new TreeMap<>();
    try (Waterclock scheduler = Waterclock.start(tenant.config(settings(tenant)));
        Producing later = later(tenant)) {
      await().atMost(BOUND).until(scheduler::isReady);
      Instant longAgo = Instant.now().minusSeconds(5).truncatedTo(ChronoUnit.SECONDS);
      List<Future<RecordMetadata>> written = new ArrayList<>();
      for (int i = 0; i < all; i++) {
        String key = "k" + random.nextInt(3);
        Instant now = Instant.now();
        Instant about = Instant.ofEpochMilli(now.toEpochMilli() / 200 * 200);
        Instant due =
            List.of(longAgo, about, about.plusMillis(200), about.plusMillis(400))
                .get(random.nextInt(4));
        Map<String, String> headers = to("about.orders", due);
        headers.put("due", due.toString());
        String value = Integer.toString(i);
        written.add(later.send(key, value, headers, now.plusMillis(random.nextInt(-30, 30))));
        sent.computeIfAbsent(key + " " + due, unknown -> new ArrayList<>()).add(value);
        if (i % 5 == 0) {
          LockSupport.parkNanos(Duration.ofMillis(3).toNanos());
        }
      }
      written.forEach(Producing::await);
      await().atMost(BOUND).until(() -> records("about.orders").size() >= all);
    }
    assertThat(arrived("about.orders")).isEqualTo(sent);
  }

  /** The values of each key and instant, in the order in which they have arrived. */
  private static Map<String, List<String>> arrived(String topic) {
    Map<String, List<String>> arrived = new TreeMap<>();
    for (TopicReader.Entry<byte[]> entry : records(topic)) {
      String group = entry.key().orElseThrow() + " " + entry.headers().get("due");
      arrived
          .computeIfAbsent(group, unknown -> new ArrayList<>())
          .add(new String(entry.value().orElseThrow(), UTF_8));
    }
    return arrived;
  }

  private static List<String> ids(String topic, String prefix) {
    return records(topic).stream()
        .map(entry -> entry.headers().getOrDefault(HeaderNames.ID, ""))
        .filter(id -> id.startsWith(prefix))
        .toList();
  }

  private static Map<String, String> to(String topic, Instant due) {
    Map<String, String> headers = new HashMap<>();
    headers.put(HeaderNames.AT, due.toString());
    headers.put(HeaderNames.TARGET, topic);
    return headers;
  }

  private static List<Answer> answers(Tenant tenant, String prefix) {
    return TopicReader.values(all(tenant.answers())).stream()
        .filter(answer -> answer.getCorrelationId().startsWith(prefix))
        .toList();
  }

  private static Producing later(Tenant tenant) {
    return new Producing(tenant.bootstrapServers(), tenant.topics().later());
  }

  private static Tenant tenant(String name) {
    return new Tenant(kafka.bootstrapServers(), name, dir);
  }

  private static Map<String, String> settings(Tenant tenant) {
    return Map.of(
        "partitions", "2",
        "targets.allow", tenant.prefix() + ".*",
        "producer.transaction.timeout.ms", "5000");
  }

  private static void create(Tenant tenant, String topic, int partitions)
      throws ExecutionException, InterruptedException {
    try (Admin admin = tenant.admin()) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
  }

  private static List<TopicReader.Entry<byte[]>> records(String topic) {
    return all(new TopicReader<>(kafka.bootstrapServers(), topic, bytes -> bytes));
  }

  private static List<TopicReader.Entry<byte[]>> deadLetters(Tenant tenant) {
    return all(tenant.deadLetters());
  }

  private static <T> List<TopicReader.Entry<T>> all(TopicReader<T> reader) {
    try (reader) {
      return reader.toEnd();
    }
  }
}
