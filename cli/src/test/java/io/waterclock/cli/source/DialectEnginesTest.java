package io.waterclock.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.source.Proof.Difference;
import io.waterclock.cli.source.Proof.Reason;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.Once;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random expressions of each dialect, next to the library that other schedulers read them with: 100
 * occurrences each are the same, or a named rule explains the difference. {@code
 * -Dwaterclock.expressions=N} runs N.
 */
@Tag("all")
final class DialectEnginesTest {
  private static final int EXPRESSIONS = Integer.getInteger("waterclock.expressions", 10_000);
  private static final long SEED = Long.getLong("waterclock.seed", 23);
  private static final int OCCURRENCES = 100;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> ZONES =
      List.of("UTC", "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");

  /** Why we refuse an expression that an engine accepts. */
  private static final Map<String, Pattern> REFUSED =
      Map.of(
          "it never occurs, but where Spring counts L-28 into the month before",
          Pattern.compile("names no day of any year"),
          "Quartz ignores the step behind a name",
          Pattern.compile("ignores a step behind a name"),
          "Quartz reads L and # of a list for the whole list",
          Pattern.compile("reads L and # for one weekday only"),
          "years are no single range",
          Pattern.compile("is not one range of years"));

  /** Why we accept an expression that an engine refuses. */
  private static final Map<String, Pattern> ACCEPTED =
      Map.of(
          "cron-utils refuses a range that begins with SUN",
          Pattern.compile("Invalid range! \\[7,"),
          "cron-utils refuses steps of 7 days",
          Pattern.compile("Period 0 not in range"),
          "cron-utils throws while it searches",
          Pattern.compile("the engine fails: (Invalid date|Collection is empty)"),
          "JobRunr refuses a month without the day",
          Pattern.compile("specified months do not have the day"));

  @ParameterizedTest
  @CsvSource({
    "QUARTZ, QUARTZ",
    "AWS, QUARTZ",
    "SPRING, SPRING",
    "SPRING, DB_SCHEDULER",
    "UNIX, CRON_UTILS",
    "UNIX, JOBRUNR",
    "ROBFIG, ROBFIG"
  })
  void each_dialect_occurs_as_its_own_engine_says(CronDialect dialect, SourceEngine engine) {
    Map<String, Integer> outcomes = new TreeMap<>();
    List<String> unexplained = new ArrayList<>();
    for (int i = 0; i < EXPRESSIONS; i++) {
      long seed = SEED * 1_000_003 + i;
      String text = new RandomExpression(seed, dialect).next();
      SplittableRandom random = new SplittableRandom(seed);
      ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
      Instant start = START.plusSeconds(random.nextInt(300 * 86_400));
      String outcome = outcome(dialect, engine, text, zone, start);
      outcomes.merge(outcome, 1, Integer::sum);
      if (outcome.startsWith("unexplained")) {
        unexplained.add(seed + ": \"" + text + "\" in " + zone + " from " + start + ": " + outcome);
      }
    }
    System.out.println(dialect + " next to " + engine + ": " + outcomes);
    assertThat(unexplained).isEmpty();
    assertThat(outcomes.getOrDefault("the same", 0)).isGreaterThan(EXPRESSIONS / 2);
  }

  private static String outcome(
      CronDialect dialect, SourceEngine engine, String text, ZoneId zone, Instant start) {
    String theirText =
        dialect == CronDialect.AWS ? "0 " + text : text; // EventBridge is Quartz without seconds
    Optional<Trigger> ours;
    String problem = "";
    try {
      ours = Optional.of(Cron.parse(text, dialect, zone));
    } catch (InvalidTriggerException e) {
      ours = Optional.empty();
      problem = String.valueOf(e.getMessage());
    }
    try {
      SourceTrigger source = new SourceTrigger(engine, theirText, zone);
      if (ours.isEmpty()) {
        if (problem.contains("names no day") && !text.matches(".* L-(28|29|30) .*")) {
          Trigger never = new Once(START.minusSeconds(1));
          return Proof.of(never, source, start, 1, DialectEnginesTest.class.getClassLoader())
              .differences()
              .stream()
              .map(
                  one ->
                      one.reason() == Reason.UNKNOWN
                          ? "unexplained: we refuse it, but it occurs at " + one.at()
                          : "it never occurs, but there " + one.reason())
              .findFirst()
              .orElse("it never occurs");
        }
        source.occurrences(DialectEnginesTest.class.getClassLoader()); // may refuse it, too
        return named(REFUSED, problem).orElse("unexplained: we refuse it: " + problem);
      }
      Proof proof =
          Proof.of(
              ours.get(), source, start, OCCURRENCES, DialectEnginesTest.class.getClassLoader());
      List<Reason> reasons =
          proof.differences().stream().map(Difference::reason).distinct().sorted().toList();
      return reasons.isEmpty()
          ? "the same"
          : reasons.contains(Reason.UNKNOWN)
              ? "unexplained: "
                  + proof.differences().stream()
                      .filter(one -> one.reason() == Reason.UNKNOWN)
                      .findFirst()
                      .orElseThrow()
              : reasons.toString();
    } catch (EngineFailure e) {
      return ours.isEmpty()
          ? "both refuse"
          : named(ACCEPTED, String.valueOf(e.getMessage()))
              .orElse("unexplained: the engine refuses it: " + e.getMessage());
    }
  }

  private static Optional<String> named(Map<String, Pattern> rules, String message) {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().matcher(message).find())
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
