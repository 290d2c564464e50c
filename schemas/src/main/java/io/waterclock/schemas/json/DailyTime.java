package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.text.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trigger of a day in the words of people: {@code {"business_day": -1, "calendar": "nyse",
 * "time": "16:00"}}. It is read as the cron expression {@code 0 16 * * *} with {@code except}, so
 * that stored definitions have one form.
 */
final class DailyTime {
  private static final String TIME = "time";
  private static final String CALENDAR = "calendar";
  private static final String CRON = "cron";
  private static final String EXCEPT = "except";
  private static final String EXAMPLE = "\"time\": \"16:00\"";

  /** Beside a time these would be a second trigger, or read the expression in another way. */
  private static final List<String> OTHERS =
      List.of(CRON, "every", "rrule", "at", "in", "anchor", "dialect");

  private static final Pattern OF_DAY =
      Pattern.compile("([01]?\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d))?");

  private DailyTime() {}

  /** The JSON form of a definition with both names translated. Reports what is wrong with them. */
  static ObjectNode translated(ObjectNode object, Reading at) {
    Optional<JsonNode> time = Member.value(object, TIME);
    Optional<JsonNode> calendar = Member.value(object, CALENDAR);
    if (time.isEmpty() && calendar.isEmpty()) {
      return object;
    }
    ObjectNode copy = object.deepCopy();
    copy.remove(List.of(TIME, CALENDAR));
    time.ifPresent(node -> putCron(node, copy, at));
    calendar.ifPresent(node -> putExcept(node, copy, at));
    return copy;
  }

  private static void putCron(JsonNode time, ObjectNode copy, Reading at) {
    List<String> others =
        OTHERS.stream().filter(name -> Member.value(copy, name).isPresent()).toList();
    if (!others.isEmpty()) {
      at.field(TIME)
          .report("is the trigger, so there is no " + others.get(0) + " beside it", EXAMPLE);
      return;
    }
    Matcher matcher = OF_DAY.matcher(time.asText().strip());
    if (time.isTextual() && matcher.matches()) {
      String second = matcher.group(3) == null ? "" : Integer.parseInt(matcher.group(3)) + " ";
      copy.put(
          CRON,
          "%s%d %d * * *"
              .formatted(
                  second, Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(1))));
      return;
    }
    at.field(TIME)
        .report(
            "is "
                + (time.isTextual() ? Quoted.of(time.textValue()) : at.shown(time))
                + " where a time of the day must be",
            EXAMPLE);
    copy.put(CRON, "0 0 * * *"); // so that a missing trigger is not reported, too
  }

  private static void putExcept(JsonNode calendar, ObjectNode copy, Reading at) {
    if (Member.value(copy, EXCEPT).isPresent()) {
      at.field(CALENDAR)
          .report(
              "is one name of except; write both there", "\"except\": [\"nyse\", \"weekends\"]");
    } else if (calendar.isTextual()) {
      copy.putArray(EXCEPT).add(calendar.textValue());
    } else {
      at.field(CALENDAR).mismatch(calendar, "the name of a calendar", "\"nyse\"");
    }
  }
}
