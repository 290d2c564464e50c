package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The rights that a scheduler needs, and no more. docs/rights.md lists the same rights for
 * administrators, and a test compares both with the checks of a broker.
 */
public final class SchedulerRights {
  private SchedulerRights() {}

  /**
   * The rights of an instance. An operator may grant those with a prefix for single names instead.
   *
   * @param beside the application ids of the router, the intake and the limiter, if they run
   */
  public static List<Right> of(WaterclockConfig config, List<String> beside) {
    Topics topics = config.topics();
    String prefix = topics.prefix() + ".";
    String internal = config.applicationId() + "-";
    Stream<Right> always =
        Stream.of(
            Right.topics(AclOperation.DESCRIBE_CONFIGS, prefix),
            Right.topics(AclOperation.CREATE, prefix),
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
            write(topics.alerts()),
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
    Stream<Right> ofTargets =
        config.targetRules().isOn()
            ? Stream.of(read(topics.fires()), read(topics.later()))
            : Stream.empty();
    Stream<Right> ofRetries =
        config.targetRules().allowsRetries() ? Stream.of(write(topics.retries())) : Stream.empty();
    Stream<Right> ofLimits =
        config.limits()
            ? Stream.of(read(topics.limits()), read(topics.waiting()), write(topics.waiting()))
            : Stream.empty();
    Stream<Right> ofGroups = beside.stream().map(id -> Right.group(AclOperation.READ, id));
    return Stream.of(always, ofTargets, ofRetries, ofLimits, ofGroups)
        .flatMap(rights -> rights)
        .toList();
  }

  private static Right read(String topic) {
    return Right.topic(AclOperation.READ, topic);
  }

  private static Right write(String topic) {
    return Right.topic(AclOperation.WRITE, topic);
  }
}
