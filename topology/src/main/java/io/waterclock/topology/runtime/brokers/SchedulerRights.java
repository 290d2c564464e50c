package io.waterclock.topology.runtime.brokers;

import io.waterclock.schemas.Topics;
import io.waterclock.topology.runtime.config.WaterclockConfig;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;

/**
 * What a scheduler needs to be allowed, and no more. docs/deploy.md tells the same to those who
 * grant it, and a test holds both to what a broker asks for.
 */
public final class SchedulerRights {
  private SchedulerRights() {}

  /**
   * Those of an instance: an operator may grant the ones with a prefix for single names, too.
   *
   * @param routerId the application id of the router
   */
  public static List<Right> of(WaterclockConfig config, String routerId) {
    Topics topics = config.topics();
    String ours = topics.prefix() + ".";
    String internal = config.applicationId() + "-";
    Stream<Right> always =
        Stream.of(
            Right.topics(AclOperation.DESCRIBE_CONFIGS, ours),
            Right.topics(AclOperation.CREATE, ours),
            read(topics.schedules()),
            read(topics.calendars()),
            read(topics.commands()),
            read(topics.outcomes()),
            read(topics.strays()),
            read(topics.watermarks()),
            write(topics.schedules()),
            write(topics.outcomes()),
            write(topics.strays()),
            write(topics.fires()),
            write(topics.missed()),
            write(topics.revisions()),
            write(topics.status()),
            write(topics.answers()),
            write(topics.watermarks()),
            write(topics.dlq()),
            Right.topics(AclOperation.DESCRIBE_CONFIGS, internal),
            Right.topics(AclOperation.CREATE, internal),
            Right.topics(AclOperation.READ, internal),
            Right.topics(AclOperation.WRITE, internal),
            Right.group(AclOperation.READ, config.applicationId()),
            Right.group(AclOperation.READ, DeathNotes.group(config.applicationId())),
            Right.transactionalIds(AclOperation.WRITE, internal));
    Stream<Right> routing =
        config.targetRules().isOn()
            ? Stream.of(read(topics.fires()), Right.group(AclOperation.READ, routerId))
            : Stream.empty();
    return Stream.concat(always, routing).toList();
  }

  private static Right read(String topic) {
    return Right.topic(AclOperation.READ, topic);
  }

  private static Right write(String topic) {
    return Right.topic(AclOperation.WRITE, topic);
  }
}
