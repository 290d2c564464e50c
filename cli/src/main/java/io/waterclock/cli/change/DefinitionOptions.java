package io.waterclock.cli.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.TimeText;
import io.waterclock.cli.terminal.TriggerOptions;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.json.JsonText;
import io.waterclock.schemas.policy.CatchUpPolicy;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * A definition as flags, named like the fields of the JSON form. Nothing is validated here: the
 * scheduler answers with all problems at once.
 */
final class DefinitionOptions {
  @ArgGroup(validate = false, heading = "%nTrigger:%n")
  TriggerOptions trigger = new TriggerOptions();

  /** Fields whose flags have other names. */
  private static final Map<String, String> NAMED_OTHERWISE =
      Map.of(
          "timezone", "zone",
          "timeout", "run-timeout",
          "enabled", "disabled",
          "headers", "header",
          "labels", "label");

  @ArgGroup(validate = false, heading = "%nBounds and calendars:%n")
  Bounds bounds = new Bounds();

  @ArgGroup(validate = false, heading = "%nMissed occurrences, pauses and overlap:%n")
  Policies policies = new Policies();

  @ArgGroup(validate = false, heading = "%nContent of the fires:%n")
  Content content = new Content();

  @ArgGroup(validate = false, heading = "%nRuns in workers:%n")
  Runs runs = new Runs();

  @ArgGroup(validate = false, heading = "%nExpectations of the runs:%n")
  Expected expected = new Expected();

  @ArgGroup(validate = false, heading = "%nFor people:%n")
  About about = new About();

  static final class Bounds {
    @Option(
        names = "--start-at",
        paramLabel = "TIME",
        description =
            "No occurrence before this time: an instant, a local time, a date, or a duration from"
                + " now.")
    Optional<String> startAt = Optional.empty();

    @Option(
        names = "--end-at",
        paramLabel = "TIME",
        description = "No occurrence at or after this time.")
    Optional<String> endAt = Optional.empty();

    @Option(
        names = "--max-occurrences",
        paramLabel = "N",
        description = "The schedule completes after N occurrences.")
    Optional<Long> maxOccurrences = Optional.empty();

    @Option(
        names = "--skip",
        paramLabel = "TIME",
        description = "An occurrence to skip; may be repeated.")
    List<String> skip = List.of();

    @Option(
        names = "--except",
        paramLabel = "CALENDAR",
        description = "A calendar of dates on which the schedule does not occur; may be repeated.")
    List<String> except = List.of();

    @Option(
        names = "--only",
        paramLabel = "CALENDAR",
        description = "A calendar of dates on which alone the schedule occurs; may be repeated.")
    List<String> only = List.of();

    @Option(
        names = "--business-day",
        paramLabel = "N",
        description =
            "Occur on the n-th business day of each month only: 1 is the first, -1 the last. Business"
                + " days are the dates that --except and --only leave.")
    Optional<Integer> businessDay = Optional.empty();

    @Option(
        names = "--on-excluded",
        paramLabel = "POLICY",
        description =
            "What happens to occurrences that --except or --only excludes: skip (the default) or"
                + " next-working-day.")
    Optional<String> onExcluded = Optional.empty();

    @Option(
        names = "--jitter",
        paramLabel = "DURATION",
        description =
            "Delay each fire by up to this time; the delay of an occurrence never changes.")
    Optional<String> jitter = Optional.empty();
  }

  static final class Policies {
    @Option(
        names = "--catch-up",
        paramLabel = "POLICY",
        description =
            "What becomes of missed occurrences: " + CatchUpPolicy.HELP + " (default: collapse).")
    Optional<String> catchUp = Optional.empty();

    @Option(
        names = "--grace",
        paramLabel = "DURATION",
        description = "How late an occurrence may be before it counts as missed (default: 60s).")
    Optional<String> grace = Optional.empty();

    @Option(
        names = "--catch-up-window",
        paramLabel = "DURATION",
        description = "With replay: do not replay occurrences older than this.")
    Optional<String> catchUpWindow = Optional.empty();

