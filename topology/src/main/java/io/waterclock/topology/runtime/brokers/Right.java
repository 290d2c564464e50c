package io.waterclock.topology.runtime.brokers;

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
 * What a client has to be allowed: one operation on one resource, or on all whose names begin the
 * same. An ACL for exactly that grants it.
 */
public record Right(AclOperation operation, ResourcePattern resource) {
  private static final Pattern USER = Pattern.compile("\\busername\\s*=\\s*\"?([^\"\\s;]+)");

  /** One on a topic. */
  public static Right topic(AclOperation operation, String name) {
    return new Right(operation, new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL));
  }

  /** One on all topics whose names begin with {@code prefix}. */
  public static Right topics(AclOperation operation, String prefix) {
    return new Right(
        operation, new ResourcePattern(ResourceType.TOPIC, prefix, PatternType.PREFIXED));
  }

  /** One on a consumer group. */
  public static Right group(AclOperation operation, String name) {
    return new Right(operation, new ResourcePattern(ResourceType.GROUP, name, PatternType.LITERAL));
  }

  /** One on all transactional ids that begin with {@code prefix}. */
  public static Right transactionalIds(AclOperation operation, String prefix) {
    return new Right(
        operation,
        new ResourcePattern(ResourceType.TRANSACTIONAL_ID, prefix, PatternType.PREFIXED));
  }

  /** True when it is about a resource of this kind and name. */
  boolean isOn(ResourceType type, String name) {
    return resource.resourceType() == type
        && (resource.patternType() == PatternType.PREFIXED
            ? name.startsWith(resource.name())
            : name.equals(resource.name()));
  }

  /**
   * That a client lacks it, and the command that grants it, in one sentence without its full stop.
   *
   * @param client its settings: the user and the brokers are told from them
   */
  public String objection(Map<String, ?> client) {
    String principal = principal(client);
    return principal + " needs " + this + ": " + grant(principal, client);
  }

  private String grant(String principal, Map<String, ?> client) {
    return "kafka-acls.sh --bootstrap-server "
        + client.get("bootstrap.servers")
        + " --command-config ADMIN.properties --add --allow-principal "
        + principal
        + " --operation "
        + capitalised(operation.name())
        + (resource.patternType() == PatternType.PREFIXED
            ? " --resource-pattern-type prefixed"
            : "")
        + " --"
        + resource.resourceType().name().toLowerCase(Locale.ROOT).replace('_', '-')
        + " "
        + resource.name();
  }

  /**
   * A user without a name in the settings, as one with a certificate, has a principal all the same.
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
    String noun = resource.resourceType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String verb = capitalised(operation.name());
    return resource.patternType() == PatternType.PREFIXED
        ? verb + " on " + noun + "s that begin with " + resource.name()
        : verb + " on " + noun + " " + resource.name();
  }

  /** As kafka-acls.sh has it: {@code DescribeConfigs}. */
  private static String capitalised(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_")) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
