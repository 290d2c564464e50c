package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class RerunCommandTest {
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  @RegisterExtension static final Broker broker = new Broker();

  @Test
  void fires_that_failed_go_to_the_group_that_reported_on_them_and_no_others_do() throws Exception {
    Topics topics = broker.topics("rerun");
    fired(topics, "a", NOW.minusSeconds(60));
    fired(topics, "b", NOW.minusSeconds(60));
    fired(topics, "b", NOW.minusSeconds(7_200));
    fired(topics, "c", NOW.minusSeconds(60));
    fired(topics, "d", NOW.minusSeconds(60));
    reported(topics, "a", NOW.minusSeconds(60), "failed\",\"attempt\":4,\"worker\":\"reports/1@vm");
    reported(topics, "b", NOW.minusSeconds(60), "failed\",\"worker\":\"team/x/2@vm");
    reported(topics, "b", NOW.minusSeconds(7_200), "failed\",\"worker\":\"reports/1@vm");
    reported(topics, "c", NOW.minusSeconds(60), "succeeded\",\"worker\":\"reports/1@vm");
    reported(
        topics,
        "d",
        NOW.minusSeconds(60),
        "failed\",\"worker\":\"reports/1@vm\",\"retry_at\":\"2099-01-01T00:00:00Z");

    CliRun absent = broker.run(topics, "rerun", "--failed", "--yes");
    assertThat(absent.exitCode()).isEqualTo(1);
    assertThat(absent.err()).contains("rerun.retries");
    try (Admin admin = Admin.create(broker.clients())) {
      admin
          .createTopics(List.of(new NewTopic(topics.retries(), Broker.PARTITIONS, (short) 1)))
          .all()
          .get();
    }
    assertThat(
            broker
                .run(
                    topics,
                    "rerun",
                    "--failed",
                    "--from",
                    NOW.minusSeconds(3_600).toString(),
                    "--dry-run")
                .lines())
        .containsExactly("2 fires would run again");
    CliRun run =
        broker.run(
            topics,
            "rerun",
            "--failed",
            "--from",
            NOW.minusSeconds(3_600).toString(),
            "--yes",
            "--author",
            "ann",
            "--note",
            "up");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.lines()).containsExactly("2 fires sent to run again");
    List<ConsumerRecord<byte[], byte[]>> sent = sent(topics, 2);
    assertThat(sent)
        .extracting(Partitions::key)
        .containsExactlyInAnyOrder(key("a", 60), key("b", 60));
    for (ConsumerRecord<byte[], byte[]> record : sent) {
      boolean isA = Partitions.key(record).startsWith("a|");
      assertThat(record.partition()).isEqualTo(home(isA ? "a" : "b"));
      assertThat(record.value()).isEqualTo(record.key());
      assertThat(headers(record))
          .isEqualTo(
              Map.of(
                  "own",
                  "1",
                  "waterclock-group",
                  isA ? "reports" : "team/x",
                  "waterclock-returns-to",
                  topics.retries(),
                  "waterclock-retries",
                  "0",
                  "waterclock-attempts",
                  isA ? "4" : "1",
                  "waterclock-error",
                  "run again by ann: up",
                  "waterclock-rerun",
                  "2026-11-21T10:00:00Z"));
    }
  }

  @Test
  void one_occurrence_runs_again_for_a_group_that_is_named_if_none_reported() throws Exception {
    Topics topics = broker.topics("rerun-one");
    Instant at = NOW.minusSeconds(60);
    fired(topics, "a", at);
    try (Admin admin = Admin.create(broker.clients())) {
      admin
          .createTopics(List.of(new NewTopic(topics.retries(), Broker.PARTITIONS, (short) 1)))
          .all()
          .get();
    }
    CliRun unknown = broker.run(topics, "rerun", "a", at.toString());
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("name it with --group");
    assertThat(broker.run(topics, "rerun", "a", at.plusSeconds(1).toString()).err())
        .contains("contain no fire of a for " + at.plusSeconds(1));
    assertThat(broker.run(topics, "rerun", "a", at.toString(), "--group", "reports").lines())
        .containsExactly("1 fire sent to run again");
    assertThat(headers(sent(topics, 1).get(0))).containsEntry("waterclock-group", "reports");
    assertThat(broker.run(topics, "rerun", "a").exitCode()).isEqualTo(2);
    assertThat(broker.run(topics, "rerun", "a", "today", "--group", "g").exitCode()).isEqualTo(2);
  }

  @Test
  void a_fire_of_a_partition_that_the_topic_of_retries_does_not_have_runs_again_too()
      throws Exception {
    Topics topics = broker.topics("rerun-few");
    List<String> ids =
        IntStream.range(0, Broker.PARTITIONS)
            .mapToObj(
                number ->
                    Stream.iterate(0, i -> i + 1)
                        .map(i -> "job-" + i)
                        .filter(id -> home(id) == number)
                        .findFirst()
                        .orElseThrow())
            .toList();
    for (String id : ids) {
      fired(topics, id, NOW.minusSeconds(60));
      reported(topics, id, NOW.minusSeconds(60), "failed\",\"worker\":\"reports/1@vm");
    }
    try (Admin admin = Admin.create(broker.clients())) {
      admin.createTopics(List.of(new NewTopic(topics.retries(), 1, (short) 1))).all().get();
    }
    CliRun run = broker.run(topics, "rerun", "--failed", "--yes");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(sent(topics, 1, ids.size()))
        .extracting(Partitions::key)
        .containsExactlyInAnyOrderElementsOf(ids.stream().map(id -> key(id, 60)).toList());
  }

  private static String key(String id, long secondsAgo) {
    return FireKey.of(ScheduleId.parse(id), NOW.minusSeconds(secondsAgo)).text();
  }

  private static int home(String id) {
    return HomePartition.of(id.getBytes(UTF_8), Broker.PARTITIONS);
  }

  /** Its value is its key. */
  private static void fired(Topics topics, String id, Instant at) throws Exception {
    byte[] key = FireKey.of(ScheduleId.parse(id), at).bytes();
    ProducerRecord<byte[], byte[]> fire =
        new ProducerRecord<>(topics.fires(), home(id), at.toEpochMilli(), key, key);
    fire.headers().add("own", "1".getBytes(UTF_8));
    broker.write(fire);
  }

  private static void reported(Topics topics, String id, Instant at, String state)
      throws Exception {
    String key = FireKey.of(ScheduleId.parse(id), at).text();
    broker.write(
        topics.outcomes(),
        id,
        ("{\"fire_key\":\"" + key + "\",\"state\":\"" + state + "\"}").getBytes(UTF_8));
  }

  private static List<ConsumerRecord<byte[], byte[]>> sent(Topics topics, int count) {
    return sent(topics, Broker.PARTITIONS, count);
  }

  private static List<ConsumerRecord<byte[], byte[]>> sent(
      Topics topics, int partitionCount, int count) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            broker.clients(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, partitionCount)
              .mapToObj(number -> new TopicPartition(topics.retries(), number))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
      while (all.size() < count && System.nanoTime() < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
    }
    assertThat(all).hasSize(count);
    return all;
  }

  private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), UTF_8));
    }
    return headers;
  }
}
