package io.waterclock.connect.rows;

import static io.waterclock.connect.rows.RowField.ANCHOR;
import static io.waterclock.connect.rows.RowField.ANCHOR_FIRST;
import static io.waterclock.connect.rows.RowField.CATCH_UP;
import static io.waterclock.connect.rows.RowField.DIALECT;
import static io.waterclock.connect.rows.RowField.ENABLED;
import static io.waterclock.connect.rows.RowField.EVERY_UNIT;
import static io.waterclock.connect.rows.RowField.ID;
import static io.waterclock.connect.rows.RowField.KIND;
import static io.waterclock.connect.rows.RowField.PAUSED;
import static io.waterclock.connect.rows.RowField.PAYLOAD;
import static io.waterclock.connect.rows.RowField.STATUS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.connect.rows.RowChange.Kind;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.TriggerCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Turns changes of rows into schedules.
 *
 * <p>It keeps no state between rows: the result depends only on the row and its change. So a task
 * may restart anywhere, and a change that it reads twice has the same result twice. Thread-safe.
 */
public final class RowRules {
  private static final Set<RowField> SPECIAL = special();

  private final RowMapping mapping;
  private final RowIds ids;
  private final StartStates startStates;
  private final NextRuns nextRuns;

  public RowRules(RowMapping mapping) {
    this.mapping = mapping;
    this.ids = new RowIds(mapping);
    this.startStates = new StartStates(mapping);
    this.nextRuns = new NextRuns(mapping);
  }

  private static Set<RowField> special() {
    Set<RowField> special =
        EnumSet.of(
            ID,
            KIND,
            DIALECT,
            EVERY_UNIT,
            ANCHOR,
            ANCHOR_FIRST,
            ENABLED,
            PAUSED,
            STATUS,
            CATCH_UP,
            PAYLOAD);
    special.addAll(RowField.TRIGGERS);
    return special;
  }

  /** Turns a change into its result. Never throws because of a row's values. */
  public RowResult apply(RowChange change) {
    try {
      return change.kind() == Kind.DELETED
          ? new RowResult.Deletes(ids.deleted(change))
          : define(change);
    } catch (BadRowException e) {
      return new RowResult.Refused(ids.shown(change), e.reason());
    }
  }

  private RowResult define(RowChange change) {
    Row row =
        change.after().orElseThrow(() -> new BadRowException("the record does not contain a row"));
    ScheduleId id = ids.defined(change, row);
    MappedRow mapped = new MappedRow(mapping, row);
    List<String> problems = new ArrayList<>();
    Optional<RowField> trigger = attempt(() -> trigger(mapped), problems);
    ObjectNode definition = definition(mapped, trigger, problems);
    if (problems.isEmpty()) {
      problems.addAll(new RowValidation(mapping).problems(id.value(), definition, change.at()));
    }
    if (!problems.isEmpty()) {
      throw new BadRowException(String.join(" | ", problems));
    }
    return isTriggered(id, change, mapped, trigger.orElseThrow(), definition)
        ? new RowResult.Triggers(id, trigger(change.at(), mapped))
        : new RowResult.Defines(
            id, definition, startStates.of(id, change, mapped, trigger.orElseThrow(), definition));
  }

  /** A change of the definition counts for more: a record is either. */
  private boolean isTriggered(
      ScheduleId id, RowChange change, MappedRow row, RowField trigger, ObjectNode definition) {
    return trigger != RowField.AT
        && !definition.has(ENABLED.key())
        && nextRuns.isDue(id, change, row, definition)
        && definition.equals(change.before().map(before -> definition(before)).orElseThrow());
  }

  /** The definition of a row; of an invalid one, what can be read. */
  private ObjectNode definition(Row row) {
    MappedRow mapped = new MappedRow(mapping, row);
    List<String> problems = new ArrayList<>();
    return definition(mapped, attempt(() -> trigger(mapped), problems), problems);
  }

  /** The id follows from the change, so a change that is read twice fires once. */
  private Command trigger(Instant at, MappedRow row) {
    return Command.newBuilder()
        .setCommandId("due-" + at)
        .setAction(new TriggerCommand(null))
        .setNote(
            "%s was set to %s"
                .formatted(mapping.where(ANCHOR_FIRST), row.said(ANCHOR_FIRST).orElseThrow()))
        .build();
  }

