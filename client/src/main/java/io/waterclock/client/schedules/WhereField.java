package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.json.RecordForms;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Nearest;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.StarPattern;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * A field that a {@link WhereExpression} can name: {@code id}, {@code state}, {@code since}, {@code
 * paused_by} (the author of a pause by command), {@code pause_note}, {@code rejected} (why the
 * newest definition was rejected), {@code fault} (why it is FAULTED), {@code failing} (how many
 * fires have failed in a row, of a schedule whose fires fail), {@code error} (of the last of
 * these), {@code overdue} (started_within, succeeded_within, succeeded_every: what is expected and
 * has not come true), {@code next} (an instant or never, where a reader has computed it; never is
 * later than every instant), {@code trigger} (cron, every, rrule or once), {@code cron}, {@code
 * rrule}, {@code labels.NAME}, {@code headers.NAME}, {@code target.topic}, and every other field of
 * a definition by its name in the JSON form. A definition has the defaults of the fields that it
 * does not mention.
 *
 * @param read the values; none if the schedule does not have the field, several for a list
 * @param parse a text as a value of the same type
 */
record WhereField(
    Function<KnownSchedule, List<Object>> read, Function<String, Object> parse, String example) {
  private static final String MS = "_ms";

  /** Reading a value costs as much as this many characters. */
  private static final int STEPS_OF_VALUE = 16;

  private static final Map<String, WhereField> FIELDS = new TreeMap<>();

  static {
    text("id", known -> Optional.of(known.id()));
    add("state", known -> List.copyOf(known.state().stream().toList()), symbols(State.SCHEMA$));
    add(
        "since",
        known -> List.copyOf(known.status().map(ScheduleStatus::getSince).stream().toList()),
        WhereField::instant);
    text("paused_by", known -> pause(known).map(CommandedPause::getAuthor));
    text("pause_note", known -> pause(known).map(CommandedPause::getNote));
    text(
        "rejected",
        known ->
            known
                .status()
                .filter(status -> status.getRejectedRevision() != null)
                .map(status -> Problems.text(status.getProblems())));
    text(
        "fault",
        known ->
            known
                .status()
                .filter(status -> status.getState() == State.FAULTED)
                .map(ScheduleStatus::getReason));
    text("error", known -> known.failing().map(FailingFires::getError));
    add(
        "failing",
        known ->
            List.copyOf(
                known.failing().map(it -> BigDecimal.valueOf(it.getCount())).stream().toList()),
        WhereField::number);
    add(
        "overdue",
        known ->
            List.copyOf(
                known.overdue().stream()
                    .map(it -> it.getExpectation().name().toLowerCase(Locale.ROOT))
                    .toList()),
        text -> text.toLowerCase(Locale.ROOT));
    add(
        "next",
        known ->
            List.copyOf(known.next().map(fire -> fire.at().orElse(Instant.MAX)).stream().toList()),
        text -> text.equalsIgnoreCase("never") ? Instant.MAX : instant(text));
    text("trigger", known -> known.schedule().map(WhereField::kind));
    text("cron", known -> trigger(known, CronTrigger.class).map(CronTrigger::getExpression));
    text("rrule", known -> trigger(known, RRuleTrigger.class).map(RRuleTrigger::getRule));
    text("target.topic", known -> target(known).map(Target::getTopic));
    Schedule.SCHEMA$.getFields().forEach(WhereField::ofDefinition);
  }

  /**
   * The field with a name.
   *
   * @param unknown the error if there is none
   */
  static WhereField of(String name, Supplier<InvalidValueException> unknown) {
    for (String map : List.of("labels.", "headers.")) {
      if (name.startsWith(map) && name.length() > map.length()) {
        String key = name.substring(map.length());
        return new WhereField(known -> entry(known, map, key), text -> text, name + " = x");
      }
    }
    return Optional.ofNullable(FIELDS.get(name.toLowerCase(Locale.ROOT))).orElseThrow(unknown);
  }

  static String nearest(String name) {
    return Nearest.to(name, FIELDS.keySet());
  }

  boolean isPresent(KnownSchedule schedule) {
    return read.apply(schedule).stream().anyMatch(value -> !Boolean.FALSE.equals(value));
  }

  /** About how many characters a comparison reads. */
  long steps(KnownSchedule schedule) {
    long steps = STEPS_OF_VALUE;
    for (Object value : read.apply(schedule)) {
      steps += STEPS_OF_VALUE + (value instanceof CharSequence text ? text.length() : 0);
    }
    return steps;
  }

  /**
   * @throws InvalidValueException if the value is not of the field's type
   */
  Predicate<KnownSchedule> comparison(String operator, String value) {
    if (operator.endsWith("~")) {
      StarPattern pattern = StarPattern.of(value);
      Predicate<KnownSchedule> matches =
          known -> read.apply(known).stream().anyMatch(one -> pattern.matches(one.toString()));
      return operator.equals("~") ? matches : matches.negate();
    }
    Object right = parse.apply(value);
    return switch (operator) {
      case "=" -> known -> read.apply(known).contains(right);
      case "!=" -> known -> !read.apply(known).contains(right);
      case "<" -> compared(right, sign -> sign < 0);
      case "<=" -> compared(right, sign -> sign <= 0);
      case ">" -> compared(right, sign -> sign > 0);
      default -> compared(right, sign -> sign >= 0);
    };
  }

  @SuppressWarnings("unchecked") // both sides have the type of the field
  private Predicate<KnownSchedule> compared(Object right, Predicate<Integer> fits) {
    return known ->
        read.apply(known).stream()
            .anyMatch(left -> fits.test(((Comparable<Object>) left).compareTo(right)));
  }

  private static void text(String name, Function<KnownSchedule, Optional<String>> value) {
    add(name, known -> List.copyOf(value.apply(known).stream().toList()), text -> text);
  }

  private static void add(
      String name, Function<KnownSchedule, List<Object>> read, Function<String, Object> parse) {
    FIELDS.put(name, new WhereField(read, parse, name + " = VALUE"));
  }

  private static void ofDefinition(Schema.Field field) {
    Schema type = RecordForms.required(field.schema());
    boolean isDuration = type.getType() == Schema.Type.LONG && field.name().endsWith(MS);
    String name =
        isDuration ? field.name().substring(0, field.name().length() - MS.length()) : field.name();
    Function<KnownSchedule, List<Object>> read = known -> values(known, field.pos(), isDuration);
    switch (type.getType()) {
      case STRING -> add(name, read, text -> text);
      case BOOLEAN -> add(name, read, WhereField::truth);
      case INT -> add(name, read, WhereField::number);
      case LONG -> add(name, read, isDuration ? text -> Durations.parse(text) : longs(type));
      case ENUM -> add(name, read, symbols(type));
      case ARRAY ->
          add(
              name,
              read,
              RecordForms.required(type.getElementType()).getType() == Schema.Type.LONG
                  ? WhereField::instant
                  : text -> text);
      default -> {} // not comparable
    }
  }

  private static List<Object> values(KnownSchedule known, int position, boolean isDuration) {
    Object value = known.schedule().map(schedule -> schedule.get(position)).orElse(null);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return List.copyOf(list);
    }
    if (value instanceof Number number) {
      return List.of(
          isDuration
              ? Duration.ofMillis(number.longValue())
              : BigDecimal.valueOf(number.longValue()));
    }
    return List.of(value);
  }

  private static List<Object> entry(KnownSchedule known, String map, String key) {
    return List.copyOf(
        known
            .schedule()
            .map(schedule -> map.equals("labels.") ? schedule.getLabels() : schedule.getHeaders())
            .map(entries -> entries.get(key))
            .stream()
            .toList());
  }

  private static Optional<CommandedPause> pause(KnownSchedule known) {
    return known.status().map(ScheduleStatus::getPause);
  }

  private static Optional<Target> target(KnownSchedule known) {
    return known.schedule().map(Schedule::getTarget);
  }

  private static <T extends SpecificRecordBase> Optional<T> trigger(
      KnownSchedule known, Class<T> type) {
    return known.schedule().map(Schedule::getTrigger).filter(type::isInstance).map(type::cast);
  }

  private static String kind(Schedule schedule) {
    Object trigger = schedule.getTrigger();
    return trigger instanceof CronTrigger
        ? "cron"
        : trigger instanceof EveryTrigger
            ? "every"
            : trigger instanceof OnceTrigger ? "once" : "rrule";
  }

  private static Function<String, Object> longs(Schema type) {
    return type.getLogicalType() == null ? WhereField::number : WhereField::instant;
  }

  private static Function<String, Object> symbols(Schema type) {
    return text -> {
      String symbol = text.toUpperCase(Locale.ROOT).replace('-', '_');
      if (!type.hasEnumSymbol(symbol)) {
        throw new InvalidValueException(
            "\"" + text + "\" is none of " + String.join(", ", type.getEnumSymbols()), "x");
      }
      return SpecificData.get().createEnum(symbol, type);
    };
  }

  private static Object instant(String text) {
    return Instants.parse(
        text.matches("\\d{4}-\\d\\d-\\d\\d") ? text + "T00:00:00" : text, ZoneOffset.UTC);
  }

  private static Object truth(String text) {
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      throw new InvalidValueException("\"" + text + "\" is neither true nor false", "true");
    }
    return Boolean.valueOf(text);
  }

  private static Object number(String text) {
    try {
      return BigDecimal.valueOf(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new InvalidValueException("\"" + text + "\" is no whole number", "3");
    }
  }
}
