package io.waterclock.bench.cron;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.waterclock.occurrences.Cron;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import java.util.function.Function;
import org.springframework.scheduling.support.CronExpression;

/** The libraries that find the next occurrence of a cron expression. */
public enum Library {
  WATERCLOCK("Waterclock") {
    @Override
    NextSearch<?> search(String expression, ZoneId zone, List<Instant> starts) {
      Cron cron = Cron.parse(expression, zone);
      return new NextSearch<>(starts, Function.identity(), cron::nextAfter, Function.identity());
    }
  },

  CRON_UTILS("cron-utils") {
    @Override
    NextSearch<?> search(String expression, ZoneId zone, List<Instant> starts) {
      CronParser parser =
          new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.SPRING53));
      ExecutionTime cron = ExecutionTime.forCron(parser.parse(expression));
      return new NextSearch<>(
          starts, start -> start.atZone(zone), cron::nextExecution, ZonedDateTime::toInstant);
    }
  },

  SPRING("Spring") {
    @Override
    NextSearch<?> search(String expression, ZoneId zone, List<Instant> starts) {
      CronExpression cron = CronExpression.parse(expression);
      return new NextSearch<>(
          starts,
          start -> start.atZone(zone),
          start -> Optional.ofNullable(cron.next(start)),
          ZonedDateTime::toInstant);
    }
  },

  QUARTZ("Quartz") {
    @Override
    NextSearch<?> search(String expression, ZoneId zone, List<Instant> starts) {
      org.quartz.CronExpression cron = quartz(expression);
      cron.setTimeZone(TimeZone.getTimeZone(zone));
      return new NextSearch<>(
          starts,
          Date::from,
          start -> Optional.ofNullable(cron.getTimeAfter(start)),
          Date::toInstant);
    }
  };

  private final String title;

  Library(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Reads an expression in the library's own dialect. */
  abstract NextSearch<?> search(String expression, ZoneId zone, List<Instant> starts);

  private static org.quartz.CronExpression quartz(String expression) {
    try {
      return new org.quartz.CronExpression(expression);
    } catch (ParseException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /**
   * One expression of one library in one zone, asked from prepared starts, so that no conversion is
   * measured.
   *
   * @param <T> how the library takes and gives times
   */
  static final class NextSearch<T> {
    private final List<T> starts;
    private final Function<Instant, T> given;
    private final Function<T, Optional<T>> asked;
    private final Function<T, Instant> taken;

    NextSearch(
        List<Instant> starts,
        Function<Instant, T> given,
        Function<T, Optional<T>> asked,
        Function<T, Instant> taken) {
      this.starts = starts.stream().map(given).toList();
      this.given = given;
      this.asked = asked;
      this.taken = taken;
    }

    Optional<T> next(int start) {
      return asked.apply(starts.get(start));
    }

    Optional<Instant> after(Instant start) {
      return asked.apply(given.apply(start)).map(taken);
    }
  }
}
