package io.waterclock.topology.decide;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which topics schedules may name as their targets, as far as that can be told without asking a
 * broker. Immutable.
 *
 * @param allowed the operator's list
 * @param own the topics of the scheduler itself, which are never a target
 * @param applicationId what the names of its internal topics begin with
 */
public record TargetRules(AllowList allowed, Topics own, String applicationId) {
  /** What Kafka allows. */
  private static final int MAX_TOPIC = 249;

  /** Headers that the record at a target has of its own. */
  private static final Set<String> TAKEN =
      Set.of(
          Headers.CE_SPECVERSION,
          Headers.CE_ID,
          Headers.CE_SOURCE,
          Headers.CE_TYPE,
          Headers.CE_SUBJECT,
          Headers.CE_TIME,
          Headers.CONTENT_TYPE,
          Headers.FIRE_KEY);

  /** True when fires go to targets at all; the list is not empty then. */
  public boolean isOn() {
    return !allowed.isEmpty();
  }

  /** Why a topic may not be a target; empty when it may. */
  public Optional<String> objection(String topic) {
    if (topic.length() > MAX_TOPIC) {
      return Optional.of(
          "a topic's name has at most " + MAX_TOPIC + " characters, this one " + topic.length());
    }
    if (own.all().contains(topic) || topic.startsWith(applicationId + "-")) {
      return Optional.of("\"" + topic + "\" is a topic of the scheduler itself");
    }
    if (!isOn()) {
      return Optional.of("no topic may be a target here: targets.allow is empty");
    }
    return allowed.allows(topic)
        ? Optional.empty()
        : Optional.of("\"" + topic + "\" is not in targets.allow, which has " + allowed);
  }

  /** Everything that is wrong with the target of a definition; nothing is when it has none. */
  public List<Problem> problems(Schedule schedule) {
    Target target = schedule.getTarget();
    if (target == null) {
      return List.of();
    }
    List<Problem> problems = new ArrayList<>();
    objection(target.getTopic())
        .ifPresent(objection -> problems.add(problem("target.topic", objection, example())));
    if (target.getValue() == TargetValue.PAYLOAD && schedule.getPayload() == null) {
      problems.add(
          problem(
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
                    problem(
                        "headers." + name,
                        "is a header that each record at a target has already",
                        "x-" + name)));
    return problems;
  }

  private String example() {
    return allowed.entries().stream()
        .findFirst()
        .map(entry -> "\"" + entry.replace("*", "events") + "\"")
        .orElse("null");
  }

  private static Problem problem(String field, String message, String example) {
    return Problem.newBuilder().setField(field).setMessage(message).setExample(example).build();
  }
}
