package io.waterclock.limits;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitLane;
import io.waterclock.schemas.avro.LimitWindow;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates limits and finds all problems at once. */
public final class LimitRules {
  /** Inclusive: the largest record, in any format. */
  public static final int MAX_BYTES = 64 * 1024;

  /** Inclusive: of fires of a group that run at a time. */
  public static final int MAX_RUNNING = 100_000;

  /** Inclusive. */
  public static final int MAX_PER_SECOND = 10_000;

  private static final int MAX_PARTS = 16;
  private static final long LONGEST_WINDOW_MS = Duration.ofDays(31).toMillis();
  private static final long LONGEST_RUN_MS = Duration.ofDays(31).toMillis();

  private LimitRules() {}

  /**
   * The limit in the value of a record; empty if the scheduler refuses it, so that the limit before
   * it stays in force.
   *
   * @throws SchemaUnavailableException if the writer's schema is not available now
   */
  public static Optional<Limit> acceptable(byte[] value, SchemaSource schemas) {
    return value.length > MAX_BYTES
        ? Optional.empty()
        : RecordCodecs.limit().readable(value, schemas).filter(limit -> problems(limit).isEmpty());
  }

  /** All problems of a limit; empty if it is valid. */
  public static List<Problem> problems(Limit limit) {
    List<Problem> problems = new ArrayList<>();
    range("max_running", limit.getMaxRunning(), MAX_RUNNING, "4", problems);
    range("per_second", limit.getPerSecond(), MAX_PER_SECOND, "50", problems);
    if (limit.getTimeoutMs() < 1 || limit.getTimeoutMs() > LONGEST_RUN_MS) {
      problems.add(Problems.of("timeout", "is not from 1 ms to 31 days", "\"1h\""));
    }
    lanes(limit.getLanes(), problems);
    windows(limit.getClosed(), problems);
    return problems;
  }

  private static void range(
      String field, @Nullable Integer value, int most, String example, List<Problem> problems) {
    if (value != null && (value < 1 || value > most)) {
      problems.add(
          Problems.of(field, value + " is not from 1 to " + most + "; paused stops all", example));
    }
  }

  private static void lanes(List<LimitLane> lanes, List<Problem> problems) {
    tooMany("lanes", lanes.size(), problems);
    Set<Integer> priorities = new HashSet<>();
    for (int i = 0; i < Math.min(lanes.size(), MAX_PARTS); i++) {
      String field = "lanes[" + i + "]";
      range(field + ".max_running", lanes.get(i).getMaxRunning(), MAX_RUNNING, "2", problems);
      if (!priorities.add(lanes.get(i).getFromPriority())) {
        problems.add(
            Problems.of(
                field + ".from_priority", "is that of another lane; give each its own", "10"));
      }
    }
  }

  private static void windows(List<LimitWindow> windows, List<Problem> problems) {
    tooMany("closed", windows.size(), problems);
    for (int i = 0; i < Math.min(windows.size(), MAX_PARTS); i++) {
      LimitWindow window = windows.get(i);
      String field = "closed[" + i + "]";
      if (window.getDurationMs() < 1 || window.getDurationMs() > LONGEST_WINDOW_MS) {
        problems.add(Problems.of(field + ".duration", "is not from 1 ms to 31 days", "\"1h\""));
      }
      try {
        var unused = GroupLimit.Window.of(window);
      } catch (InvalidTriggerException e) {
        problems.add(Problems.of(field, String.valueOf(e.getMessage()), "\"0 22 * * *\""));
      }
    }
  }

  private static void tooMany(String field, int size, List<Problem> problems) {
    if (size > MAX_PARTS) {
      problems.add(Problems.of(field, "has " + size + " entries; at most " + MAX_PARTS));
    }
  }
}
