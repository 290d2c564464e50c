package io.waterclock.cli.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A right in the tables of docs/rights.md.
 *
 * @param operation such as {@code DescribeConfigs}
 * @param on such as {@code topics that begin with}
 * @param name the text between backticks
 */
public record DocumentedRight(String operation, String on, String name) {
  private static final Path PAGE = Path.of("..", "docs", "rights.md");
  private static final Pattern ROW =
      Pattern.compile("^\\| (\\w+) \\| ([a-z ]+) `([^`]+)` \\|", Pattern.MULTILINE);

  /** The rights below a heading. */
  public static List<DocumentedRight> of(String heading) throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf("\n## " + heading + "\n");
    if (begin < 0) {
      throw new IllegalStateException("there is no heading " + heading + " in " + PAGE);
    }
    int end = page.indexOf("\n#", begin + 2);
    Matcher row = ROW.matcher(page.substring(begin, end < 0 ? page.length() : end));
    List<DocumentedRight> rights = new ArrayList<>();
    while (row.find()) {
      rights.add(new DocumentedRight(row.group(1), row.group(2), row.group(3)));
    }
    return rights;
  }

  /** The ACLs that the table asks for. */
  public AclBinding allowing(String user) {
    return new AclBinding(
        new ResourcePattern(
            ResourceType.fromString(noun()),
            name,
            isPrefix() ? PatternType.PREFIXED : PatternType.LITERAL),
        new AccessControlEntry("User:" + user, "*", kafkaOperation(), AclPermissionType.ALLOW));
  }

  /** The same right of another prefix. */
  DocumentedRight of(UnaryOperator<String> names) {
    return new DocumentedRight(operation, on, names.apply(name));
  }

  /** The same right on single topics; itself if it is not for the beginning of their names. */
  Stream<DocumentedRight> onEach(Collection<String> topics) {
    return isPrefix() && isOnTopics()
        ? topics.stream()
            .filter(topic -> topic.startsWith(name))
            .map(topic -> new DocumentedRight(operation, "topic", topic))
        : Stream.of(this);
  }

  AclOperation kafkaOperation() {
    return AclOperation.fromString(operation.replaceAll("(?<=[a-z])(?=[A-Z])", "_"));
  }

  boolean isPrefix() {
    return on.endsWith(" that begin with");
  }

  boolean isOnTopics() {
    return on.startsWith("topic");
  }

  /** {@code transactional_id}. */
  private String noun() {
    return on.replaceAll("s? that begin with$", "").replace(' ', '_');
  }

  /** The error message of a user without the right. */
  String sentence(String user, String bootstrapServers) {
    return "waterclock: User:"
        + user
        + " needs "
        + this
        + ": kafka-acls.sh --bootstrap-server "
        + bootstrapServers
        + " --command-config ADMIN.properties --add --allow-principal User:"
        + user
        + " --operation "
        + operation
        + (isPrefix() ? " --resource-pattern-type prefixed" : "")
        + " --"
        + noun().replace('_', '-')
        + " "
        + name;
  }

  @Override
  public String toString() {
    return operation + " on " + on + " " + name;
  }
}
