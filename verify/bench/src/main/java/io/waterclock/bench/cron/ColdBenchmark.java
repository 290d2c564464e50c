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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.springframework.scheduling.support.CronExpression;

/**
 * The first two decisions of a JVM, each that an expression never occurs. The first pays for
 * loading what the library needs; the second, of another expression, is the decision by itself, in
 * code not yet compiled.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills the fields
public class ColdBenchmark {
  private static final List<String> NEVER = List.of("0 0 30 2 *", "0 0 31 4,6,9,11 *");

  @Param({})
  private Library library;

  private final ZonedDateTime start =
      ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneId.of("Europe/Berlin"));
  private int call;

  /** Opens all archives of the class path, which is no part of the decision. */
  @Setup(Level.Trial)
  public void open() {
    if (ClassLoader.getSystemResource("no/such/Class.class") != null) {
      throw new IllegalStateException("the class path has a class that cannot be");
    }
  }

  /**
   * One decision.
   *
   * @throws IllegalStateException if the library finds an occurrence
   */
  @Benchmark
  public void decide() throws ParseException {
    String date = NEVER.get(call++);
    if (!neverOccurs(library == Library.QUARTZ ? date.replace(" *", " ?") : date)) {
      throw new IllegalStateException(date + " occurs");
    }
  }

  /** Called directly: an adapter with lambdas would cost more than the decision. */
  private boolean neverOccurs(String date) throws ParseException {
    switch (library) {
      case WATERCLOCK:
        try {
          Cron.parse(date, start.getZone());
          return false;
        } catch (InvalidTriggerException e) {
          return e.neverOccurs();
        }
      case CRON_UTILS:
        CronParser parser =
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.SPRING53));
        return ExecutionTime.forCron(parser.parse("0 " + date)).nextExecution(start).isEmpty();
      case SPRING:
        return CronExpression.parse("0 " + date).next(start) == null;
      case QUARTZ:
        return new org.quartz.CronExpression("0 " + date).getTimeAfter(Date.from(start.toInstant()))
            == null;
    }
    throw new IllegalArgumentException(library.title());
  }
}