    @Option(
        names = "--max-replay",
        paramLabel = "N",
        description = "With replay: replay at most the newest N occurrences (default: 10000).")
    Optional<Long> maxReplay = Optional.empty();

    @Option(names = "--disabled", description = "Define the schedule disabled: it does not fire.")
    boolean disabled;

    @Option(
        names = "--on-resume",
        paramLabel = "POLICY",
        description =
            "What happens when it is enabled after --disabled: nothing (the default), or fire-once"
                + " for the occurrences since then.")
    Optional<String> onResume = Optional.empty();

    @Option(
        names = "--overlap",
        paramLabel = "POLICY",
        description =
            "What happens to occurrences that are due while the previous fire runs: allow (the"
                + " default), skip or buffer-one.")
    Optional<String> overlap = Optional.empty();

    @Option(
        names = "--pause-after-failures",
        paramLabel = "N",
        description = "Pause the schedule after N failed fires in a row.")
    Optional<Integer> pauseAfterFailures = Optional.empty();

    @Option(
        names = "--rearm",
        description =
            "With --in, or --every without --anchor: count from this put, even if the definition is"
                + " unchanged. With --at: only ever move to a later instant.")
    boolean rearm;
  }

  static final class Content {
    @Option(
        names = "--type",
        paramLabel = "NAME",
        description = "The kind of job; workers choose the handler by it.")
    Optional<String> type = Optional.empty();

    @Option(
        names = "--limit",
        paramLabel = "NAME",
        description = "The limit that the fires share with those of others; see waterclock limits.")
    Optional<String> limit = Optional.empty();

    @Option(
        names = "--payload",
        paramLabel = "TEXT",
        description = "The payload of the fires: JSON if the text is JSON, otherwise text.")
    Optional<String> payload = Optional.empty();

    @Option(
        names = "--content-type",
        paramLabel = "TYPE",
        description = "The payload's media type (default: application/json or text/plain).")
    Optional<String> contentType = Optional.empty();

    @Option(
        names = "--header",
        paramLabel = "NAME=VALUE",
        description = "A header of every fire; may be repeated.")
    Map<String, String> headers = new LinkedHashMap<>();

    @Option(
        names = "--target-topic",
        paramLabel = "TOPIC",
        description = "Another topic for the fires; the operator must allow it (targets.allow).")
    Optional<String> targetTopic = Optional.empty();

    @Option(
        names = "--target-key",
        paramLabel = "KEY",
        description = "With --target-topic: the record's key (default: the fire key).")
    Optional<String> targetKey = Optional.empty();

    @Option(
        names = "--target-value",
        paramLabel = "VALUE",
        description = "With --target-topic: fire (the default), or payload for the payload alone.")
    Optional<String> targetValue = Optional.empty();
  }

  static final class Runs {
    @Option(
        names = "--run-timeout",
        paramLabel = "DURATION",
        description =
            "The longest time of a run, or none for no limit (default: half the interval).")
    Optional<String> timeout = Optional.empty();

    @Option(
        names = "--max-attempts",
        paramLabel = "N",
        description = "How often a worker attempts a fire at most (default: 4).")
    Optional<Integer> maxAttempts = Optional.empty();

    @Option(
        names = "--backoff",
        paramLabel = "DURATION",
        description = "The time before the first retry of a worker (default: 200ms).")
    Optional<String> backoff = Optional.empty();

    @Option(
        names = "--backoff-growth",
        paramLabel = "GROWTH",
        description =
            "How the backoff changes from retry to retry: doubling (the default) or constant.")
    Optional<String> backoffGrowth = Optional.empty();

    @Option(
        names = "--report-all",
        description = "Workers report the outcome of every fire, even if no policy needs it.")
    boolean reportAll;
  }

  static final class Expected {
    @Option(
        names = "--expect-started-within",
        paramLabel = "DURATION",
        description = "Alert if no worker has started a fire within this time after it was due.")
    Optional<String> startedWithin = Optional.empty();

