package io.waterclock.definition;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.text.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The topics that schedules may name as their targets, as far as the configuration decides it.
 * Immutable.
 */
public final class TargetRules {
  /** What Kafka allows. */
  private static final int MAX_TOPIC = 249;

  /** Prefixes of topics that belong to Kafka or to Confluent's software. */
  private static final List<String> OF_OTHERS = List.of("__", "_confluent");

  /**
   * The usual topics in which Kafka Connect and schema registries store their state. A client that
   * writes there has the rights of these services.
   */
  private static final Set<String> OF_SERVICES =
      Set.of(
          "_schemas",
          "kafkasql-journal",
          "kafkasql-snapshots",
          "connect-configs",
          "connect-offsets",
          "connect-status");

  /** Headers that the router sets on each record to a target. */
  private static final Set<String> TAKEN =
      Stream.concat(
              TargetRecord.AS_ON_THE_FIRE.stream(),
              Stream.of(HeaderNames.CONTENT_TYPE, HeaderNames.FIRE_KEY, HeaderNames.ID))
          .collect(Collectors.toUnmodifiableSet());

  /** Inclusive: the most headers of a record for a target. */
  private static final int MOST_HEADERS = 1_000;

  private final AllowList allowed;
  private final OwnerLimits owners;
  private final Set<String> own;
  private final String retries;
  private final String ofApplication;

  /**
   * @param allowed the operator's list
   * @param owners owners may have their own lists
   * @param own the topics of the scheduler itself, which are never a target
   * @param applicationId the prefix of the internal topics
   */
  public TargetRules(AllowList allowed, OwnerLimits owners, Topics own, String applicationId) {
    this.allowed = allowed;
    this.owners = owners;
    this.own = own.all();
    this.retries = own.retries();
    this.ofApplication = applicationId + "-";
  }

  /** True if any topic may be a target. */
  public boolean isOn() {
    return lists().anyMatch(list -> !list.isEmpty());
  }

  /**
   * True if fires may return to their consumer groups for a retry: the operator's list has the
   * topic of retries, by its whole name. It is the only topic of the scheduler itself that may be a
   * target, for records of all owners.
   */
  public boolean allowsRetries() {
    return allowed.entries().contains(retries);
  }

  private boolean isForRetries(String topic) {
    return topic.equals(retries) && allowsRetries();
  }

  /** True for a topic that schedules of at least one owner may name. */
  public boolean mayBeTarget(String topic) {
    return isForRetries(topic)
        || (never(topic).isEmpty() && lists().anyMatch(list -> list.allows(topic)));
  }

  /** Why no schedule may name a topic, independently of the lists; empty if one may. */
  public Optional<String> never(String topic) {
    if (topic.length() > MAX_TOPIC) {
      return Optional.of(
          "a topic's name has at most " + MAX_TOPIC + " characters, this one " + topic.length());
    }
    if (isForRetries(topic)) {
      return Optional.empty();
    }
    if (own.contains(topic) || topic.startsWith(ofApplication)) {
      return Optional.of("\"" + topic + "\" is a topic of the scheduler itself");
    }
    if (OF_SERVICES.contains(topic) || OF_OTHERS.stream().anyMatch(topic::startsWith)) {
      return Optional.of(
          "\"" + topic + "\" is a topic of Kafka, Kafka Connect or a schema registry itself");
    }
    return Optional.empty();
  }

  /** Why a schedule may not have a topic as its target; empty if it may. */
  public Optional<String> objection(ScheduleId id, String topic) {
    Optional<String> never = never(topic);
    if (never.isPresent() || isForRetries(topic)) {
      return never;
    }
    if (list(id).allows(topic)) {
      return Optional.empty();
    }
    Optional<OwnerLimits.Owner> owner =
        owners.of(id).filter(limits -> limits.targets().isPresent());
    AllowList list = chosen(id);
    if (owner.isPresent()) {
      return Optional.of(
          "\"%s\" is not among the targets of %s (owner.limits, targets), which has %s"
              .formatted(topic, owner.get().name(), list));
    }
    return Optional.of(
        list.isEmpty()
            ? "no topic may be a target here: targets.allow is empty"
            : "\"" + topic + "\" is not in targets.allow, which has " + list);
  }

  /** What the operator has chosen to allow, apart from retries. */
  private AllowList chosen(ScheduleId id) {
    AllowList list = list(id);
    return list.entries().contains(retries)
        ? new AllowList(list.entries().stream().filter(entry -> !entry.equals(retries)).toList())
        : list;
  }

  private AllowList list(ScheduleId id) {
    return owners.of(id).flatMap(OwnerLimits.Owner::targets).orElse(allowed);
  }

  private Stream<AllowList> lists() {
    return Stream.concat(
        Stream.of(allowed), owners.owners().stream().flatMap(owner -> owner.targets().stream()));
  }

  /** All problems of the target of a definition; empty if it has no target. */
  public List<Problem> problems(ScheduleId id, Schedule schedule) {
    Target target = schedule.getTarget();
    if (target == null) {
      return List.of();
    }
    List<Problem> problems = new ArrayList<>();
    objection(id, target.getTopic())
        .ifPresent(
            objection -> problems.add(Problems.of("target.topic", objection, example(chosen(id)))));
    RawRecord record = target.getRecord();
    if (record != null) {
      problems.addAll(ofRecord(record, target, schedule));
      return problems;
    }
    if (target.getValue() == TargetValue.PAYLOAD && schedule.getPayload() == null) {
      problems.add(
          Problems.of(
              "payload",
              "is missing, and target.value asks for it as the value of the record",
              "{\"hello\":\"world\"}"));
    }
    schedule.getHeaders().keySet().stream()
        .filter(TAKEN::contains)
        .sorted()
        .forEach(
            name ->
                problems.add(
                    Problems.of(
                        "headers." + name,
                        "is a header that each record at a target has already",
                        "x-" + name)));
    return problems;
  }

  private static List<Problem> ofRecord(RawRecord record, Target target, Schedule schedule) {
    List<Problem> problems = new ArrayList<>();
    if (target.getKey() != null || target.getValue() != TargetValue.FIRE) {
      problems.add(
          Problems.of(
              "target.record",
              "is given together with target.key or target.value; the record has a key and a value"
                  + " of its own",
              "{\"key_base64\":\"NDI=\"}"));
    }
    if (!schedule.getHeaders().isEmpty()) {
      problems.add(
          Problems.of(
              "headers",
              "do not reach a target that is given a record; write them into target.record.headers",
              "[{\"name\":\"x\",\"value_base64\":\"MQ==\"}]"));
    }
    if (record.getHeaders().size() > MOST_HEADERS) {
      problems.add(
          Problems.of(
              "target.record.headers",
              "are %s; at most %s".formatted(record.getHeaders().size(), MOST_HEADERS)));
    }
    if (record.getPartition() != null && record.getPartition() < 0) {
      problems.add(
          Problems.of("target.record.partition", "is " + record.getPartition() + ", below 0", "0"));
    }
    return problems;
  }

  private static @Nullable String example(AllowList list) {
    return list.entries().stream()
        .findFirst()
        .map(entry -> "\"" + entry.replace("*", "events") + "\"")
        .orElse(null);
  }
}
