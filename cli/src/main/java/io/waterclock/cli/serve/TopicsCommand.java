package io.waterclock.cli.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.waterclock.cli.cluster.ClusterCommand;
import io.waterclock.cli.cluster.StartOptions;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.worker.brokers.MemoryTopic;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.WaterclockConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "topics",
    description = {
      "Print the topics that a scheduler needs, for clusters where somebody else creates them.",
      "",
      "Prints all of them with their settings, the changelogs of the state included, and connects"
          + " to no cluster. 'waterclock doctor --preflight' says which a cluster lacks."
    })
public final class TopicsCommand extends ClusterCommand {
  /** What the topics are written for. */
  enum Format {
    SH,
    JSON,
    STRIMZI,
    TERRAFORM
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML =
      YAMLMapper.builder()
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "sh",
      description = {
        "sh: lines of kafka-topics.sh. json: one object a line. strimzi: KafkaTopic resources for"
            + " the Kafka cluster --cluster. terraform: a file NAME.tf.json for the provider"
            + " Mongey/kafka (default: ${DEFAULT-VALUE})."
      })
  Format format = Format.SH;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = "kafka",
      description =
          "With --format strimzi: the name of the Kafka resource (default: ${DEFAULT-VALUE}).")
  String cluster = "kafka";

  @Option(
      names = "--workers",
      description =
          "Also print PREFIX.workers, which workers otherwise create when they have something to"
              + " remember.")
  boolean workers;

  @Mixin StartOptions start = new StartOptions();

  @Override
  public Integer call() throws JsonProcessingException {
    WaterclockConfig config = config(start);
    List<NewTopic> topics = new ArrayList<>(TopicSetup.toCreate(config));
    if (workers) {
      topics.add(ofWorkers(config, topics));
    }
    switch (format) {
      case SH -> topics.forEach(topic -> println(line(topic, config.bootstrapServers())));
      case JSON -> {
        for (NewTopic topic : topics) {
          println(JSON.writeValueAsString(plain(topic)));
        }
      }
      case STRIMZI -> {
        for (NewTopic topic : topics) {
          printLines(YAML.writeValueAsString(strimzi(topic)));
        }
      }
      case TERRAFORM -> printLines(terraform(topics));
    }
    return ExitCode.OK;
  }

  /** With as many partitions as the fires have. */
  private static NewTopic ofWorkers(WaterclockConfig config, List<NewTopic> others) {
    return MemoryTopic.toCreate(
        config.topics().workers(),
        others.stream()
            .filter(topic -> topic.name().equals(config.topics().fires()))
            .mapToInt(NewTopic::numPartitions)
            .findFirst()
            .orElseThrow(),
        config.replicationFactor().map(Integer::shortValue),
        config.accepted());
  }

  private void printLines(String text) {
    text.lines().forEach(this::println);
  }

  private static String line(NewTopic topic, String bootstrapServers) {
    StringBuilder line =
        new StringBuilder("kafka-topics.sh --bootstrap-server ")
            .append(bootstrapServers)
            .append(" --create --if-not-exists --topic ")
            .append(topic.name())
            .append(" --partitions ")
            .append(topic.numPartitions());
    if (hasReplicas(topic)) {
      line.append(" --replication-factor ").append(topic.replicationFactor());
    }
    settings(topic).forEach((key, value) -> line.append(" --config ").append(key + "=" + value));
    return line.toString();
  }

  private static Map<String, Object> plain(NewTopic topic) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", topic.name());
    fields.put("partitions", topic.numPartitions());
    if (hasReplicas(topic)) {
      fields.put("replication_factor", topic.replicationFactor());
    }
    fields.put("config", settings(topic));
    return fields;
  }

  private Map<String, Object> strimzi(NewTopic topic) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("topicName", topic.name());
    spec.put("partitions", topic.numPartitions());
    if (hasReplicas(topic)) {
      spec.put("replicas", topic.replicationFactor());
    }
    spec.put("config", settings(topic));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("apiVersion", "kafka.strimzi.io/v1");
    fields.put("kind", "KafkaTopic");
    Map<String, Object> metadata = new LinkedHashMap<>();
    // the names of Kubernetes have neither capitals nor underscores
    metadata.put("name", topic.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    metadata.put("labels", Map.of("strimzi.io/cluster", cluster));
    fields.put("metadata", metadata);
    fields.put("spec", spec);
    return fields;
  }

  /** Terraform reads JSON as it reads its own language. */
  private static String terraform(List<NewTopic> topics) throws JsonProcessingException {
    Map<String, Object> resources = new LinkedHashMap<>();
    for (NewTopic topic : topics) {
      if (!hasReplicas(topic)) {
        throw new WrongUsage(
            "--format terraform needs --replication-factor, as its provider does.");
      }
      resources.put(topic.name().replace('.', '_'), plain(topic));
    }
    Map<String, Object> providers = Map.of("kafka", Map.of("source", "Mongey/kafka"));
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("terraform", Map.of("required_providers", providers));
    file.put("resource", Map.of("kafka_topic", resources));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(file);
  }

  private static Map<String, String> settings(NewTopic topic) {
    return new TreeMap<>(topic.configs());
  }

  /** Otherwise the broker decides. */
  private static boolean hasReplicas(NewTopic topic) {
    return topic.replicationFactor() > 0;
  }
}