  private RowField trigger(MappedRow row) {
    if (mapping.has(KIND)) {
      return byKind(row);
    }
    List<RowField> said =
        RowField.TRIGGERS.stream().filter(field -> row.said(field).isPresent()).toList();
    if (said.size() == 1) {
      return said.get(0);
    }
    List<String> places =
        (said.isEmpty() ? RowField.TRIGGERS : said)
            .stream().filter(mapping::has).map(mapping::where).toList();
    throw new BadRowException(
        said.isEmpty()
            ? "the row has no trigger: one of " + String.join(", ", places) + " must have a value"
            : "the row has "
                + said.size()
                + " triggers, in "
                + String.join(" and ", places)
                + "; exactly one is right");
  }

  private RowField byKind(MappedRow row) {
    String kind =
        row.text(KIND)
            .orElseThrow(() -> row.bad(KIND, "is empty; one of " + kinds() + " is right"));
    RowField trigger = mapping.kinds().get(kind.toLowerCase(Locale.ROOT));
    if (trigger == null) {
      throw row.bad(KIND, "is " + MappedRow.shown(kind) + "; one of " + kinds() + " is right");
    }
    if (row.said(trigger).isEmpty()) {
      throw row.bad(trigger, "is empty, but the row's kind is " + MappedRow.shown(kind));
    }
    return trigger;
  }

  private String kinds() {
    return String.join(", ", mapping.kinds().keySet().stream().sorted().toList());
  }

  private ObjectNode definition(MappedRow row, Optional<RowField> trigger, List<String> problems) {
    ObjectNode definition = JsonNodeFactory.instance.objectNode();
    trigger.ifPresent(field -> put(definition, field, row, problems));
    if (trigger.filter(RowField::isAnchored).isPresent()) {
      put(definition, ANCHOR, row, problems);
    }
    if (trigger.filter(RowField.CRON::equals).isPresent()) {
      put(definition, DIALECT, row, problems);
    }
    attempt(() -> isEnabled(row), problems)
        .filter(enabled -> !enabled)
        .ifPresent(enabled -> definition.put(ENABLED.key(), false));
    attempt(() -> row.text(CATCH_UP), problems)
        .flatMap(said -> said)
        .ifPresent(said -> definition.put(CATCH_UP.key(), catchUp(said)));
    payload(definition, row, problems);
    for (RowField field : RowField.values()) {
      if (!SPECIAL.contains(field)) {
        put(definition, field, row, problems);
      }
    }
    return definition;
  }

  private boolean isEnabled(MappedRow row) {
    boolean byStatus =
        !mapping.has(STATUS)
            || row.text(STATUS)
                .filter(
                    status -> mapping.enabledStatuses().contains(status.toLowerCase(Locale.ROOT)))
                .isPresent();
    return byStatus && row.flag(ENABLED).orElse(true) && !row.flag(PAUSED).orElse(false);
  }

  private String catchUp(String said) {
    return mapping.catchUps().getOrDefault(said.toLowerCase(Locale.ROOT), said);
  }

  private void payload(ObjectNode definition, MappedRow row, List<String> problems) {
    if (row.said(PAYLOAD).orElse("") instanceof byte[] bytes) {
      definition.put("payload_base64", Base64.getEncoder().encodeToString(bytes));
      return;
    }
    put(definition, PAYLOAD, row, problems);
    if (definition.has(PAYLOAD.key()) && !mapping.jsonPayload()) {
      definition.put("content_type", "text/plain");
    }
  }

  private static void put(
      ObjectNode definition, RowField field, MappedRow row, List<String> problems) {
    Optional<JsonNode> node = attempt(() -> row.node(field), problems).flatMap(said -> said);
    node.ifPresent(value -> definition.set(field.key(), value));
  }

  private static <T> Optional<T> attempt(Supplier<T> reading, List<String> problems) {
    try {
      return Optional.of(reading.get());
    } catch (BadRowException e) {
      problems.add(e.reason());
      return Optional.empty();
    }
  }
}
