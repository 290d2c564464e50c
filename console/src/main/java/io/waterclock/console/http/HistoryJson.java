package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.access.Access;
import io.waterclock.console.model.KeptPayload;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.PartitionRow;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.preview.BackfillPreview;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.FieldDifference;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/** The revisions of a schedule, and what a backfill would fire, as JSON. */
final class HistoryJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** So many of the newest are shown. */
  static final int REVISIONS = 50;

  /** As many of the newest does a backfill compare with. */
  static final int FIRES = 10_000;

  private HistoryJson() {}

  /** Each revision with a bounded part of the fields that differ from the one before it. */
  static ObjectNode revisions(ReadModel model, String id, boolean showsPayload) {
    ObjectNode tree = JSON.objectNode().put("id", id);
    ArrayNode list = tree.putArray("revisions");
    Iterator<Revision> all = model.read(of -> of.revisions(id, REVISIONS + 1)).iterator();
    Optional<Revision> next = next(all);
    for (int i = 0; i < REVISIONS && next.isPresent(); i++) {
      Revision revision = next.get();
      ObjectNode one = list.addObject();
      add(revision, one);
      next = next(all);
      next.ifPresent(before -> changes(before, revision, showsPayload, one.putArray("changes")));
    }
    return tree;
  }

  private static Optional<Revision> next(Iterator<Revision> all) {
    return all.hasNext() ? Optional.of(all.next()) : Optional.empty();
  }

  private static void add(Revision revision, ObjectNode one) {
    one.put("revision", revision.getRevision())
        .put("effective_at", revision.getEffectiveAt().toString())
        .put("accepted_at", revision.getAcceptedAt().toString())
        .put("owns_after", revision.getOwnsAfter().toString())
        .put("tzdb", revision.getTzdb());
    Optional.ofNullable(revision.getAuthor()).ifPresent(who -> one.put("author", who));
    Optional.ofNullable(revision.getNote()).ifPresent(why -> one.put("note", why));
  }

  private static void changes(
      Revision before, Revision revision, boolean showsPayload, ArrayNode changes) {
    for (FieldDifference field : FieldDifference.between(form(before), form(revision))) {
      add(field, showsPayload, changes.addObject());
    }
  }

  private static ObjectNode form(Revision revision) {
    Schedule schedule = revision.getSchedule();
    ObjectNode form = DetailJson.withoutPayload(schedule);
    KeptPayload.in(schedule).ifPresent(payload -> form.put("payload", payload.toString()));
    return form;
  }

  private static void add(FieldDifference field, boolean showsPayload, ObjectNode change) {
    change.put("field", field.name());
    if (!showsPayload && Access.HIDDEN.contains(field.name())) {
      change.put("hidden", true);
      return;
    }
    field.before().ifPresent(value -> CutJson.put("before", value, change));
    field.after().ifPresent(value -> CutJson.put("after", value, change));
  }

  /** The occurrences that a backfill would fire, and which of them have fired already. */
  static ObjectNode backfill(ModelQueries.Detail view, Instant from, Instant to) {
    KnownSchedule known = view.known();
    Instant decided = view.partition().map(PartitionRow::decidedThrough).orElse(Instant.MIN);
    BackfillPreview preview = BackfillPreview.of(known, view.upcoming(), from, to, decided);
    Set<Instant> fired = new HashSet<>();
    view.fires().forEach(fire -> fired.add(fire.occurrence()));
    ObjectNode tree = JSON.objectNode().put("id", known.id()).put("more", preview.isCut());
    ArrayNode list = tree.putArray("occurrences");
    preview
        .occurrences()
        .forEach(at -> list.addObject().put("at", at.toString()).put("fired", fired.contains(at)));
    return tree;
  }
}
