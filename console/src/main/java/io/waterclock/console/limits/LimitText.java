package io.waterclock.console.limits;

import java.time.Instant;
import java.util.Optional;

/** What waits for a limit, in words. */
public final class LimitText {
  private LimitText() {}

  /** That schedules name a limit that no record defines, as a sentence. */
  public static String unknown(String name) {
    return "There is no limit "
        + name
        + ", so its fires start at once; waterclock limits put defines it.";
  }

  /**
   * What a fire waits for, as sentences.
   *
   * @param book has the limit that it waits for
   */
  public static String waiting(LimitBook.OldestWait wait, LimitBook book, Instant now) {
    String late =
        wait.again()
            .filter(again -> wait.isLate(now))
            .map(again -> ", although it has occurred again at " + again)
            .orElse("");
    return "Its fire of "
        + wait.due()
        + " waits for the limit "
        + wait.limit()
        + late
        + ". "
        + reason(wait.limit(), book, now);
  }

  private static String reason(String name, LimitBook book, Instant now) {
    if (!book.isDefined(name)) {
      return "No limit has that name any more, so it starts at once.";
    }
    Optional<LimitRow.Pause> pause = book.pause(name, now);
    if (pause.isPresent()) {
      return "The limit is paused"
          + pause.get().author().map(author -> " by " + author).orElse("")
          + pause.get().until().map(until -> " until " + until).orElse("")
          + pause.get().note().map(note -> ": " + note).orElse("")
          + ".";
    }
    return book.rules(name).isClosed(now)
        ? "A window of the limit is closed."
        : "The limit allows " + book.limit(name).map(LimitRow::text).orElse("all") + ".";
  }
}
