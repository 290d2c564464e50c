package io.waterclock.definition;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Nearest;
import io.waterclock.schemas.text.Problems;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits of each owner, and what it expects of its runs. An owner is a prefix of schedule ids.
 * An id belongs to the owner with the longest matching prefix, and to {@code *} if no other
 * matches. Immutable.
 */
public record OwnerLimits(List<Owner> owners) {
  /** The owner of the ids that match no other entry. */
  public static final String ALL_OTHERS = "*";

  private static final String SCHEDULES = "schedules";
  private static final String MIN_INTERVAL = "min.interval";
  private static final String PAYLOAD_BYTES = "payload.bytes";
  private static final String TARGETS = "targets";
  private static final String STARTED_WITHIN = "started.within";
  private static final String SUCCEEDED_WITHIN = "succeeded.within";
  private static final String SUCCEEDED_EVERY = "succeeded.every";
  private static final String CONTACT = "contact";
  private static final String RUNBOOK = "runbook";
  private static final Set<String> LIMITS =
      Set.of(
          SCHEDULES,
          MIN_INTERVAL,
          PAYLOAD_BYTES,
          TARGETS,
          STARTED_WITHIN,
          SUCCEEDED_WITHIN,
          SUCCEEDED_EVERY,
          CONTACT,
          RUNBOOK);
  private static final String EXAMPLE =
      "for example acme/ schedules=1000 min.interval=1m payload.bytes=4096; * schedules=100000";

  /**
   * The limits of one owner; an empty value means no limit.
   *
   * @param name the prefix, or {@code *}
   * @param schedules inclusive: the most schedules that are not completed
   * @param minInterval inclusive: the shortest interval, instead of the general one
   * @param payloadBytes inclusive: the largest payload
   * @param targets the topics that its schedules may name, instead of the general list
   * @param expect what definitions expect that say nothing of it
   */
  public record Owner(
      String name,
      Optional<Integer> schedules,
      Optional<Duration> minInterval,
      Optional<Integer> payloadBytes,
      Optional<AllowList> targets,
      Optional<Expectations> expect) {

    /** The prefix of the ids; empty for all others. */
    public String prefix() {
      return name.equals(ALL_OTHERS) ? "" : name;
    }
  }

  public OwnerLimits {
    owners = List.copyOf(owners);
  }

  public static OwnerLimits none() {
    return new OwnerLimits(List.of());
  }

  /** The owner whose limits apply to an id. Costs a comparison with each owner. */
  public Optional<Owner> of(ScheduleId id) {
    Optional<Owner> longest = Optional.empty();
    for (Owner owner : owners) {
      boolean isLonger =
          longest.isEmpty() || owner.prefix().length() > longest.get().prefix().length();
      if (isLonger && id.value().startsWith(owner.prefix())) {
        longest = Optional.of(owner);
      }
    }
    return longest;
  }

  /**
   * The problem of a payload that is larger than the owner may send; empty if it is not.
   *
   * @param field the name of the field with the payload
   */
  public Optional<Problem> payload(ScheduleId id, Optional<ByteBuffer> payload, String field) {
    int size = payload.map(ByteBuffer::remaining).orElse(0);
    Optional<Owner> owner = of(id);
    return owner
        .flatMap(Owner::payloadBytes)
        .filter(most -> size > most)
        .map(
            most ->
                Problems.of(
                    field,
                    ("has %s bytes, more than the %s that %s may send (owner.limits,"
                            + " payload.bytes); make it smaller or send a reference to it")
                        .formatted(size, most, owner.get().name())));
  }

