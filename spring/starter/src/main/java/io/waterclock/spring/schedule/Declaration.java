package io.waterclock.spring.schedule;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.spring.WaterclockSchedule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads an annotation, and collects all that is wrong with it. */
public final class Declaration {
  private final WaterclockSchedule annotation;
  private final UnaryOperator<@Nullable String> placeholders;
  private final List<String> problems;

  private Declaration(
      WaterclockSchedule annotation,
      UnaryOperator<@Nullable String> placeholders,
      List<String> problems) {
    this.annotation = annotation;
    this.placeholders = placeholders;
    this.problems = problems;
  }

  /**
   * The schedule of an annotation; empty if something is wrong.
   *
   * @param problems receives everything that is wrong
   */
  public static Optional<DeclaredSchedule> read(
      WaterclockSchedule annotation,
      UnaryOperator<@Nullable String> placeholders,
      String where,
      List<String> problems) {
    return new Declaration(annotation, placeholders, problems).read(where);
  }

  private Optional<DeclaredSchedule> read(String where) {
    int before = problems.size();
    String id = text("id", annotation.id()).orElse("");
    attempt("id", id, text -> ScheduleId.parse(text).value());
    Optional<ScheduleBuilder> trigger = trigger();
    if (trigger.isEmpty()) {
      return problems.size() > before
          ? Optional.empty()
          : Optional.of(new DeclaredSchedule(id, Optional.empty(), where));
    }
    ScheduleBuilder definition = trigger.get();
    definition.catchUp(annotation.catchUp()).overlap(annotation.overlap());
    set("zone", annotation.zone(), definition::timezone);
    set("grace", annotation.grace(), text -> definition.grace(Durations.parse(text)));
    set("jitter", annotation.jitter(), text -> definition.jitter(Durations.parse(text)));
    set("timeout", annotation.timeout(), text -> timeout(definition, text));
    set(
        "maxAttempts",
        annotation.maxAttempts(),
        text -> definition.maxAttempts(Integer.parseInt(text)));
    set("backoff", annotation.backoff(), text -> definition.backoff(Durations.parse(text)));
    set("startAt", annotation.startAt(), text -> definition.startAt(instant(text)));
    set("endAt", annotation.endAt(), text -> definition.endAt(instant(text)));
    definition.onExcluded(annotation.onExcluded());
    definition.except(texts("except", annotation.except()));
    definition.only(texts("only", annotation.only()));
    set(
        "businessDay",
        annotation.businessDay(),
        text -> definition.businessDay(Integer.parseInt(text)));
    set("target", annotation.target(), text -> definition.target(text, annotation.targetValue()));
    for (String label : annotation.labels()) {
      set("labels", label, text -> label(definition, text));
    }
    set("payload", annotation.payload(), definition::payloadJson);
    set("type", annotation.type(), definition::type);
    set("description", annotation.description(), definition::description);
    return problems.size() > before
        ? Optional.empty()
        : attempt("definition", id, text -> definition.build())
            .map(built -> new DeclaredSchedule(id, Optional.of(built), where));
  }

  /** Empty if something is wrong, or the trigger is "-". */
  private Optional<ScheduleBuilder> trigger() {
    Map<String, String> given = new LinkedHashMap<>();
    int before = problems.size();
    text("cron", annotation.cron()).ifPresent(text -> given.put("cron", text));
    text("every", annotation.every()).ifPresent(text -> given.put("every", text));
    text("rrule", annotation.rrule()).ifPresent(text -> given.put("rrule", text));
    text("at", annotation.at()).ifPresent(text -> given.put("at", text));
    if (given.size() != 1) {
      if (problems.size() == before) {
        problems.add(
            "@WaterclockSchedule needs exactly one of cron, every, rrule and at, and has "
                + (given.isEmpty() ? "none" : given.keySet())
                + ", for example every = \"5m\"");
      }
      return Optional.empty();
    }
    Map.Entry<String, String> only = given.entrySet().iterator().next();
    if (only.getValue().equals(WaterclockSchedule.DISABLED)) {
      return Optional.empty();
    }
    Optional<ScheduleBuilder> trigger =
        attempt(
            only.getKey(),
            only.getValue(),
            text ->
                switch (only.getKey()) {
                  case "cron" -> ScheduleBuilder.cron(text, annotation.dialect());
                  case "every" -> ScheduleBuilder.every(text);
                  case "rrule" -> ScheduleBuilder.rrule(text);
                  default -> ScheduleBuilder.once(instant(text));
                });
    set("anchor", annotation.anchor(), text -> trigger.ifPresent(made -> anchor(made, text)));
    return trigger;
  }

  private static void anchor(ScheduleBuilder trigger, String text) {
    if (!(trigger instanceof ScheduleBuilder.Anchored anchored)) {
      throw new IllegalArgumentException("goes with every and rrule only");
    }
    try {
      anchored.anchor(LocalDateTime.parse(text));
    } catch (DateTimeException e) {
      anchored.anchor(instant(text));
    }
  }

  private static void timeout(ScheduleBuilder definition, String text) {
    if (text.equals("none")) {
      definition.noTimeout();
    } else {
      definition.timeout(Durations.parse(text));
    }
  }

  private static void label(ScheduleBuilder definition, String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(
          Quoted.of(text) + " is not a name and a value, for example \"team=billing\"");
    }
    definition.label(text.substring(0, equals), text.substring(equals + 1));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not an instant, for example \"2026-12-24T18:00:00Z\"", e);
    }
  }

  private void set(String attribute, String annotated, Consumer<String> setting) {
    text(attribute, annotated)
        .ifPresent(
            text ->
                attempt(
                    attribute,
                    text,
                    value -> {
                      setting.accept(value);
                      return value;
                    }));
  }

  private String[] texts(String attribute, String[] annotated) {
    return Arrays.stream(annotated)
        .flatMap(text -> text(attribute, text).stream())
        .toArray(String[]::new);
  }

  private Optional<String> text(String attribute, String annotated) {
    return attempt(attribute, annotated, text -> Optional.ofNullable(placeholders.apply(text)))
        .flatMap(Function.identity())
        .filter(text -> !text.isEmpty());
  }

  private <T> Optional<T> attempt(String attribute, String text, Function<String, T> reading) {
    try {
      return Optional.of(reading.apply(text));
    } catch (IllegalArgumentException e) {
      problems.add("@WaterclockSchedule: " + attribute + ": " + e.getMessage());
      return Optional.empty();
    }
  }
}
