package io.waterclock.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.waterclock.cli.CliRun;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is printed for those who create topics; no broker is asked. */
final class TopicsCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void lines_of_kafka_topics_have_all_settings_but_the_accepted_ones() {
    CliRun run =
        topics("--partitions", "24", "--replication-factor", "3", "--accept", "compression.type");
    assertThat(run.lines())
        .hasSize(16)
        .contains(
            "kafka-topics.sh --bootstrap-server k:9 --create --if-not-exists --topic acme.schedules"
                + " --partitions 24 --replication-factor 3 --config cleanup.policy=compact --config"
                + " delete.retention.ms=604800000 --config"
                + " message.timestamp.before.max.ms=9223372036854775807 --config"
                + " message.timestamp.type=CreateTime --config min.compaction.lag.ms=604800000",
            "kafka-topics.sh --bootstrap-server k:9 --create --if-not-exists --topic"
                + " acme.calendars --partitions 1 --replication-factor 3 --config"
                + " cleanup.policy=compact --config delete.retention.ms=604800000 --config"
                + " message.timestamp.type=LogAppendTime --config min.compaction.lag.ms=604800000",
            "kafka-topics.sh --bootstrap-server k:9 --create --if-not-exists --topic"
                + " acme-scheduler-progress-changelog --partitions 24 --replication-factor 3"
                + " --config cleanup.policy=compact --config delete.retention.ms=86400000 --config"
                + " segment.bytes=67108864");
  }

  @Test
  void the_topic_of_workers_is_printed_for_those_who_ask() {
    String line =
        "kafka-topics.sh --bootstrap-server k:9 --create --if-not-exists --topic acme.workers"
            + " --partitions 24 --config cleanup.policy=compact --config";
    assertThat(topics("--partitions", "24", "--workers").lines())
        .hasSize(17)
        .endsWith(line + " compression.type=uncompressed --config segment.bytes=16777216");
    assertThat(topics("--partitions", "24", "--workers", "--accept", "compression.type").lines())
        .endsWith(line + " segment.bytes=16777216");
  }

  @Test
  void changelogs_follow_the_application_id_and_the_age_of_state() {
    CliRun run =
        topics("--format", "sh", "--application-id", "own", "--property", "state.max.age=1h");
    assertThat(run.lines())
        .contains(
            "kafka-topics.sh --bootstrap-server k:9 --create --if-not-exists --topic"
                + " own-schedules-changelog --partitions 12 --config cleanup.policy=compact"
                + " --config delete.retention.ms=7200000 --config segment.bytes=67108864");
  }

  @Test
  void each_format_has_the_same_topics() throws Exception {
    Set<String> names = new TreeSet<>();
    for (String line : topics("--format", "json").lines()) {
      JsonNode topic = JSON.readTree(line);
      assertThat(topic.path("partitions").asInt()).isIn(1, 12);
      assertThat(topic.has("replication_factor")).isFalse();
      assertThat(topic.path("config").path("cleanup.policy").asText()).isIn("compact", "delete");
      names.add(topic.path("name").asText());
    }
    assertThat(names).hasSize(16).contains("acme.dlq", "acme-scheduler-commands-changelog");

    Set<String> resources = new TreeSet<>();
    List<JsonNode> documents =
        new YAMLMapper()
            .readerFor(JsonNode.class)
            .<JsonNode>readValues(topics("--format", "strimzi", "--cluster", "main").out())
            .readAll();
    for (JsonNode document : documents) {
      assertThat(document.path("apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
      assertThat(document.path("kind").asText()).isEqualTo("KafkaTopic");
      assertThat(document.at("/metadata/labels/strimzi.io~1cluster").asText()).isEqualTo("main");
      resources.add(document.at("/spec/topicName").asText());
    }
    assertThat(resources).isEqualTo(names);

    JsonNode terraform =
        JSON.readTree(topics("--format", "terraform", "--replication-factor", "2").out());
    assertThat(terraform.at("/terraform/required_providers/kafka/source").asText())
        .isEqualTo("Mongey/kafka");
    Set<String> managed = new TreeSet<>();
    for (JsonNode topic : terraform.at("/resource/kafka_topic")) {
      assertThat(topic.path("replication_factor").asInt()).isEqualTo(2);
      managed.add(topic.path("name").asText());
    }
    assertThat(managed).isEqualTo(names);
  }

  @Test
  void what_cannot_be_printed_is_one_sentence() {
    assertThat(topics("--format", "terraform").exitCode()).isEqualTo(2);
    CliRun wrong = topics("--accept", "retention.ms,cleanup.policy");
    assertThat(wrong.exitCode()).isEqualTo(1);
    assertThat(wrong.err()).contains("topics.accept: \"cleanup.policy\"").doesNotContain("\tat ");
  }

  private static CliRun topics(String... options) {
    return CliRun.of(
        Stream.concat(
                Stream.of("topics", "--bootstrap-server", "k:9", "--prefix", "acme"),
                Arrays.stream(options))
            .toArray(String[]::new));
  }
}