  /**
   * Reads entries with semicolons or line breaks between them, each a prefix and its limits: {@code
   * acme/ schedules=1000 min.interval=1m payload.bytes=4096; * schedules=100000}.
   *
   * @param problems receives a sentence for each problem
   */
  public static OwnerLimits parse(String text, List<String> problems) {
    List<Owner> owners = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String entry : text.split("[;\\n]", -1)) {
      if (entry.isBlank()) {
        continue;
      }
      List<String> words = List.of(entry.strip().split("\\s+"));
      String name = words.get(0);
      if (isName(name, problems)) {
        if (!names.add(name)) {
          problems.add("\"" + name + "\" is there twice; write its limits in one entry");
        }
        owners.add(owner(name, words.subList(1, words.size()), problems));
      }
    }
    return new OwnerLimits(owners);
  }

  private static boolean isName(String name, List<String> problems) {
    try {
      return name.equals(ALL_OTHERS) || ScheduleId.parse(name).value().equals(name);
    } catch (InvalidIdException e) {
      problems.add(
          "\"%s\" is neither * nor what a schedule id can begin with: %s; %s"
              .formatted(name, e.getMessage(), EXAMPLE));
      return false;
    }
  }

  private static Owner owner(String name, List<String> limits, List<String> problems) {
    Map<String, String> values = new TreeMap<>();
    if (limits.isEmpty()) {
      problems.add("\"" + name + "\" has no limits; " + EXAMPLE);
    }
    for (String limit : limits) {
      int equals = limit.indexOf('=');
      String key = equals < 0 ? limit : limit.substring(0, equals);
      if (equals < 0 || !LIMITS.contains(key)) {
        problems.add(
            "\"%s\": \"%s\" is no limit; did you mean %s=...? %s"
                .formatted(name, limit, Nearest.to(key, LIMITS), EXAMPLE));
      } else if (values.put(key, limit.substring(equals + 1)) != null) {
        problems.add("\"" + name + "\": " + key + " is there twice");
      }
    }
    return new Owner(
        name,
        number(name, SCHEDULES, values, problems),
        duration(name, MIN_INTERVAL, "1m", values, problems),
        number(name, PAYLOAD_BYTES, values, problems),
        targets(name, values, problems),
        expect(name, values, problems));
  }

  private static Optional<Integer> number(
      String name, String key, Map<String, String> values, List<String> problems) {
    Optional<String> text = Optional.ofNullable(values.get(key));
    try {
      Optional<Integer> number = text.map(Integer::parseInt);
      if (number.isEmpty() || number.get() >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number out of bounds
    }
    problems.add(
        "\"%s\": %s=%s is not a whole number from 0 to %s"
            .formatted(name, key, text.orElse(""), Integer.MAX_VALUE));
    return Optional.empty();
  }

  private static Optional<AllowList> targets(
      String name, Map<String, String> values, List<String> problems) {
    List<String> found = new ArrayList<>();
    Optional<AllowList> targets =
        Optional.ofNullable(values.get(TARGETS)).map(text -> AllowList.topics(text, found));
    found.forEach(problem -> problems.add("\"" + name + "\": " + TARGETS + ": " + problem));
    return targets;
  }

  private static Optional<Expectations> expect(
      String name, Map<String, String> values, List<String> problems) {
    Expectations expect =
        Expectations.newBuilder()
            .setStartedWithinMs(ms(name, STARTED_WITHIN, "5m", values, problems))
            .setSucceededWithinMs(ms(name, SUCCEEDED_WITHIN, "1h", values, problems))
            .setSucceededEveryMs(ms(name, SUCCEEDED_EVERY, "25h", values, problems))
            .setContact(values.get(CONTACT))
            .setRunbook(values.get(RUNBOOK))
            .build();
    return expect.equals(Expectations.newBuilder().build())
        ? Optional.empty()
        : Optional.of(expect);
  }

  private static @Nullable Long ms(
      String name, String key, String example, Map<String, String> values, List<String> problems) {
    return duration(name, key, example, values, problems).map(Duration::toMillis).orElse(null);
  }

  private static Optional<Duration> duration(
      String name, String key, String example, Map<String, String> values, List<String> problems) {
    Optional<String> text = Optional.ofNullable(values.get(key));
    try {
      Optional<Duration> duration = text.map(Durations::parse);
      if (duration.filter(Duration::isZero).isPresent()) {
        problems.add("\"" + name + "\": " + key + "=0 is not above zero; for example " + example);
      }
      return duration;
    } catch (InvalidValueException e) {
      problems.add("\"" + name + "\": " + key + ": " + e.getMessage());
      return Optional.empty();
    }
  }
}
