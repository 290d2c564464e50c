package io.waterclock.schemas;

import io.waterclock.schemas.text.Quoted;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of the topics, all {@code <prefix>.<name>}. The prefix is the tenant.
 *
 * @param prefix 1 to 200 characters of {@code [A-Za-z0-9._-]}, which is what Kafka allows in a
 *     topic, with room for the name
 */
public record Topics(String prefix) {
  /** The prefix unless another one is configured. */
  public static final String DEFAULT_PREFIX = "waterclock";

  /** The least retention of the topic fires with which the scheduler starts. */
  public static final Duration FIRES_KEPT = Duration.ofDays(7);

  /** The least retention of the topic missed with which the scheduler starts. */
  public static final Duration MISSED_KEPT = Duration.ofDays(30);

  private static final Pattern RULE = Pattern.compile("[A-Za-z0-9._-]{1,200}");

  /**
   * @throws InvalidIdException if the prefix breaks the rule
   */
  public Topics {
    if (!RULE.matcher(prefix).matches()) {
      throw new InvalidIdException(
          "topic prefix "
              + Quoted.of(prefix)
              + " must have 1 to 200 letters, digits and . _ - , for example \"waterclock\"");
    }
  }

  /** The topics with {@link #DEFAULT_PREFIX}. */
  public static Topics ofDefault() {
    return new Topics(DEFAULT_PREFIX);
  }

  /** In: definitions by schedule id; a tombstone deletes. */
  public String schedules() {
    return name("schedules");
  }

  /** In: calendars of exclusions by name; a tombstone deletes. */
  public String calendars() {
    return name("calendars");
  }

  /** In: commands by schedule id. */
  public String commands() {
    return name("commands");
  }

  /**
   * Internal: strays on their way to their home partition, keyed by the position at which they were
   * produced.
   */
  public String strays() {
    return name("strays");
  }

  /** In: what became of fires, by schedule id. */
  public String outcomes() {
    return name("outcomes");
  }

  /** In: records to be delivered later, with any key and any value. */
  public String later() {
    return name("later");
  }

  /** In: limits by group; a tombstone ends one. */
  public String limits() {
    return name("limits");
  }

  /** Internal: fires that wait for a limit, and what frees its room, partitioned by group. */
  public String waiting() {
    return name("waiting");
  }

  /** Out: fires by fire key, partitioned by schedule id. */
  public String fires() {
    return name("fires");
  }

  /** Out: ranges of occurrences that did not fire, by schedule id. */
  public String missed() {
    return name("missed");
  }

  /** Out: what is overdue of what schedules expect of their runs, by schedule id. */
  public String alerts() {
    return name("alerts");
  }

  /** Out: accepted definitions by schedule id. */
  public String revisions() {
    return name("revisions");
  }

  /** Out: the state of each schedule. */
  public String status() {
    return name("status");
  }

  /** Out: answers by correlation id. */
  public String answers() {
    return name("answers");
  }

  /** Out: how far each partition is decided. */
  public String watermarks() {
    return name("watermarks");
  }

  /** Out: records that could not be read, as received. */
  public String dlq() {
    return name("dlq");
  }

  /**
   * The state that workers keep, by group and schedule id. Workers that need the topic create it.
   */
  public String workers() {
    return name("workers");
  }

  /**
   * Out: fires that a consumer group could not run, on their return to it, by fire key; headers say
   * which group, and how often it has tried.
   */
  public String retries() {
    return name("retries");
  }

  /** The names of all of them. */
  public Set<String> all() {
    return Set.of(
        schedules(),
        calendars(),
        commands(),
        strays(),
        outcomes(),
        later(),
        limits(),
        waiting(),
        fires(),
        missed(),
        alerts(),
        revisions(),
        status(),
        answers(),
        watermarks(),
        dlq(),
        workers(),
        retries());
  }

  /** The CloudEvents source of the fires. */
  public String ceSource() {
    return "/waterclock/" + prefix;
  }

  private String name(String name) {
    return prefix + "." + name;
  }
}
