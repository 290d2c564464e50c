package io.waterclock.runtime.brokers;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What grants rights on Amazon MSK to a client that logs in with IAM: no ACL does. The actions are
 * those of Amazon's guide, "Actions, resources, and condition keys for Apache Kafka APIs for Amazon
 * MSK clusters".
 */
final class IamActions {
  private static final String MECHANISM = "AWS_MSK_IAM";

  private static final Map<ResourceType, Map<AclOperation, List<String>>> ACTIONS =
      Map.of(
          ResourceType.TOPIC,
          Map.of(
              AclOperation.READ, List.of("ReadData", "DescribeTopic"),
              AclOperation.WRITE, List.of("WriteData", "DescribeTopic"),
              AclOperation.CREATE, List.of("CreateTopic"),
              AclOperation.DELETE, List.of("DeleteTopic"),
              AclOperation.ALTER, List.of("AlterTopic"),
              AclOperation.DESCRIBE, List.of("DescribeTopic"),
              AclOperation.DESCRIBE_CONFIGS, List.of("DescribeTopicDynamicConfiguration"),
              AclOperation.ALTER_CONFIGS, List.of("AlterTopicDynamicConfiguration")),
          ResourceType.GROUP,
          Map.of(
              AclOperation.READ, List.of("AlterGroup", "DescribeGroup"),
              AclOperation.DELETE, List.of("DeleteGroup"),
              AclOperation.DESCRIBE, List.of("DescribeGroup")),
          ResourceType.TRANSACTIONAL_ID,
          Map.of(
              AclOperation.WRITE, List.of("AlterTransactionalId", "DescribeTransactionalId"),
              AclOperation.DESCRIBE, List.of("DescribeTransactionalId")),
          ResourceType.CLUSTER,
          Map.of(
              AclOperation.ALTER, List.of("AlterCluster"),
              AclOperation.DESCRIBE, List.of("DescribeCluster")));

  private IamActions() {}

  /** Whether a client logs in with IAM. */
  static boolean areOf(Map<String, ?> client) {
    return MECHANISM.equals(client.get(SaslConfigs.SASL_MECHANISM));
  }

  /** The actions that include a right: {@code kafka-cluster:CreateTopic}. */
  static String of(ResourceType type, AclOperation operation) {
    return ACTIONS.getOrDefault(type, Map.of()).getOrDefault(operation, List.of("*")).stream()
        .map(action -> "kafka-cluster:" + action)
        .collect(Collectors.joining(" and "));
  }
}
