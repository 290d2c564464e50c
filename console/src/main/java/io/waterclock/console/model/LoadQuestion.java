package io.waterclock.console.model;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Which load to count.
 *
 * @param by what to group schedules by; empty for all together
 * @param label the name of the label, if that is what groups
 * @param value the only group whose minutes to count; empty for all
 * @param jitter of schedules that have none of their own; zero for none
 */
public record LoadQuestion(Optional<By> by, String label, Optional<String> value, Duration jitter) {
  /** The load as it is. */
  public static final LoadQuestion ALL =
      new LoadQuestion(Optional.empty(), "", Optional.empty(), Duration.ZERO);

  public enum By {
    OWNER,
    LABEL,
    TARGET,
    PARTITION,
    LIMIT
  }

  /** The group of a schedule; empty text for those without. */
  String group(ScheduleEntry entry, ToIntFunction<String> partition) {
    return by.map(
            kind ->
                switch (kind) {
                  case OWNER -> entry.owner == null ? "" : entry.owner;
                  case LABEL -> entry.labels.getOrDefault(label, "");
                  case TARGET -> entry.target == null ? "" : entry.target;
                  case LIMIT -> entry.limit == null ? "" : entry.limit;
                  case PARTITION -> Integer.toString(partition.applyAsInt(entry.id));
                })
        .orElse("");
  }

  /** Whether a group counts. */
  Predicate<String> wants() {
    return group -> by.isEmpty() || value.isEmpty() || value.get().equals(group);
  }
}