    @Option(
        names = "--expect-succeeded-within",
        paramLabel = "DURATION",
        description =
            "Alert if neither a fire nor a later one has succeeded within this time after it was"
                + " due.")
    Optional<String> succeededWithin = Optional.empty();

    @Option(
        names = "--expect-succeeded-every",
        paramLabel = "DURATION",
        description = "Alert if no run succeeds for this time, though a fire was due.")
    Optional<String> succeededEvery = Optional.empty();

    @Option(
        names = "--expect-nothing",
        description = "Expect nothing, not even what owner.limits expects of this owner.")
    boolean nothing;

    @Option(
        names = "--contact",
        paramLabel = "TEXT",
        description = "Whom alerts are for: a name, an address, a channel.")
    Optional<String> contact = Optional.empty();

    @Option(
        names = "--runbook",
        paramLabel = "URL",
        description = "A link to what to do, which alerts carry.")
    Optional<String> runbook = Optional.empty();
  }

  static final class About {
    @Option(names = "--owner", paramLabel = "NAME", description = "The owner of the schedule.")
    Optional<String> owner = Optional.empty();

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "A label; may be repeated.")
    Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--description", paramLabel = "TEXT", description = "A description for people.")
    Optional<String> description = Optional.empty();
  }

  /**
   * The JSON form; empty if no flag was given.
   *
   * @param now from which durations in place of times count
   */
  ObjectNode toJson(Instant now) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    trigger.addTo(json, now);
    if (policies.disabled) {
      json.put("enabled", false);
    }
    putLowerCase(json, "on_resume", policies.onResume);
    putLowerCase(json, "catch_up", policies.catchUp);
    put(json, "grace", policies.grace);
    put(json, "catch_up_window", policies.catchUpWindow);
    policies.maxReplay.ifPresent(n -> json.put("max_replay", n));
    putLowerCase(json, "overlap", policies.overlap);
    put(json, "timeout", runs.timeout);
    runs.maxAttempts.ifPresent(n -> json.put("max_attempts", n));
    put(json, "backoff", runs.backoff);
    putLowerCase(json, "backoff_growth", runs.backoffGrowth);
    if (policies.rearm) {
      json.put("rearm", true);
    }
    if (runs.reportAll) {
      json.put("report_all", true);
    }
    policies.pauseAfterFailures.ifPresent(n -> json.put("pause_after_failures", n));
    putExpected(json);
    put(json, "start_at", bounds.startAt.map(text -> TimeText.AHEAD.iso(text, now)));
    put(json, "end_at", bounds.endAt.map(text -> TimeText.AHEAD.iso(text, now)));
    bounds.maxOccurrences.ifPresent(n -> json.put("max_occurrences", n));
    if (!bounds.skip.isEmpty()) {
      bounds.skip.forEach(json.putArray("skip")::add);
    }
    if (!bounds.except.isEmpty()) {
      bounds.except.forEach(json.putArray("except")::add);
    }
    if (!bounds.only.isEmpty()) {
      bounds.only.forEach(json.putArray("only")::add);
    }
    bounds.businessDay.ifPresent(n -> json.put("business_day", n));
    putLowerCase(json, "on_excluded", bounds.onExcluded);
    put(json, "jitter", bounds.jitter);
    put(json, "type", content.type);
    put(json, "limit", content.limit);
    content.payload.ifPresent(text -> putPayload(json, text));
    put(json, "content_type", content.contentType);
    putAll(json, "headers", content.headers);
    putTarget(json);
    put(json, "owner", about.owner);
    putAll(json, "labels", about.labels);
    put(json, "description", about.description);
    return json;
  }

  /**
   * Notes what is valid and probably not meant.
   *
   * @throws Failure if a time is in the past and only the future is wanted
   */
  void noteDoubts(Instant now, boolean futureOnly, Terminal terminal) {
    if (futureOnly && !trigger.hasInstant()) {
      throw new WrongUsage("--future-only goes with --at.");
    }
    trigger.noteReadings(terminal);
    trigger
        .past(now)
        .ifPresent(
            text -> {
              if (futureOnly) {
                throw new Failure("--at " + text + " is in the past; nothing was defined.");
              }
              terminal.note("--at " + text + " is in the past: it is due now.");
            });
    content
        .payload
        .filter(text -> content.contentType.isEmpty() && text.strip().matches("(?s)[{\\[].*"))
        .filter(text -> parse(text).isEmpty())
        .ifPresent(
            text -> terminal.note("the payload is not JSON; it is sent as text (text/plain)."));
    content
        .payload
        .filter(text -> text.startsWith("@"))
        .ifPresent(text -> terminal.note("the payload is the text " + text + ", not a file."));
  }

  /** A problem of a definition that flags gave: about the flag, with an example as an argument. */
  static Problem withFlag(Problem problem) {
    if (problem.getField().isEmpty()) {
      return problem;
    }
    String field =
        problem
            .getField()
            .replaceFirst("^expect\\.(contact|runbook)$", "$1")
            .replaceFirst("^(target|expect)\\.", "$1_")
            .replaceFirst("[.\\[].*", "");
    String flag = "--" + NAMED_OTHERWISE.getOrDefault(field, field.replace('_', '-'));
    return Problems.of(
        flag,
        problem.getMessage(),
        Optional.ofNullable(problem.getExample())
            .map(example -> flag + " " + asArgument(flag, example))
            .orElse(null));
  }

  /**
   * {@code "catch_up": "skip"} is {@code skip} in a shell, and the header {@code "a b": "text"} is
   * {@code 'a b=text'}.
   */
  private static String asArgument(String flag, String example) {
    String value =
        flag.equals("--header")
            ? example.replaceFirst("^\"(.*?)\"\\s*:\\s*\"(.*)\"$", "$1=$2")
            : example.replaceFirst("^\"\\w+\"\\s*:\\s*", "").replaceFirst("^\"(.*)\"$", "$1");
    return value.matches("[\\w:+/.-]+") ? value : "'" + value + "'";
  }

  private void putExpected(ObjectNode json) {
    ObjectNode expect = JsonNodeFactory.instance.objectNode();
    put(expect, "started_within", expected.startedWithin);
    put(expect, "succeeded_within", expected.succeededWithin);
    put(expect, "succeeded_every", expected.succeededEvery);
    put(expect, "contact", expected.contact);
    put(expect, "runbook", expected.runbook);
    if (expected.nothing && !expect.isEmpty()) {
      throw new WrongUsage("--expect-nothing does not go with other expectations.");
    }
    if (expected.nothing || !expect.isEmpty()) {
      json.set("expect", expect);
    }
  }

  private void putTarget(ObjectNode json) {
    if (content.targetTopic.isPresent()
        || content.targetKey.isPresent()
        || content.targetValue.isPresent()) {
      ObjectNode target = json.putObject("target");
      put(target, "topic", content.targetTopic);
      put(target, "key", content.targetKey);
      putLowerCase(target, "value", content.targetValue);
    }
  }

  private void putPayload(ObjectNode json, String text) {
    Optional<JsonNode> parsed =
        content.contentType.filter(media -> !media.contains("json")).isPresent()
            ? Optional.empty()
            : parse(text);
    parsed.ifPresentOrElse(tree -> json.set("payload", tree), () -> json.put("payload", text));
    if (parsed.isEmpty() && content.contentType.isEmpty()) {
      json.put("content_type", "text/plain");
    }
  }

  private static Optional<JsonNode> parse(String text) {
    try {
      return Optional.of(JsonText.parse(text));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static void put(ObjectNode json, String field, Optional<String> value) {
    value.ifPresent(text -> json.put(field, text));
  }

  private static void putLowerCase(ObjectNode json, String field, Optional<String> value) {
    put(json, field, value.map(text -> text.toLowerCase(Locale.ROOT)));
  }

  private static void putAll(ObjectNode json, String field, Map<String, String> values) {
    if (!values.isEmpty()) {
      values.forEach(json.putObject(field)::put);
    }
  }
}
