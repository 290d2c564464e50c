package io.waterclock.runtime.brokers;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A right of a client: one operation on one resource, or on all resources with a name prefix. One
 * ACL grants it.
 */
public record Right(AclOperation operation, ResourcePattern resource) {
  private static final Pattern USER = Pattern.compile("\\busername\\s*=\\s*\"?([^\"\\s;]+)");

  public static Right topic(AclOperation operation, String name) {
    return new Right(operation, new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL));
  }

  /** A right on all topics whose names begin with {@code prefix}. */
  public static Right topics(AclOperation operation, String prefix) {
    return new Right(
        operation, new ResourcePattern(ResourceType.TOPIC, prefix, PatternType.PREFIXED));
  }

  public static Right group(AclOperation operation, String name) {
    return new Right(operation, new ResourcePattern(ResourceType.GROUP, name, PatternType.LITERAL));
  }

  public static Right transactionalId(AclOperation operation, String name) {
    return new Right(
        operation, new ResourcePattern(ResourceType.TRANSACTIONAL_ID, name, PatternType.LITERAL));
  }

  /** A right on all transactional ids that begin with {@code prefix}. */
  public static Right transactionalIds(AclOperation operation, String prefix) {
    return new Right(
        operation,
        new ResourcePattern(ResourceType.TRANSACTIONAL_ID, prefix, PatternType.PREFIXED));
  }

  boolean isOn(ResourceType type, String name) {
    return resource.resourceType() == type
        && (resource.patternType() == PatternType.PREFIXED
            ? name.startsWith(resource.name())
            : name.equals(resource.name()));
  }

  /**
   * A sentence that says who lacks the right, with what grants it, without a full stop.
   *
   * @param client its settings, which name the user and the brokers
   */
  public String objection(Map<String, ?> client) {
    String principal = principal(client);
    return principal + " needs " + this + ": " + grant(principal, client);
  }

  private String grant(String principal, Map<String, ?> client) {
    if (IamActions.areOf(client)) {
      return "its IAM policy must allow "
          + IamActions.of(resource.resourceType(), operation)
          + " there";
    }
    return ("kafka-acls.sh --bootstrap-server %s --command-config ADMIN.properties --add"
            + " --allow-principal %s --operation %s%s --%s %s")
        .formatted(
            client.get("bootstrap.servers"),
            principal,
            capitalised(operation.name()),
            resource.patternType() == PatternType.PREFIXED
                ? " --resource-pattern-type prefixed"
                : "",
            resource.resourceType().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            resource.name());
  }

  /**
   * {@code NAME} stands for a user that the settings do not name, such as one with a certificate.
   */
  private static String principal(Map<String, ?> client) {
    return "User:"
        + Optional.ofNullable(client.get(SaslConfigs.SASL_JAAS_CONFIG))
            .map(jaas -> USER.matcher(String.valueOf(jaas)))
            .filter(Matcher::find)
            .map(found -> found.group(1))
            .orElse("NAME");
  }

  /** {@code Write on topic waterclock.fires}. */
  @Override
  public String toString() {
    return capitalised(operation.name()) + " on " + on();
  }

  /** {@code topic waterclock.fires}. */
  String on() {
    String noun = resource.resourceType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return resource.patternType() == PatternType.PREFIXED
        ? noun + "s that begin with " + resource.name()
        : noun + " " + resource.name();
  }

  /** As kafka-acls.sh spells it: {@code DescribeConfigs}. */
  private static String capitalised(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_")) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
