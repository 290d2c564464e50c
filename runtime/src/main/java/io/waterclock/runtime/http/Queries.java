package io.waterclock.runtime.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.runtime.http.TaskQueries.GatedTask;
import io.waterclock.runtime.metrics.Label;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.context.ScheduleView;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * Answers queries for the current state of an instance's partitions and schedules. Waits at most
 * two seconds for a task that does not tick. Thread-safe.
 *
 * @param owners the HOST:PORT of a schedule's instance, if this one knows it
 */
public record Queries(
    Instance instance,
    InstantSource clock,
    TaskQueries tasks,
    Function<ScheduleId, Optional<String>> owners) {
  private static final Logger LOG = SafeLogger.of(Queries.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final List<String> WITHHELD = List.of("payload", "payload_base64", "headers");
  private static final List<State> LIVES =
      List.of(State.ACTIVE, State.PAUSED, State.COMPLETED, State.FAULTED);

  /**
   * The identity of this instance.
   *
   * @param name as in watermarks
   * @param address the advertised HOST:PORT, as in watermarks
   * @param partitions the number that all instances share
   */
  public record Instance(String name, String address, String applicationId, int partitions) {}

  Page partitions() {
    ObjectNode tree = identity();
    ArrayNode owned = tree.putArray("owned");
    answers(tasks.askAll(view -> partition(view, clock.instant())))
        .forEach((partition, answer) -> owned.add(answer.orElseGet(() -> silent(partition))));
    return Page.json(200, tree);
  }

  /** Asks every task for a watchdog pass; a requested pass that still runs is enough. */
  Page requestPasses() {
    ObjectNode tree = identity();
    ArrayNode passes = tree.putArray("passes");
    answers(tasks.askAll(view -> view.task().requestPass()))
        .forEach(
            (partition, since) ->
                passes.add(
                    since
                        .map(
                            asked ->
                                JsonNodeFactory.instance
                                    .objectNode()
                                    .put("partition", partition)
                                    .put("since", asked.toString()))
                        .orElseGet(() -> silent(partition))));
    return Page.json(202, tree);
  }

  Page schedule(String text) {
    ScheduleId id;
    try {
      id = ScheduleId.parse(text);
    } catch (InvalidIdException e) {
      return Page.problem(400, "Not a schedule id", String.valueOf(e.getMessage()));
    }
    int partition = HomePartition.of(id.utf8(), instance.partitions());
    Optional<CompletableFuture<Optional<Found>>> asked =
        tasks.ask(partition, view -> found(view, id));
    if (asked.isEmpty()) {
      return elsewhere(id, partition);
    }
    Optional<Optional<Found>> answer =
        answer(partition, asked.get(), System.nanoTime() + PATIENCE.toNanos());
    if (answer.isEmpty()) {
      return Page.problem(
          503,
          "No answer",
          ("The task of partition %s did not answer within %s s: it is moving, or"
                  + " waits for a broker. GET /live says whether it ticks.")
              .formatted(partition, PATIENCE.toSeconds()),
          identity().put("partition", partition));
    }
    return answer
        .get()
        .map(found -> Page.json(200, identity().<ObjectNode>setAll(json(found))))
        .orElseGet(
            () ->
                Page.problem(
                    404,
                    "No such schedule",
                    "There is no schedule " + id + " in partition " + partition + ".",
                    identity().put("partition", partition)));
  }

  private Page elsewhere(ScheduleId id, int partition) {
    Optional<String> owner = owners.apply(id);
    ObjectNode more = identity().put("partition", partition);
    String where = "Partition " + partition + ", where " + id + " belongs, ";
    if (owner.filter(instance.address()::equals).isPresent()) {
      return Page.problem(503, "No answer yet", where + "is still being restored here.", more);
    }
    owner.ifPresent(address -> more.put("owner", address));
    return Page.problem(
        421,
        "Another instance has it",
        where + "is not here" + owner.map(address -> "; ask http://" + address + ".").orElse("."),
        more);
  }

  private ObjectNode identity() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("instance", instance.name())
        .put("application_id", instance.applicationId())
        .put("partitions", instance.partitions());
  }

  private static ObjectNode silent(int partition) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("partition", partition)
        .put("problem", "its task did not answer within " + PATIENCE.toSeconds() + " s");
  }

  private static ObjectNode partition(GatedTask view, Instant now) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    TaskView task = view.task();
    Watermark watermark = task.watermark();
    tree.put("partition", watermark.getPartition());
    tree.put("gate_open", view.reading().decides());
    view.reading().waitsFor().ifPresent(why -> tree.put("waits_for", why));
    ObjectNode backlog = tree.putObject("backlog");
    for (Lane lane : Lane.values()) {
      backlog.put(Label.of(lane), task.backlog(lane, now));
    }
    ObjectNode schedules = tree.putObject("schedules");
    LIVES.forEach(life -> schedules.put(Label.of(life), task.counts().schedules(life)));
    tree.set("watermark", RecordCodecs.watermark().toJson(watermark));
    return tree;
  }

  /** What the thread of a task finds; others make the text of it, which takes longer. */
  private record Found(ScheduleView schedule, ObjectNode home) {}

  private Optional<Found> found(GatedTask view, ScheduleId id) {
    return view.task()
        .schedule(id)
        .map(schedule -> new Found(schedule, partition(view, clock.instant())));
  }

  /** Without the data of its fires: the topic has them. */
  private static ObjectNode json(Found found) {
    ScheduleView view = found.schedule();
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
    tree.set("home", found.home());
    return tree;
  }

  private <T> Map<Integer, Optional<T>> answers(Map<Integer, CompletableFuture<T>> asked) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Map<Integer, Optional<T>> answers = new TreeMap<>();
    asked.forEach(
        (partition, answer) -> answers.put(partition, answer(partition, answer, deadline)));
    return answers;
  }

  private static <T> Optional<T> answer(
      int partition, CompletableFuture<T> asked, long deadlineNanos) {
    try {
      return Optional.of(asked.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      asked.cancel(false); // the task need not answer it any more
      return Optional.empty();
    } catch (CancellationException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      LOG.warn("A query of partition {} failed", partition, e.getCause());
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
