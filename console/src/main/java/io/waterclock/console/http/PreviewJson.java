package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.model.ViewJson;
import io.waterclock.console.preview.CheckedDefinition;
import io.waterclock.console.preview.CronSentence;
import io.waterclock.console.preview.EditPreview;
import io.waterclock.decide.whatif.OccurrenceChange;
import io.waterclock.decide.whatif.ScheduleDifference;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a change would do, as JSON. */
final class PreviewJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int CHANGES = 200;

  private PreviewJson() {}

  static ObjectNode of(String id, CheckedDefinition checked) {
    ObjectNode tree = JSON.objectNode().put("id", id);
    AnswerJson.add(checked.problems(), tree.putArray("problems"));
    return tree;
  }

  /**
   * @param language a language tag; the trigger is described in it if possible
   */
  static ObjectNode of(String id, EditPreview preview, Optional<String> language) {
    ObjectNode tree = JSON.objectNode().put("id", id);
    tree.putArray("problems");
    preview
        .trigger()
        .ifPresent(
            trigger ->
                DetailJson.words(
                    trigger, language, CronSentence::of, preview.window().now(), tree));
    tree.put("from", preview.window().now().toString());
    tree.put("to", preview.window().end().toString());
    add(preview.difference(), tree);
    tree.set("next", ViewJson.list(preview.next()));
    ArrayNode clocks = tree.putArray("clock_changes");
    preview.clocks().forEach(effect -> DetailJson.clock(effect, clocks));
    tree.set("joined", ViewJson.list(preview.joined()));
    ArrayNode undecided = tree.putArray("undecided");
    preview.undecided().forEach(undecided::add);
    return tree;
  }

  /** Counts, and the first changes. */
  private static void add(ScheduleDifference difference, ObjectNode tree) {
    for (OccurrenceChange.Kind kind : OccurrenceChange.Kind.values()) {
      tree.put(kind.name().toLowerCase(Locale.ROOT), difference.count(kind));
    }
    tree.put("fires_before", difference.firesBefore()).put("fires_after", difference.firesAfter());
    difference.comparedUntil().ifPresent(at -> tree.put("compared_until", at.toString()));
    ArrayNode notes = tree.putArray("notes");
    difference.problems().forEach(notes::add);
    ArrayNode changes = tree.putArray("changes");
    List<OccurrenceChange> all = difference.changes();
    all.stream().limit(CHANGES).forEach(change -> changes.add(of(change)));
  }

  private static ObjectNode of(OccurrenceChange change) {
    return ViewJson.of(change).put("change", change.kind().name());
  }
}
