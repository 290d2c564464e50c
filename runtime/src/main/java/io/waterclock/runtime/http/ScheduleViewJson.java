package io.waterclock.runtime.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.runtime.metrics.Label;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.context.ScheduleView;
import java.util.List;

/**
 * The current state of a schedule as JSON for HTTP, without the data of its fires: the topic has
 * them.
 */
final class ScheduleViewJson {
  private static final List<String> WITHHELD = List.of("payload", "payload_base64", "headers");

  private ScheduleViewJson() {}

  static ObjectNode of(ScheduleView view) {
    ScheduleState state = view.state();
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("id", state.id().value());
    ObjectNode status = RecordCodecs.status().toJson(view.status()).deepCopy();
    tree.put("state", view.status().getState().name());
    tree.set("status", status.without(List.of("schedule_id", "since")));
    Schedule bare = ScheduleSnapshot.withoutPayload(state.current().schedule());
    ObjectNode definition = RecordCodecs.schedule().toJson(bare).deepCopy();
    tree.set("definition", definition.without(WITHHELD));
    tree.put("effective_at", state.current().effectiveAt().toString());
    state.completedAt().ifPresent(at -> tree.put("completed_at", at.toString()));
    tree.put("decided_through", state.decidedThrough().toString());
    tree.put("in_step", view.inStep());
    state.replayThrough().ifPresent(at -> tree.put("replay_through", at.toString()));
    tree.put("revisions_behind", state.older().size());
    tree.put("triggers_waiting", state.commanded().fires().size());
    view.next()
        .ifPresent(
            next ->
                tree.putObject("next")
                    .put("occurrence", next.at().toString())
                    .put("due", next.due().toString()));
    view.deadline().ifPresent(at -> tree.put("deadline", at.toString()));
    view.lane()
        .ifPresent(
            lane ->
                tree.putObject("queued")
                    .put("lane", Label.of(lane))
                    .put("due", view.queuedFor().orElseThrow().toString()));
    return tree;
  }
}
