package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.config.WaterclockConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class SchedulerRightsTest {
  private static final WaterclockConfig CONFIG = WaterclockConfig.parse(Map.of("limits", "true"));
  private static final List<Right> RIGHTS = SchedulerRights.of(CONFIG, List.of("router"));

  private static final Path DESCRIPTION =
      Path.of("../topology/src/test/resources/io/waterclock/topology/scheduler/task/topology.txt");

  @Test
  void what_is_read_and_written_is_what_the_topology_reads_and_writes() throws IOException {
    Set<String> read = topics("topics: \\[(.+?)\\]");
    read.add(CONFIG.topics().watermarks()); // at the start
    read.addAll(List.of(CONFIG.topics().limits(), CONFIG.topics().waiting())); // the limiter
    assertThat(literal(AclOperation.READ)).isEqualTo(read);
    assertThat(literal(AclOperation.WRITE)).isEqualTo(topics("topic: (.+?)\\)"));
  }

  @Test
  void a_right_says_what_is_needed_and_how_to_grant_it() {
    assertThat(
            Right.topic(AclOperation.WRITE, "waterclock.fires")
                .objection(
                    Map.of(
                        "bootstrap.servers", "kafka:9093",
                        "sasl.jaas.config", "X required username=\"al\" password=\"p\";")))
        .isEqualTo(
            "User:al needs Write on topic waterclock.fires: kafka-acls.sh --bootstrap-server"
                + " kafka:9093 --command-config ADMIN.properties --add --allow-principal User:al"
                + " --operation Write --topic waterclock.fires");
    assertThat(
            Right.transactionalIds(AclOperation.WRITE, "app-")
                .objection(Map.of("bootstrap.servers", "kafka:9093")))
        .isEqualTo(
            "User:NAME needs Write on transactional ids that begin with app-: kafka-acls.sh"
                + " --bootstrap-server kafka:9093 --command-config ADMIN.properties --add"
                + " --allow-principal User:NAME --operation Write --resource-pattern-type prefixed"
                + " --transactional-id app-");
  }

  /** Amazon MSK Serverless has no ACLs. */
  @Test
  void with_IAM_a_right_is_granted_by_a_policy() {
    Map<String, String> client =
        Map.of("bootstrap.servers", "kafka:9098", "sasl.mechanism", "AWS_MSK_IAM");
    assertThat(Right.group(AclOperation.READ, "app").objection(client))
        .isEqualTo(
            "User:NAME needs Read on group app: its IAM policy must allow kafka-cluster:AlterGroup"
                + " and kafka-cluster:DescribeGroup there");
    assertThat(RIGHTS)
        .allSatisfy(
            right -> assertThat(right.objection(client)).doesNotContain("kafka-acls.sh", "*"));
  }

  private static Set<String> literal(AclOperation operation) {
    Set<String> names = new TreeSet<>();
    for (Right right : RIGHTS) {
      if (right.operation() == operation
          && right.resource().resourceType() == ResourceType.TOPIC
          && right.resource().patternType() == PatternType.LITERAL) {
        names.add(right.resource().name());
      }
    }
    return names;
  }

  /** From the description of the topology, which another test holds to be true. */
  private static Set<String> topics(String pattern) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher found = Pattern.compile(pattern).matcher(Files.readString(DESCRIPTION));
    while (found.find()) {
      names.addAll(List.of(found.group(1).split(", ")));
    }
    return names;
  }
}
