package io.waterclock.bench.cron;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.text.ParseException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import org.springframework.scheduling.support.CronExpression;

/**
 * Prints the nanoseconds of a JVM's first decisions: arguments are a library and expressions, which
 * are asked one after the other. The first pays for loading what the library needs; the second, of
 * another expression, is the decision by itself, in code not yet compiled.
 */
final class ColdMain {
  private ColdMain() {}

  public static void main(String[] args) throws ParseException {
    Library library = Library.valueOf(args[0]);
    ZonedDateTime start = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneId.of("Europe/Berlin"));
    StringBuilder line = new StringBuilder();
    for (int i = 1; i < args.length; i++) {
      long begin = System.nanoTime();
      boolean never = neverOccurs(library, args[i], start);
      line.append(System.nanoTime() - begin).append(' ');
      if (!never) {
        throw new IllegalStateException(args[i] + " occurs");
      }
    }
    System.out.println(line.toString().strip());
  }

  /** Called directly: an adapter with lambdas would cost more than the decision. */
  private static boolean neverOccurs(Library library, String expression, ZonedDateTime start)
      throws ParseException {
    switch (library) {
      case WATERCLOCK:
        try {
          Cron.parse(expression, start.getZone());
          return false;
        } catch (InvalidTriggerException e) {
          return e.neverOccurs();
        }
      case CRON_UTILS:
        CronParser parser =
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.SPRING53));
        return ExecutionTime.forCron(parser.parse(expression)).nextExecution(start).isEmpty();
      case SPRING:
        return CronExpression.parse(expression).next(start) == null;
      case QUARTZ:
        return new org.quartz.CronExpression(expression).getTimeAfter(Date.from(start.toInstant()))
            == null;
    }
    throw new IllegalArgumentException(library.title());
  }
}
