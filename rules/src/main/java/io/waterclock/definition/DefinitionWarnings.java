package io.waterclock.definition;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What is valid in a definition and may not be meant. */
public final class DefinitionWarnings {
  /** A weekday by its number, as the first of a range, the last of a month, or the nth. */
  private static final Pattern WEEKDAY_NUMBER = Pattern.compile("(?:.*,)?\\d.*");

  private DefinitionWarnings() {}

  /** The warnings, for an answer; costs a search for a character, for most definitions. */
  public static List<Problem> of(Schedule schedule) {
    if (schedule.getDialect() != Dialect.WATERCLOCK
        || !(schedule.getTrigger() instanceof CronTrigger cron)) {
      return List.of();
    }
    List<Problem> warnings = new ArrayList<>();
    if (cron.getExpression().indexOf('?') >= 0) {
      warnings.addAll(quartz(cron.getExpression()));
    }
    if (schedule.getBusinessDay() != null) {
      warnings.addAll(ownDates(cron.getExpression()));
    }
    return warnings;
  }

  /** A business day is chosen among the dates of the trigger, so it should have all of them. */
  private static List<Problem> ownDates(String expression) {
    String[] fields = expression.strip().split("\\s+");
    String dates = fields.length < 5 ? "*" : fields[fields.length - 3];
    return dates.equals("*") || dates.equals("?")
        ? List.of()
        : List.of(
            Problems.of(
                "business_day",
                "chooses among the dates of the cron expression, which are "
                    + Quoted.of(dates)
                    + ": in a month whose business day is another date nothing fires",
                "\"cron\":\"0 16 * * *\",\"business_day\":-1"));
  }

  /** Only other schedulers need a question mark, and two of them number weekdays differently. */
  private static List<Problem> quartz(String expression) {
    String[] fields = expression.strip().split("\\s+");
    String weekdays = fields[fields.length - 1];
    return WEEKDAY_NUMBER.matcher(weekdays).matches()
        ? List.of(
            Problems.of(
                "cron",
                Quoted.of(weekdays)
                    + " counts weekdays from Monday, 1; Quartz and EventBridge, whose ? this"
                    + " expression has, count from Sunday, 1. If it is theirs, add the dialect;"
                    + " otherwise names such as MON-FRI leave no doubt",
                "\"dialect\":\"quartz\""))
        : List.of();
  }
}
