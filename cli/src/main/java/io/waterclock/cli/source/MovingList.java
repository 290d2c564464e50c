package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects the schedules of a source: makes their ids valid and distinct, and leaves behind what
 * the scheduler would reject. Not thread-safe.
 */
final class MovingList {
  private static final Pattern NOT_OF_IDS = Pattern.compile("[^A-Za-z0-9._~:/@-]+");
  private static final Pattern BEFORE_ID = Pattern.compile("^[^A-Za-z0-9]+");
  private static final int LONGEST_ID = 240;
  private static final int LONGEST_SHOWN = 200;

  private final MovingSettings settings;
  private final Validation validation;
  private final List<MovedSchedule> schedules = new ArrayList<>();
  private final List<LeftBehind> leftBehind = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  MovingList(MovingSettings settings) {
    this.settings = settings;
    this.validation = new Validation(Duration.ofMillis(1), settings.zone());
  }

  /**
   * @param what it is and where it stands, for people
   * @param name the source's own name, from which the id is made
   */
  void add(String what, String name, Draft draft) {
    settings.owner().ifPresent(owner -> draft.form().put("owner", owner));
    ScheduleReading reading = ScheduleJson.read(draft.form(), settings.zone());
    List<Problem> problems = reading.problems();
    Schedule definition = reading.schedule();
    if (problems.isEmpty()) {
      definition = validation.normalise(reading.schedule());
      problems = validation.problems(name, definition, List.of(), settings.now(), Set.of());
    }
    if (!problems.isEmpty()) {
      leave(what, Problems.text(problems));
    } else if (isPast(definition)) {
      leave(what, "its one time is in the past");
    } else {
      String id = id(name);
      List<String> notes = new ArrayList<>(draft.notes());
      if (!draft.leftOut().isEmpty()) {
        notes.add(
            "Left out, as it has no equal here: %s.".formatted(String.join(", ", draft.leftOut())));
      }
      if (!id.equals(settings.prefix() + name)) {
        notes.add("Its name there is " + shown(name) + ".");
      }
      schedules.add(
          new MovedSchedule(
              id, draft.form(), definition, notes, draft.leftOut().size(), draft.source()));
    }
  }

  void leave(String what, String why) {
    leftBehind.add(new LeftBehind(shown(what), why));
  }

  /**
   * Reads an item of the source, or leaves it behind for what is wrong with it.
   *
   * @return whether it was read
   */
  boolean attempt(String what, Runnable reading) {
    try {
      reading.run();
      return true;
    } catch (BrokenSourceException | InvalidTriggerException e) {
      leave(what, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * The zone that the source names; if it names none, that of the settings, which a note says.
   *
   * @param field of the source, before the problem: "zone: "
   * @param there which zone the other scheduler uses, as for {@link Draft#noZone}
   * @throws BrokenSourceException if no zone has that name
   */
  ZoneId zone(Optional<String> named, String field, String there, Draft draft) {
    if (named.isEmpty()) {
      draft.noZone(there, settings.zone());
    }
    try {
      return named.map(Instants::zone).orElse(settings.zone());
    } catch (InvalidValueException e) {
      throw new BrokenSourceException(field + e.getMessage(), e);
    }
  }

  Moving moved() {
    return new Moving(schedules, leftBehind);
  }

  /** The exclusive end, as text, of a schedule whose end is inclusive there. */
  static String after(Instant inclusiveEnd) {
    return inclusiveEnd.truncatedTo(ChronoUnit.MILLIS).plusMillis(1).toString();
  }

  private boolean isPast(Schedule definition) {
    boolean isOver =
        definition.getTrigger() instanceof OnceTrigger once
            && once.getAt() != null
            && !once.getAt().isAfter(settings.now());
    Instant end = definition.getEndAt();
    return isOver || (end != null && !end.isAfter(settings.now()));
  }

  private String id(String name) {
    String whole = NOT_OF_IDS.matcher(settings.prefix() + name).replaceAll("-");
    String valid = BEFORE_ID.matcher(whole).replaceFirst("");
    String id = valid.isEmpty() ? "unnamed" : valid;
    String first = id.substring(0, Math.min(id.length(), LONGEST_ID));
    String distinct = first;
    for (int n = 2; !ids.add(distinct); n++) {
      distinct = first + "-" + n;
    }
    return distinct;
  }

  private static String shown(String text) {
    return SafeText.cut(text.replaceAll("\\p{Cntrl}", " ").strip(), LONGEST_SHOWN);
  }

  /**
   * A definition under way.
   *
   * @param form in the JSON form; to be changed by its owner only
   * @param leftOut fields of the source that have no equal
   */
  record Draft(
      ObjectNode form, List<String> notes, List<String> leftOut, Optional<SourceTrigger> source) {
    private static final Pattern ZONED = Pattern.compile("(?:CRON_)?TZ=(\\S+)\\s+(.*)");

    static Draft empty() {
      return new Draft(
          JsonNodeFactory.instance.objectNode(),
          new ArrayList<>(),
          new ArrayList<>(),
          Optional.empty());
    }

    Draft from(SourceTrigger trigger) {
      return new Draft(form, notes, leftOut, Optional.of(trigger));
    }

    /** The same with a form of its own. */
    Draft copy() {
      return new Draft(form.deepCopy(), notes, leftOut, source);
    }

    void leaveOut(String field) {
      leftOut.add(field);
    }

    /**
     * Leaves out all fields of an object, but the known ones and those without a value.
     *
     * @param path of the object, empty or with a dot at its end
     */
    void leaveOut(String path, JsonNode object, Set<String> known) {
      object
          .properties()
          .forEach(
              field -> {
                if (!known.contains(field.getKey()) && !isNothing(field.getValue())) {
                  leaveOut(path + field.getKey());
                }
              });
    }

    private static boolean isNothing(JsonNode value) {
      return value.isNull() || (value.isContainerNode() && value.isEmpty());
    }

    /**
     * Takes the zone that {@code CRON_TZ=} or {@code TZ=} names before an expression.
     *
     * @return the expression behind it; empty if there is no zone before it
     */
    Optional<String> takeZone(String cron) {
      Matcher zoned = ZONED.matcher(cron);
      if (!zoned.matches()) {
        return Optional.empty();
      }
      form.put("timezone", zoned.group(1));
      return Optional.of(zoned.group(2));
    }

    /**
     * Says that the source names no zone.
     *
     * @param there which zone the other scheduler uses: "Spring uses that of its JVM"
     */
    void noZone(String there, ZoneId zone) {
      note("It names no zone, so %s; here it is %s.".formatted(there, zone));
    }

    void note(String sentence) {
      notes.add(sentence);
    }
  }
}
