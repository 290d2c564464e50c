package io.waterclock.testkit;

import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** One record of each kind on its common path, each after a mark; {@link RoomsTest} watches. */
final class RoomsProgram {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final String EVERY_MINUTE =
      """
      {"every": "1m", "anchor": "2026-11-21T12:00:30Z", "overlap": "skip"}""";

  /** The marks, and what follows them in the words of the page. */
  static final Map<String, String> KINDS =
      Map.of(
          "definition", "definition, delete",
          "command", "command",
          "outcome", "outcome",
          "dueOccurrence", "due occurrence");

  private RoomsProgram() {}

  public static void main(String[] args) {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put("other", EVERY_MINUTE);
      scheduler.advance(Duration.ofSeconds(1));
      definition();
      scheduler.put("a", EVERY_MINUTE);
      end();
      scheduler.advance(Duration.ofSeconds(20));
      dueOccurrence();
      scheduler.advance(Duration.ofSeconds(10));
      end();
      Fire fire = scheduler.fires("a").get(0);
      outcome();
      scheduler.report(
          "a",
          "{\"fire_key\":\"a|2026-11-21T12:00:30.000Z\",\"fire_id\":\"%s\",\"state\":\"succeeded\"}"
              .formatted(fire.getFireId()));
      end();
      command();
      scheduler.command("a", "{\"command_id\": \"c\", \"trigger\": {}}");
      end();
    }
  }

  // a mark: what runs from its call to that of end() belongs to its kind

  private static void definition() {}

  private static void dueOccurrence() {}

  private static void outcome() {}

  private static void command() {}

  private static void end() {}
}
